import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { app, dynamicFields, failureOf, run } from '../support/app.js';
import { refusal, ScriptedServer, type Received } from '../support/servers.js';

const { triggers, creates, searches, authentication } = app;
const fields = [
  { type: 'page', label: 'About you' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true, help: 'As in your passport' },
  { key: 'colour', label: 'Colour', type: 'select', required: false, options: [{ value: 'red', label: 'Red' }] },
  { key: 'days', label: 'Days', type: 'multi_select', required: false, options: [{ value: 'mon', label: 'Monday' }] },
  { key: 'day', label: 'Day', type: 'date', required: false },
  { key: 'plan', label: 'Plan', type: 'file', required: false },
  { key: 'photos', label: 'Photos', type: 'file', required: false, multiple: true },
];
const formRoutes = {
  'GET /api/v1/forms/form1': { body: { id: 'form1', title: 'Visit', current_version: 2 } },
  'GET /app/v1/forms/form1/versions/2': { body: { version: 2, fields } },
};
/** Some of each kind that is not asked, or not of everybody. */
const conditional = {
  fields: [
    { type: 'statement', label: 'Welcome' },
    {
      key: 'nps',
      label: 'Would you recommend us?',
      type: 'rating',
      required: true,
      min: 0,
      max: 10,
      low_label: 'no',
      high_label: 'yes',
      score: 'nps',
    },
    {
      key: 'source',
      label: 'Source',
      type: 'select',
      required: true,
      other: { label: 'Other' },
      options: [
        { value: 'web', label: 'Web', limit: 20 },
        { value: 'other', label: 'Other' },
      ],
    },
    {
      key: 'source_other',
      label: 'Other: Source',
      type: 'short_text',
      required: true,
      visible_if: { key: 'source', equals: 'other' },
      required_if: { key: 'source', equals: 'other' },
      other_of: 'source',
    },
    { key: 'shown', label: 'Shown', type: 'short_text', required: true, visible_if: { key: 'nps', gte: 9 } },
    {
      key: 'offered',
      label: 'Offered',
      type: 'select',
      required: true,
      options: [{ value: 'late', label: 'Late', visible_if: { key: 'nps', gte: 9 } }],
    },
    { type: 'section', label: 'For some', visible_if: { key: 'nps', gte: 9 } },
    { key: 'in_section', label: 'In the section', type: 'short_text', required: true },
    { type: 'page', label: 'For all' },
    { key: 'total', label: 'Total', type: 'calculated', required: false, formula: 'nps * 2' },
    { key: 'after', label: 'After', type: 'short_text', required: true },
    { type: 'check', at: 'after', if: { key: 'nps', equals: 0 }, message: 'Why?' },
    { type: 'ending', name: 'invited', if: { key: 'nps', gte: 9 }, title: 'Thank you' },
  ],
};

const submission = { id: 'sub1', form_id: 'form1', schema_version: 2, created_at: '2026-03-04T16:05:12.000Z', status: 'new' };

const server = new ScriptedServer({});
before(() => server.start());
after(() => server.close());
beforeEach(() => {
  server.routes = {};
  server.received.length = 0;
});
const bundle = (inputData: Record<string, unknown> = {}, more: object = {}) => ({
  authData: { url: `${server.url}/ `, api_key: 'shf_u_secret' },
  inputData: { form_id: 'form1', ...inputData },
  ...more,
});
const last = (): Received => server.received.at(-1) ?? assert.fail('No request has arrived.');

describe('the connection', () => {
  it('is tested with the key, and named after the person', async () => {
    server.routes = { 'GET /api/v1/auth/me': { body: { id: 'p1', name: 'Ada', email: 'ada@example.org' } } };
    assert.deepEqual(await run(authentication?.test as never, bundle()), { id: 'p1', name: 'Ada', email: 'ada@example.org' });
    assert.equal(last().headers.authorization, 'Bearer shf_u_secret');
    assert.equal(authentication?.connectionLabel, '{{name}}');
  });

  it('has to be made again after a 401', async () => {
    server.routes = { 'GET /api/v1/auth/me': refusal(401, 'unauthorized', 'The credential is not valid.') };
    const { name, message } = await failureOf(run(authentication?.test as never, bundle()));
    assert.equal(name, 'ExpiredAuthError');
    assert.match(message, /^The credential is not valid\./);
  });
});

