import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { NodeApiError } from 'n8n-workflow';
import { N8n, picked } from '../support/n8n';
import { refusal, ScriptedServer, type Received } from '../support/servers';

const fields = [
  { type: 'page', label: 'About you' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'colour', label: 'Colour', type: 'select', required: false, options: [{ value: 'red', label: 'Red' }] },
  { key: 'day', label: 'Day', type: 'date', required: false },
  { key: 'stars', label: 'Stars', type: 'rating', required: false },
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

const server = new ScriptedServer({});
const started = server.start();
after(() => server.close());
beforeEach(() => {
  server.routes = {};
  server.received.length = 0;
});

const n8n = async () => N8n.with({ url: `${(await started).url}/ `, apiKey: 'shf_u_secret' });
const last = (): Received => {
  const received = server.received.at(-1);
  assert.ok(received);
  return received;
};

describe('the credential', () => {
  it('sends the key, and works for a URL with a slash and a space at its end', async () => {
    server.routes = formRoutes;
    await (await n8n()).execute({ resource: 'form', operation: 'get', formId: picked('form1') });
    assert.equal(last().headers.authorization, 'Bearer shf_u_secret');
  });

  it('does not follow a redirect, which could take the key elsewhere', async () => {
    server.routes = { 'GET /app/v1/forms/form1/submissions/sub1': { status: 302, headers: { location: `${server.url}/elsewhere` } } };
    const run = (await n8n()).execute({ resource: 'submission', operation: 'get', formId: picked('form1'), submissionId: 'sub1' });
    await assert.rejects(run, {
      httpCode: '302',
      message: `The server redirects to ${server.url}`,
      description: 'Status 302. Give the credential the address where Sheaf itself answers.',
    });
    assert.equal(server.received.length, 1);
  });
});

describe('a success', () => {
  it('without the JSON of Sheaf is a failure that says so', async () => {
    for (const [body, message] of [
      ['', 'Sheaf answered with nothing'],
      ['<html>Sign in</html>', 'The answer is not JSON'],
    ] as const) {
      server.routes = { 'GET /app/v1/forms/form1/submissions/sub1': { status: 200, body: Buffer.from(body) } };
      const run = (await n8n()).execute({ resource: 'submission', operation: 'get', formId: picked('form1'), submissionId: 'sub1' });
      await assert.rejects(run, {
        message,
        description: "Status 200. Check the URL of the credential: the response is not one of Sheaf's.",
      });
    }
  });
});

describe('the form picker', () => {
  const workspaces = (...names: string[]) => ({
    'GET /api/v1/workspaces': { body: { data: names.map((name) => ({ id: name.toLowerCase(), name })) } },
  });
  /** The forms of a workspace, in pages of the size that is asked for. */
  const formsOf =
    (forms: Record<string, string[]>) =>
    ({ query }: Received) => {
      const titles = forms[query.get('workspace_id') ?? (query.has('shared') ? 'shared' : 'all')] ?? [];
      const from = Number(query.get('cursor') ?? 0);
      const to = from + Number(query.get('limit'));
      const data = titles.slice(from, to).map((title) => ({ id: title, title }));
      return { body: { data, next_cursor: to < titles.length ? String(to) : null } };
    };
  const many = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name} ${index}`);

  it('shows titles alone where there is one workspace', async () => {
    server.routes = { ...workspaces('Field'), 'GET /app/v1/forms': formsOf({ field: ['Visit'] }) };
    assert.deepEqual(await (await n8n()).pick('vis'), { results: [{ name: 'Visit', value: 'Visit' }] });
    assert.equal(last().query.get('q'), 'vis');
  });

  it('goes through all workspaces and what others share, page by page, without missing a form', async () => {
    const forms = { field: many('field', 70), office: [], lab: many('lab', 30), shared: many('theirs', 3) };
    server.routes = { ...workspaces('Field', 'Office', 'Lab'), 'GET /app/v1/forms': formsOf(forms) };
    const node = await n8n();
    const names: string[] = [];
    let page: string | undefined;
    do {
      const { results, paginationToken } = await node.pick('', page);
      names.push(...results.map(({ name }) => name));
      page = paginationToken as string | undefined;
    } while (page !== undefined);
    const placed = (titles: string[], place: string) => titles.map((title) => `${title} · ${place}`);
    assert.deepEqual(names, [...placed(forms.field, 'Field'), ...placed(forms.lab, 'Lab'), ...placed(forms.shared, 'shared')]);
  });

  it('shows everything to a service account, also without the scope for workspaces', async () => {
    server.routes = {
      'GET /api/v1/workspaces': refusal(403, 'insufficient_scope', 'The key lacks a scope.'),
      'GET /app/v1/forms': formsOf({ all: ['Visit'] }),
    };
    assert.deepEqual(await (await n8n()).pick(), { results: [{ name: 'Visit', value: 'Visit' }] });
  });

  it('fails if the workspaces cannot be read for another reason', async () => {
    server.routes = { 'GET /api/v1/workspaces': refusal(503, 'unavailable', 'Try again later.'), 'GET /app/v1/forms': formsOf({}) };
    await assert.rejects((await n8n()).pick(), { httpCode: '503' });
  });

  it('goes on after a page without forms', async () => {
    server.routes = {
      ...workspaces('Field'),
      'GET /app/v1/forms': ({ query }) => {
        if (query.has('shared')) return { body: { data: [], next_cursor: null } };
        return { body: query.has('cursor') ? { data: [{ id: 'b', title: 'B' }], next_cursor: null } : { data: [], next_cursor: 'c1' } };
      },
    };
    assert.deepEqual((await (await n8n()).pick()).results, [{ name: 'B', value: 'b' }]);
  });

  it('encodes an id, so that it cannot reach another resource', async () => {
    const run = (await n8n()).execute({
      resource: 'submission',
      operation: 'get',
      formId: picked('form1'),
      submissionId: '../../people/p1',
    });
    await assert.rejects(run, { httpCode: '404' });
    assert.deepEqual(server.calls, ['GET /app/v1/forms/form1/submissions/..%2F..%2Fpeople%2Fp1']);
  });
});

describe('fields of the form', () => {
  it('are the columns of a new submission, with their labels, options and types', async () => {
    server.routes = formRoutes;
    const { fields: columns } = await (await n8n()).mapperFields('form1');
    assert.deepEqual(
      columns.map(({ id, displayName, required, type, options }) => ({ id, displayName, required, type, options })),
      [
        { id: 'name', displayName: 'Your name', required: true, type: 'string', options: undefined },
        { id: 'colour', displayName: 'Colour', required: false, type: 'options', options: [{ name: 'Red', value: 'red' }] },
        { id: 'day', displayName: 'Day (YYYY-MM-DD)', required: false, type: 'string', options: undefined },
        { id: 'stars', displayName: 'Stars (1 – 5)', required: false, type: 'number', options: undefined },
      ],
    );
  });

  it('are required only where no other answer hides them or makes them optional, and computed ones are no columns', async () => {
    server.routes = { ...formRoutes, 'GET /app/v1/forms/form1/versions/2': { body: conditional } };
    const { fields: columns } = await (await n8n()).mapperFields('form1');
    assert.deepEqual(Object.fromEntries(columns.map(({ displayName, required }) => [displayName, required])), {
      'Would you recommend us? (0: no – 10: yes)': true,
      Source: true,
      'Other: Source': false,
      Shown: false,
      Offered: false,
      'In the section': false,
      After: true,
    });
    assert.deepEqual(columns.find(({ id }) => id === 'source')?.options, [
      { name: 'Web', value: 'web' },
      { name: 'Other', value: 'other' },
    ]);
  });

  it('are none before the form is published', async () => {
    server.routes = { 'GET /api/v1/forms/form1': { body: { id: 'form1', current_version: 0 } } };
    const { fields: columns, emptyFieldsNotice } = await (await n8n()).mapperFields('form1');
    assert.deepEqual(columns, []);
    assert.match(emptyFieldsNotice ?? '', /publish it first/);
  });

  it('are named in the conditions of a search', async () => {
    server.routes = formRoutes;
    assert.deepEqual((await (await n8n()).fieldOptions('getFilterFields', 'form1'))[0], {
      name: 'Your name',
      value: 'name',
      description: 'name',
    });
  });
});

describe('creating a submission', () => {
  const create = {
    resource: 'submission',
    operation: 'create',
    formId: picked('form1'),
    answers: {
      mappingMode: 'defineBelow',
      value: { name: 'Ada', stars: '5', day: '', colour: null },
      schema: [
        { id: 'name', type: 'string' },
        { id: 'stars', type: 'number' },
        { id: 'day', type: 'string' },
        { id: 'colour', type: 'string' },
      ],
    },
  };
  const routes = { 'POST /app/v1/forms/form1/submissions': { status: 201, body: { id: 'sub1' } } };

  it('sends the answers in the types of their fields, without those that are empty', async () => {
    server.routes = routes;
    const [item] = await (await n8n()).execute(create);
    assert.deepEqual(last().body, { data: { name: 'Ada', stars: 5 } });
    assert.deepEqual(item, { json: { id: 'sub1' }, pairedItem: { item: 0 } });
  });

  it('takes the answers from the input items, and only those of the form', async () => {
    server.routes = routes;
    const mapped = { ...create, answers: { ...create.answers, mappingMode: 'autoMapInputData', value: null } };
    await (await n8n()).execute(mapped, { items: [{ name: 'Ada', unknown: 1 }] });
    assert.deepEqual(last().body, { data: { name: 'Ada' } });
  });

  it('has the same idempotency key when n8n tries an item again, and another for other items and executions', async () => {
    server.routes = routes;
    const node = await n8n();
    await node.execute(create, { items: [{}, {}] });
    await node.execute(create, { items: [{}, {}] });
    await node.execute(create, { executionId: '2' });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(keys.slice(0, 2), keys.slice(2, 4));
    assert.equal(new Set(keys).size, 3);
  });

  it('has the idempotency key that was chosen, also if it is a number', async () => {
    server.routes = routes;
    await (await n8n()).execute({ ...create, options: { idempotencyKey: '={{ 4711 }}' } });
    assert.equal(last().headers['idempotency-key'], '4711');
  });
});

describe('a list of submissions', () => {
  const all = Array.from({ length: 250 }, (_, index) => ({ id: `sub${index}` }));
  const routes = {
    'GET /app/v1/forms/form1/submissions': ({ query }: Received) => {
      const from = Number(query.get('cursor') ?? 0);
      const to = from + Number(query.get('limit'));
      return { body: { data: all.slice(from, to), next_cursor: to < all.length ? String(to) : null } };
    },
  };
  const list = { resource: 'submission', operation: 'getAll', formId: picked('form1') };

  it('is read to its end', async () => {
    server.routes = routes;
    assert.equal((await (await n8n()).execute({ ...list, returnAll: true })).length, 250);
    assert.equal(server.received.length, 3);
  });

  it('ends at the limit, without reading more', async () => {
    server.routes = routes;
    assert.equal((await (await n8n()).execute({ ...list, returnAll: false, limit: 120 })).length, 120);
    assert.deepEqual(
      server.received.map(({ query }) => query.get('limit')),
      ['100', '20'],
    );
  });

  it('can be searched', async () => {
    server.routes = routes;
    const conditions = { condition: [{ field: 'age', operator: 'gte', value: '18' }] };
    await (await n8n()).execute({ ...list, operation: 'search', query: 'garden', conditions, limit: 1, filters: { status: ['new'] } });
    assert.equal(last().query.toString(), 'q=garden&status=new&filter%5Bage%5D%5Bgte%5D=18&limit=1');
  });
});

describe('other operations', () => {
  it('change the status of a submission', async () => {
    server.routes = { 'PATCH /api/v1/forms/form1/submissions/sub1/status': { body: { id: 'sub1', status: 'approved' } } };
    const change = { resource: 'submission', operation: 'updateStatus', formId: picked('form1'), submissionId: 'sub1', status: 'approved' };
    assert.deepEqual((await (await n8n()).execute(change))[0]?.json, { id: 'sub1', status: 'approved' });
    assert.deepEqual(last().body, { status: 'approved' });
  });

  it('download a file with its name and type', async () => {
    const content = Buffer.from([0, 255, 10, 13, 0]);
    server.routes = {
      'GET /app/v1/forms/form1/files/file1': {
        body: content,
        headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="plan.png"' },
      },
    };
    const [item] = await (await n8n()).execute({ resource: 'file', operation: 'download', formId: picked('form1'), fileId: 'file1' });
    const binary = item?.binary?.data;
    assert.equal(binary?.fileName, 'plan.png');
    assert.equal(binary.mimeType, 'image/png');
    assert.deepEqual(Buffer.from(binary.data, 'base64'), content);
  });

  it('get a form with its fields, and the forms by their title', async () => {
    server.routes = {
      ...formRoutes,
      'GET /api/v1/workspaces': { body: { data: [] } },
      'GET /app/v1/forms': { body: { data: [{ id: 'form1' }], next_cursor: null } },
    };
    const node = await n8n();
    const [form] = await node.execute({ resource: 'form', operation: 'get', formId: picked('form1') });
    assert.equal((form?.json.fields as object[]).length, 4);
    assert.deepEqual((await node.execute({ resource: 'form', operation: 'getAll', filters: { q: 'visit' } }))[0]?.json, { id: 'form1' });
    assert.equal(last().query.get('q'), 'visit');
  });
});

describe('a failure', () => {
  const get = { resource: 'submission', operation: 'get', formId: picked('form1'), submissionId: 'sub1' };
  const at = 'GET /app/v1/forms/form1/submissions/sub1';

  it('has the message and the code of the API', async () => {
    server.routes = { [at]: refusal(403, 'insufficient_scope', 'This needs the scope submissions:read.') };
    await assert.rejects((await n8n()).execute(get), (error) => {
      assert.ok(error instanceof NodeApiError);
      assert.equal(error.message, 'This needs the scope submissions:read.');
      assert.equal(error.httpCode, '403');
      assert.equal(error.context.code, 'insufficient_scope');
      assert.match(error.description ?? '', /^Status 403, code insufficient_scope\. Give the service account this scope/);
      return true;
    });
  });

  it('says to check the key after a 401, and the URL after a response that is not of the API', async () => {
    server.routes = { [at]: refusal(401, 'unauthorized', 'The key is not valid.') };
    await assert.rejects((await n8n()).execute(get), { description: /Check the API key of the credential/ });
    server.routes = { [at]: { status: 502, body: Buffer.from('<html>Bad gateway</html>') } };
    await assert.rejects((await n8n()).execute(get), {
      message: 'Sheaf answered with status 502',
      description: /Check the URL of the credential/,
    });
  });

  it('of a download has the message of the API, too', async () => {
    server.routes = { 'GET /app/v1/forms/form1/files/file1': refusal(404, 'not_found', 'The file does not exist.') };
    const run = (await n8n()).execute({ resource: 'file', operation: 'download', formId: picked('form1'), fileId: 'file1' });
    await assert.rejects(run, { message: 'The file does not exist.' });
  });

  it('becomes an item if the node goes on', async () => {
    server.routes = { [at]: refusal(404, 'not_found', 'The submission does not exist.') };
    const results = await (await n8n()).execute(get, { items: [{}, {}], onError: 'continueRegularOutput' });
    assert.deepEqual(
      results.map(({ json, pairedItem }) => ({ json, pairedItem })),
      [0, 1].map((item) => ({ json: { error: 'The submission does not exist.', code: 'not_found', status: 404 }, pairedItem: { item } })),
    );
    assert.ok(results[0]?.error instanceof NodeApiError);
  });

  it('of the network is one of the node', async () => {
    const node = await N8n.with({ url: 'http://127.0.0.1:1', apiKey: 'shf_u_secret' });
    await assert.rejects(node.execute(get), NodeApiError);
  });
});
