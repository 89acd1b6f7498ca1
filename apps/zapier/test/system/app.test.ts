import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, dynamicFields, failureOf, run } from '../support/app.js';
import { hookReceiver, ScriptedServer, type HookReceiver } from '../support/servers.js';
import { connection, publishForm, request, submit, uploadFile } from '../support/sheaf.js';

const { triggers, creates, searches, authentication } = app;
const fields = [
  { type: 'section', label: 'About you' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'colour', label: 'Colour', type: 'select', options: [{ value: 'red', label: 'Deep red' }, 'blue'] },
  { key: 'days', label: 'Days', type: 'multi_select', options: ['mon', 'tue'] },
  { key: 'age', label: 'Age', type: 'integer' },
  { key: 'day', label: 'Day', type: 'date' },
  { key: 'plan', label: 'Plan', type: 'file' },
];

/** A form with the kinds of items that are more than a question with an answer. */
const manyKinds = [
  { type: 'statement', label: 'Welcome to **our** workshop' },
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
  { key: 'source', label: 'Source', type: 'select', required: true, options: ['web'], other: { label: 'Something else' } },
  { key: 'seat', label: 'Seat', type: 'select', options: [{ value: 'front', label: 'Front', limit: 1 }, 'back'] },
  { key: 'why', label: 'Why?', type: 'short_text', required: true, visible_if: { key: 'nps', lt: 7 } },
  { key: 'price', label: 'Price', type: 'calculated', formula: 'nps * 2' },
  { type: 'check', at: 'seat', if: { key: 'nps', lt: 1 }, message: 'Nobody sits there' },
  { type: 'ending', name: 'invited', if: { key: 'nps', gte: 9 }, title: 'Come again' },
];

let formId: string;
let receiver: HookReceiver;
before(async () => {
  receiver = await hookReceiver();
  formId = await publishForm('Zap survey', fields);
});
after(() => receiver.close());

const bundle = (inputData: Record<string, unknown> = {}, more: object = {}) => ({
  authData: { ...connection },
  inputData: { form_id: formId, ...inputData },
  ...more,
});

/** The names of all properties, at any depth. */
const shape = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
    : null;

async function eventually<T>(look: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  const until = Date.now() + 20_000;
  for (;;) {
    const found = await look();
    if (isThere(found) || Date.now() > until) return found;
    await sleep(100);
  }
}