describe('a failure', () => {
  const list = () => run(triggers.new_submission.operation.performList, bundle());
  const at = 'GET /api/v1/forms/form1/submissions';

  it('has the message, the code and the status of the API', async () => {
    server.routes = { [at]: refusal(403, 'insufficient_scope', 'This needs the scope submissions:read.') };
    const { message, code, status } = await failureOf(list());
    assert.deepEqual(
      { message, code, status },
      { message: 'This needs the scope submissions:read.', code: 'insufficient_scope', status: 403 },
    );
  });

  it('for too many requests makes Zapier wait as long as the API says', async () => {
    server.routes = { [at]: { ...refusal(429, 'too_many_requests', 'Wait a moment.'), headers: { 'retry-after': '7' } } };
    const { name, message, delay } = await failureOf(list());
    assert.deepEqual({ name, message, delay }, { name: 'ThrottledError', message: 'Wait a moment.', delay: 7 });
  });

  it('of something else than Sheaf says to check the URL', async () => {
    server.routes = { [at]: { status: 502, body: Buffer.from('<html>Bad gateway</html>') } };
    assert.match((await failureOf(list())).message, /^The server answered with status 502\. Check the URL/);
  });

  it('is a redirect, too: the key goes nowhere else', async () => {
    server.routes = { [at]: { status: 302, headers: { location: `${server.url}/elsewhere` } } };
    const { message, code } = await failureOf(list());
    assert.equal(code, 'redirected');
    assert.equal(
      message,
      `The server redirects to ${server.url} (status 302). Give the connection the address where Sheaf itself answers.`,
    );
    assert.deepEqual(server.calls, [at]);
  });
});

describe('a success', () => {
  const at = 'GET /api/v1/forms/form1/submissions';

  it('without the JSON of Sheaf is a failure that says so', async () => {
    for (const [answer, code, text] of [
      ['', 'empty_response', /^The server answered with an empty response\./],
      ['<html>Sign in</html>', 'unexpected_response', /^The server answered with something that is not JSON\./],
    ] as const) {
      server.routes = { [at]: { status: 200, body: Buffer.from(answer) } };
      const failure = await failureOf(run(triggers.new_submission.operation.performList, bundle()));
      assert.equal(failure.code, code);
      assert.match(failure.message, text);
    }
  });
});

describe('the list of forms', () => {
  const routes = (forms: Record<string, number>, workspaces: unknown = { data: [] }) => ({
    'GET /api/v1/workspaces': { body: workspaces },
    'GET /app/v1/forms': ({ query }: Received) => {
      const place = query.get('workspace_id') ?? (query.has('shared') ? 'shared' : 'all');
      const from = Number(query.get('cursor') ?? 0);
      const to = Math.min(from + Number(query.get('limit')), forms[place] ?? 0);
      const data = Array.from({ length: to - from }, (_, index) => ({ id: `${place}${from + index}`, title: 'Visit', status: 'active' }));
      return { body: { data, next_cursor: to < (forms[place] ?? 0) ? String(to) : null } };
    },
  });
  const pageOf = (page: number) => run(triggers.form.operation.perform, bundle({}, { meta: { page } }));

  it('has the forms of all workspaces and those that others share, a hundred a page', async () => {
    const workspaces = { data: ['field', 'office', 'lab'].map((id) => ({ id, name: id.toUpperCase() })) };
    server.routes = routes({ field: 130, office: 0, lab: 60, shared: 20 }, workspaces);
    const pages = [await pageOf(0), await pageOf(1), await pageOf(2), await pageOf(3)];
    assert.deepEqual(
      pages.map(({ length }) => length),
      [100, 100, 10, 0],
    );
    assert.equal(new Set(pages.flat().map(({ id }) => id)).size, 210);
    assert.deepEqual(pages[1]?.[30], { id: 'lab0', title: 'Visit · LAB' });
    assert.deepEqual(pages[2]?.at(-1), { id: 'shared19', title: 'Visit · shared' });
  });

  it('has titles alone for one workspace, and for a service account, which may lack the scope for workspaces', async () => {
    server.routes = routes({ field: 1 }, { data: [{ id: 'field', name: 'Field' }] });
    assert.deepEqual(await pageOf(0), [{ id: 'field0', title: 'Visit' }]);
    server.routes = { ...routes({ all: 1 }), 'GET /api/v1/workspaces': refusal(403, 'insufficient_scope', 'The key lacks a scope.') };
    assert.deepEqual(await pageOf(0), [{ id: 'all0', title: 'Visit' }]);
  });
});

describe('a hook', () => {
  const { performSubscribe, performUnsubscribe } = triggers.new_submission.operation;

  it('subscribes as zapier to its event of the form', async () => {
    server.routes = { 'POST /api/v1/hooks/subscribe': { status: 201, body: { id: 'hook1' } } };
    for (const [key, event] of [
      ['new_submission', 'submission.created'],
      ['submission_status_changed', 'submission.status_changed'],
      ['submission_deleted', 'submission.deleted'],
    ] as const) {
      const hook = await run(triggers[key].operation.performSubscribe, bundle({}, { targetUrl: 'https://hooks.zapier.com/1' }));
      assert.deepEqual(hook, { id: 'hook1' });
      assert.deepEqual(last().body, { form_id: 'form1', target_url: 'https://hooks.zapier.com/1', event, source: 'zapier' });
    }
  });

  it('makes a webhook of the form for an event that the v1 API does not have, and removes that one', async () => {
    server.routes = {
      'POST /app/v1/forms/form1/webhooks': { status: 201, body: { id: 'hook1' } },
      'DELETE /app/v1/forms/form1/webhooks/hook1': { status: 204 },
    };
    for (const [key, event] of [
      ['submission_restored', 'submission.restored'],
      ['submission_corrected', 'submission.corrected'],
      ['submission_spam_changed', 'submission.spam_changed'],
    ] as const) {
      const { operation } = triggers[key];
      const subscribeData = await run(operation.performSubscribe, bundle({}, { targetUrl: 'https://hooks.zapier.com/1' }));
      assert.deepEqual(last().body, { target_url: 'https://hooks.zapier.com/1', event });
      await run(operation.performUnsubscribe, bundle({ form_id: 'form2' }, { subscribeData }));
      assert.equal(server.calls.at(-1), 'DELETE /app/v1/forms/form1/webhooks/hook1');
    }
  });

  it('unsubscribes, also if the subscription is gone', async () => {
    server.routes = { 'DELETE /api/v1/hooks/hook1': { status: 204 } };
    await run(performUnsubscribe, bundle({}, { subscribeData: { id: 'hook1' } }));
    await run(performUnsubscribe, bundle({}, { subscribeData: { id: 'hook2' } }));
    assert.deepEqual(server.calls, ['DELETE /api/v1/hooks/hook1', 'DELETE /api/v1/hooks/hook2']);
  });

  it('does not take another failure for the end of the subscription', async () => {
    server.routes = { 'DELETE /api/v1/hooks/hook1': refusal(503, 'internal_error', 'Try again.') };
    assert.equal((await failureOf(run(performUnsubscribe, bundle({}, { subscribeData: { id: 'hook1' } })))).message, 'Try again.');
  });

  it('fails to subscribe with the message of the API', async () => {
    server.routes = { 'POST /api/v1/hooks/subscribe': refusal(400, 'bad_request', 'target_url: must be public') };
    assert.equal(
      (await failureOf(run(performSubscribe, bundle({}, { targetUrl: 'https://x.example' })))).message,
      'target_url: must be public',
    );
  });
});

describe('a new submission', () => {
  const { operation } = triggers.new_submission;

  it('has an answer for each field, and references to its files', async () => {
    server.routes = formRoutes;
    const { status: _, ...created } = submission;
    const event = {
      event: 'submission.created',
      form_id: 'form1',
      data: { name: 'Ada', plan: 'file1', photos: ['file2', 'file3'] },
      submission: created,
    };
    const [item] = await run(operation.perform, bundle({}, { cleanedRequest: event }));
    assert.ok(item);
    const { plan, photos, ...answers } = item.answers;
    assert.deepEqual({ ...item, answers }, { ...created, answers: { name: 'Ada', colour: null, days: null, day: null } });
    for (const [reference, id] of [plan, ...(photos as unknown[])].map((each, index) => [String(each), `file${index + 1}`] as const)) {
      assert.match(reference, /^hydrate\|\|\|.*"method":"hydrators\.downloadFile".*\|\|\|hydrate$/);
      assert.ok(reference.includes(`"file_id":"${id}"`) && reference.includes('"form_id":"form1"'), reference);
    }
  });

  it('has outputs with the labels of the fields', async () => {
    server.routes = formRoutes;
    const [, , , , outputs] = operation.outputFields;
    assert.deepEqual(await dynamicFields(outputs, bundle()), [
      { key: 'answers__name', label: 'Your name', type: 'string' },
      { key: 'answers__colour', label: 'Colour', type: 'string' },
      { key: 'answers__days', label: 'Days', type: 'string', list: true },
      { key: 'answers__day', label: 'Day', type: 'string' },
      { key: 'answers__plan', label: 'Plan', type: 'file' },
      { key: 'answers__photos', label: 'Photos', type: 'file', list: true },
    ]);
    assert.deepEqual(await dynamicFields(outputs, bundle({ form_id: '' })), []);
  });
});