describe('the app with a running system', () => {
  it('connects with a key, and asks for another one if it is wrong', async () => {
    const me = await run(authentication?.test as never, bundle());
    assert.deepEqual(Object.keys(me as object).sort(), ['email', 'id', 'name']);
    const wrong = { ...bundle(), authData: { ...connection, api_key: 'shf_u_wrong' } };
    assert.equal((await failureOf(run(authentication?.test as never, wrong))).name, 'ExpiredAuthError');
  });

  it('lists forms to pick from, and finds one by its title', async () => {
    const listed = await run(triggers.form.operation.perform, bundle({}, { meta: { page: 0 } }));
    assert.deepEqual(
      listed.find(({ id }) => id === formId),
      { id: formId, title: 'Zap survey' },
    );
    assert.deepEqual(await run(triggers.form.operation.perform, bundle({}, { meta: { page: 1 } })), []);
    const [found] = (await run(searches.find_form.operation.perform, bundle({ title: 'ZAP s' }))) as { id: string }[];
    assert.equal(found?.id, formId);
    assert.deepEqual(shape(found), shape(searches.find_form.operation.sample));
  });

  it('receives new submissions in exactly the shape of the list, until it unsubscribes', async () => {
    const { performSubscribe, performUnsubscribe, perform, performList } = triggers.new_submission.operation;
    const subscribeData = await run(performSubscribe, bundle({}, { targetUrl: receiver.url }));
    const fileId = await uploadFile(formId, 'plan', { name: 'plan.txt', type: 'text/plain', content: Buffer.from('A plan') });
    const full = await submit(formId, { name: 'Ada', colour: 'red', days: ['mon'], age: 36, plan: fileId });
    const [cleanedRequest] = await receiver.arrived(1);

    const [item] = await run(perform, bundle({}, { cleanedRequest }));
    assert.ok(item);
    const { plan, ...answers } = item.answers;
    assert.deepEqual(answers, { name: 'Ada', colour: 'red', days: ['mon'], age: 36, day: null });
    assert.match(String(plan), /^hydrate\|\|\|/);

    const sparse = await submit(formId, { name: 'Grace' });
    const [, second] = await receiver.arrived(2);
    const [sparseItem] = await run(perform, bundle({}, { cleanedRequest: second }));
    const listed = await run(performList, bundle());
    assert.deepEqual(
      listed.map(({ id }) => id),
      [sparse, full],
    );
    assert.deepEqual(shape(listed[0]), shape(sparseItem));
    assert.deepEqual(shape(listed[1]), shape(item));
    assert.deepEqual({ ...listed[1], answers: { ...listed[1]?.answers, plan } }, item);
    assert.deepEqual(Object.keys(item), Object.keys(triggers.new_submission.operation.sample));

    await run(performUnsubscribe, bundle({}, { subscribeData }));
    assert.deepEqual((await request<{ data: unknown[] }>('GET', `/app/v1/forms/${formId}/webhooks`)).data, []);
    await run(performUnsubscribe, bundle({}, { subscribeData }));
  });

  it('receives status changes and deletions in exactly the shape of the lists', async () => {
    const id = await submit(formId, { name: 'Status' });
    const hooks = await hookReceiver();
    const { submission_status_changed: changed, submission_deleted: deleted } = triggers;
    const subscribed = [];
    for (const { operation } of [changed, deleted])
      subscribed.push(await run(operation.performSubscribe, bundle({}, { targetUrl: hooks.url })));

    await request('PATCH', `/api/v1/forms/${formId}/submissions/${id}/status`, { status: 'in_review' });
    const [change] = await hooks.arrived(1);
    const changes = await run(changed.operation.perform, bundle({}, { cleanedRequest: change }));
    const { occurred_at } = change as { occurred_at: string };
    assert.deepEqual(changes, [{ id, form_id: formId, previous_status: 'new', new_status: 'in_review', occurred_at }]);
    assert.deepEqual(await run(changed.operation.performList, bundle()), changes);
    assert.deepEqual(shape(changes[0]), shape(changed.operation.sample));

    await request('DELETE', `/api/v1/forms/${formId}/submissions/${id}`);
    const [, deletion] = await hooks.arrived(2);
    const deletions = await run(deleted.operation.perform, bundle({}, { cleanedRequest: deletion }));
    assert.deepEqual(deletions, [{ id, form_id: formId, occurred_at: (deletion as { occurred_at: string }).occurred_at }]);
    assert.deepEqual(await run(deleted.operation.performList, bundle()), deletions);
    assert.deepEqual(shape(deletions[0]), shape(deleted.operation.sample));

    for (const subscribeData of subscribed) await run(changed.operation.performUnsubscribe, bundle({}, { subscribeData }));
    await hooks.close();
  });

  it('receives corrections, restorations and verdicts about spam in the shape of the samples', async () => {
    const id = await submit(formId, { name: 'Late' });
    const hooks = await hookReceiver();
    const { submission_corrected: corrected, submission_restored: restored, submission_spam_changed: spam } = triggers;
    const { performUnsubscribe } = corrected.operation;
    const subscribed: Awaited<ReturnType<typeof corrected.operation.performSubscribe>>[] = [];
    for (const { operation } of [corrected, restored, spam])
      subscribed.push(await run(operation.performSubscribe, bundle({}, { targetUrl: hooks.url })));

    const place = `/app/v1/forms/${formId}/submissions/${id}`;
    await request('PATCH', place, { data: { name: 'In time' }, revision: 0 });
    const [correction] = await hooks.arrived(1);
    const [item] = await run(corrected.operation.perform, bundle({}, { cleanedRequest: correction }));
    assert.deepEqual([item?.id, item?.form_id, item?.status, item?.revision, item?.changed], [id, formId, 'new', 1, ['name']]);
    assert.deepEqual(shape(item), shape(corrected.operation.sample));

    await request('DELETE', `/api/v1/forms/${formId}/submissions/${id}`);
    await request('POST', `${place}/restore`);
    const [, back] = await hooks.arrived(2);
    const [restoredItem] = await run(restored.operation.perform, bundle({}, { cleanedRequest: back }));
    assert.equal(restoredItem?.id, id);
    assert.deepEqual(shape(restoredItem), shape(restored.operation.sample));

    await request('PUT', `${place}/spam`, { spam: true });
    const [, , verdict] = await hooks.arrived(3);
    const [spamItem] = await run(spam.operation.perform, bundle({}, { cleanedRequest: verdict }));
    assert.deepEqual([spamItem?.id, spamItem?.spam], [id, true]);
    assert.deepEqual(shape(spamItem), shape(spam.operation.sample));

    for (const subscribeData of subscribed) await run(performUnsubscribe, bundle({}, { subscribeData }));
    await hooks.close();
  });

  it('receives an item for each submission of a change of several', async () => {
    const ids = [await submit(formId, { name: 'One' }), await submit(formId, { name: 'Two' })];
    const hooks = await hookReceiver();
    const { operation } = triggers.submission_status_changed;
    const subscribeData = await run(operation.performSubscribe, bundle({}, { targetUrl: hooks.url }));
    await request('POST', `/app/v1/forms/${formId}/submissions/bulk-status`, { submission_ids: ids, status: 'archived' });
    const [cleanedRequest] = await hooks.arrived(1);
    const items = await run(operation.perform, bundle({}, { cleanedRequest }));
    assert.deepEqual(items.map((item) => item.id).sort(), ids.toSorted());
    assert.deepEqual(
      items.map(({ previous_status, new_status }) => [previous_status, new_status]),
      [
        [null, 'archived'],
        [null, 'archived'],
      ],
    );
    await run(operation.performUnsubscribe, bundle({}, { subscribeData }));
    await hooks.close();
  });

  it('creates a submission by the inputs of the form, with a file', async () => {
    const files = await new ScriptedServer({
      'GET /a%20plan.txt': { body: Buffer.from('Another plan'), headers: { 'content-type': 'text/plain' } },
    }).start();
    const inputs = await dynamicFields(creates.create_submission.operation.inputFields[1], bundle());
    assert.deepEqual(
      inputs.map(({ key, required }) => [key, required]),
      ['name', 'colour', 'days', 'age', 'day', 'plan'].map((key) => [`answer_${key}`, key === 'name']),
    );

    const input = {
      answer_name: 'Grace',
      answer_colour: 'blue',
      answer_days: ['mon', 'tue'],
      answer_age: 50,
      answer_day: '2026-03-04T00:00:00+01:00',
      answer_plan: `${files.url}/a%20plan.txt`,
    };
    const created = await run(creates.create_submission.operation.perform, bundle(input));
    const { plan, ...answers } = created.answers;
    assert.deepEqual(answers, { name: 'Grace', colour: 'blue', days: ['mon', 'tue'], age: 50, day: '2026-03-04' });
    assert.deepEqual(Object.keys(created).sort(), Object.keys(creates.create_submission.operation.sample).sort());

    const fileId = /"file_id":"([^"]+)"/.exec(String(plan))?.[1] ?? '';
    const response = await fetch(`${connection.url}/app/v1/forms/${formId}/files/${fileId}`, {
      headers: { authorization: `Bearer ${connection.api_key}` },
    });
    assert.equal(await response.text(), 'Another plan');
    assert.match(response.headers.get('content-disposition') ?? '', /a plan\.txt/);
    await files.close();
  });

  it('creates a submission of a form with every kind of item, and receives it', async () => {
    const many = await publishForm('Many kinds', manyKinds);
    const of = (more: object = {}) => bundle({ form_id: many, ...more });
    const inputs = await dynamicFields(creates.create_submission.operation.inputFields[1], of());
    assert.deepEqual(Object.fromEntries(inputs.map(({ key, required }) => [key, required])), {
      answer_nps: true,
      answer_source: true,
      answer_source_other: false,
      answer_seat: false,
      answer_why: false,
    });
    const input = { answer_nps: 9, answer_source: 'other', answer_source_other: 'A poster', answer_seat: 'front', answer_why: '' };
    const created = await run(creates.create_submission.operation.perform, of(input));
    const answers = { nps: 9, source: 'other', source_other: 'A poster', seat: 'front', why: null, price: 18 };
    assert.deepEqual(created.answers, answers);
    const [listed] = await run(triggers.new_submission.operation.performList, of());
    assert.deepEqual(listed?.answers, answers);
  });

  it('passes on why answers are refused', async () => {
    const { status, code, message } = await failureOf(
      run(creates.create_submission.operation.perform, bundle({ answer_name: 'x', answer_age: 'old' })),
    );
    assert.deepEqual({ status, code }, { status: 400, code: 'bad_request' });
    assert.match(message, /age/);
  });

  it('changes the status of a submission, and finds it by id, words and status', async () => {
    const id = await submit(formId, { name: 'Findable Person' });
    const changed = await run(creates.change_status.operation.perform, bundle({ submission_id: id, status: 'approved' }));
    assert.equal(changed.status, 'approved');

    const find = (more: Record<string, unknown>) =>
      run(searches.find_submission.operation.perform, bundle(more)) as Promise<{ id: string }[]>;
    for (const more of [{ submission_id: id }, { status: 'approved' }, { words: 'findab*' }]) {
      const found = await eventually(
        () => find(more),
        (items) => items.length > 0,
      );
      assert.deepEqual(
        found.map((item) => item.id),
        [id],
      );
      assert.deepEqual(shape(found[0]), shape(changed));
    }
    assert.deepEqual(await find({ submission_id: 'unknown' }), []);
    assert.deepEqual(await find({ words: 'nobody-has-this' }), []);
  });
});