describe('a status change', () => {
  it('is an item for each submission of the event', async () => {
    const { perform } = triggers.submission_status_changed.operation;
    const at = { occurred_at: '2026-06-01T12:00:00.123Z' };
    const single = { form_id: 'form1', ...at, submission_id: 'sub1', previous_status: 'new', new_status: 'approved' };
    const bulk = { form_id: 'form1', submission_ids: ['sub1', 'sub2'], new_status: 'archived' };
    assert.deepEqual(await run(perform, bundle({}, { cleanedRequest: single })), [
      { id: 'sub1', form_id: 'form1', previous_status: 'new', new_status: 'approved', ...at },
    ]);
    assert.deepEqual(
      await run(perform, bundle({}, { cleanedRequest: bulk })),
      ['sub1', 'sub2'].map((id) => ({ id, form_id: 'form1', previous_status: null, new_status: 'archived', occurred_at: null })),
    );
  });
});

describe('creating a submission', () => {
  const { operation } = creates.create_submission;

  it('has an input for each field of the form', async () => {
    server.routes = formRoutes;
    const inputs = await dynamicFields(operation.inputFields[1], bundle());
    assert.deepEqual(inputs, [
      { key: 'answer_name', label: 'Your name', type: 'string', required: true, helpText: 'As in your passport' },
      { key: 'answer_colour', label: 'Colour', type: 'string', required: false, choices: [{ value: 'red', sample: 'red', label: 'Red' }] },
      {
        key: 'answer_days',
        label: 'Days',
        type: 'string',
        required: false,
        list: true,
        choices: [{ value: 'mon', sample: 'mon', label: 'Monday' }],
      },
      { key: 'answer_day', label: 'Day', type: 'datetime', required: false },
      { key: 'answer_plan', label: 'Plan', type: 'file', required: false },
      { key: 'answer_photos', label: 'Photos', type: 'file', required: false, list: true },
    ]);
  });

  it('demands an answer only where no other one hides the field or makes it optional, and takes none that is computed', async () => {
    server.routes = { ...formRoutes, 'GET /app/v1/forms/form1/versions/2': { body: conditional } };
    const inputs = await dynamicFields(operation.inputFields[1], bundle());
    assert.deepEqual(Object.fromEntries(inputs.map(({ key, required }) => [key, required])), {
      answer_nps: true,
      answer_source: true,
      answer_source_other: false,
      answer_shown: false,
      answer_offered: false,
      answer_in_section: false,
      answer_after: true,
    });
    assert.equal(inputs[0]?.helpText, 'From 0 (no) to 10 (yes).');
    assert.deepEqual(inputs[1]?.choices, [
      { value: 'web', sample: 'web', label: 'Web' },
      { value: 'other', sample: 'other', label: 'Other' },
    ]);
  });

  it('sends the idempotency key that was mapped, and none without one', async () => {
    server.routes = { ...formRoutes, 'POST /app/v1/forms/form1/submissions': { status: 201, body: { ...submission, data: {} } } };
    const keys = [];
    for (const input of [{ idempotency_key: 4711 }, {}]) {
      await run(operation.perform, bundle(input));
      keys.push(server.received.find(({ method }) => method === 'POST')?.headers['idempotency-key']);
      server.received.length = 0;
    }
    assert.deepEqual(keys, ['4711', undefined]);
  });

  it('sends what was filled in, under the keys of the fields', async () => {
    server.routes = {
      ...formRoutes,
      'POST /app/v1/forms/form1/submissions': ({ body }) => ({ status: 201, body: { ...submission, ...(body as object) } }),
    };
    const input = { answer_name: 'Ada', answer_colour: '', answer_days: ['mon'], answer_day: '2026-03-04T00:00:00+01:00' };
    const created = await run(operation.perform, bundle(input));
    assert.deepEqual(server.received.find(({ method }) => method === 'POST')?.body, {
      data: { name: 'Ada', days: ['mon'], day: '2026-03-04' },
    });
    assert.equal(created.status, 'new');
    assert.equal(created.answers.name, 'Ada');
  });

  it('uploads the files, and shows the key to Sheaf only', async () => {
    server.routes = {
      ...formRoutes,
      'GET /elsewhere/plan.pdf': { body: Buffer.from('%PDF'), headers: { 'content-type': 'application/pdf' } },
      'POST /public/v1/forms/form1/files': { status: 201, body: { file_id: 'file1' } },
      'POST /app/v1/forms/form1/submissions': { status: 201, body: { ...submission, data: {} } },
    };
    await run(operation.perform, bundle({ answer_plan: `${server.url}/elsewhere/plan.pdf` }));
    const [fetched, uploaded, created] = ['/elsewhere/plan.pdf', '/public/v1/forms/form1/files', '/app/v1/forms/form1/submissions'].map(
      (path) => server.received.find((request) => request.path === path),
    );
    assert.ok(fetched && uploaded && created);
    assert.equal(fetched.headers.authorization, undefined);
    assert.equal(uploaded.query.get('field'), 'plan');
    assert.match(String(uploaded.body), /name="file"; filename="plan\.pdf"\r\nContent-Type: application\/pdf\r\n\r\n%PDF\r\n/);
    assert.deepEqual(created.body, { data: { plan: 'file1' } });
  });
});

describe('other actions and searches', () => {
  it('change the status of a submission', async () => {
    server.routes = {
      ...formRoutes,
      'PATCH /api/v1/forms/form1/submissions/sub1/status': { body: { ...submission, data: {}, status: 'approved' } },
    };
    const changed = await run(creates.change_status.operation.perform, bundle({ submission_id: 'sub1', status: 'approved' }));
    assert.equal(changed.status, 'approved');
    assert.deepEqual(server.received[0]?.body, { status: 'approved' });
  });

  it('find a submission by its id, and none if there is none', async () => {
    server.routes = { ...formRoutes, 'GET /api/v1/forms/form1/submissions/sub1': { body: { ...submission, data: { name: 'Ada' } } } };
    const { perform } = searches.find_submission.operation;
    const found = (await run(perform, bundle({ submission_id: 'sub1' }))) as { id: string }[];
    assert.deepEqual(
      found.map(({ id }) => id),
      ['sub1'],
    );
    assert.deepEqual(await run(perform, bundle({ submission_id: '../../people/1' })), []);
    assert.equal(last().path, '/api/v1/forms/form1/submissions/..%2F..%2Fpeople%2F1');
  });

  it('find submissions by words and status, beyond pages that are empty', async () => {
    server.routes = {
      ...formRoutes,
      'GET /app/v1/forms/form1/submissions': ({ query }) => ({
        body: query.has('cursor') ? { data: [{ ...submission, data: {} }], next_cursor: null } : { data: [], next_cursor: 'c1' },
      }),
    };
    const found = (await run(searches.find_submission.operation.perform, bundle({ words: 'ada*', status: 'new' }))) as unknown[];
    assert.equal(found.length, 1);
    assert.equal(server.received[1]?.query.toString(), 'limit=10&q=ada*&status=new&cursor=c1');
  });

  it('find a form by its title, in any workspace, with the properties of the sample', async () => {
    const { sample } = searches.find_form.operation;
    server.routes = {
      'GET /api/v1/workspaces': { body: { data: [{ id: 'field', name: 'Field' }] } },
      'GET /app/v1/forms': ({ query }) => ({
        body: { data: query.get('workspace_id') === 'field' ? [{ ...sample, favorite: true }] : [], next_cursor: null },
      }),
    };
    assert.deepEqual(await run(searches.find_form.operation.perform, bundle({ title: 'vis' })), [sample]);
    assert.ok(server.received.slice(1).every(({ query }) => query.get('q') === 'vis'));
  });
});
