import { callAs, eventually, refused } from '@sheaf/testing';
import { aForm, announced, client, db, editor, forms, instanceId, subscribe, useService, viewer, workspaceId } from './stage';

useService();

const target_url = 'https://hooks.example.org/a';
const created = 'submission.created';
const aQuestioned = () =>
  aForm({
    fields: [
      { key: 'country', label: 'Country', type: 'select', required: false, options: [{ value: 'DE', label: 'Germany' }] },
      { key: 'age', label: 'Age', type: 'number', required: false },
    ],
  });
const asMessage = ({ filter, fields, batch, ...given }: Record<string, unknown>) => ({
  ...given,
  ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }),
  ...(fields === undefined ? {} : { fields: JSON.stringify(fields) }),
  ...(batch === undefined ? {} : { batch: JSON.stringify(batch) }),
});
const create = (form_id: string, given: Record<string, unknown>, as = editor) =>
  client.createWebhookWithOptions(callAs(as), { form_id, target_url, event: created, ...asMessage(given) });
const update = (form_id: string, id: string, patch: Record<string, unknown>) =>
  client.updateWebhookWithOptions(callAs(editor), { form_id, id, ...asMessage(patch) });
const inForm = (form_id: string) =>
  client.listListeners(callAs({ kind: 'service', id: 'delivery' }), { topics: [{ instance_id: instanceId, form_id, event: created }] });
const germans = { answers: [{ key: 'country', equals: 'DE' }] };

it('a webhook with a filter and chosen fields shows them, and is off to a version that would send without them', async () => {
  const form_id = aQuestioned();
  const { id } = await create(form_id, { filter: germans, fields: ['age'] });
  const options = JSON.stringify({ fields: ['age'], filter: germans });
  for (const as of [editor, viewer])
    expect(await client.getWebhook(callAs(as), { form_id, id })).toMatchObject({ filter: JSON.stringify(germans), fields: '["age"]' });
  expect(await inForm(form_id)).toMatchObject({ listeners: [], inactive: [{ id, options, active_with_options: true }] });
  await eventually(() => expect(announced(id)).toMatchObject([{ id, state: 'inactive', state_with_options: 'active', options }]));
});

it('a change leaves what it does not name, and null removes it', async () => {
  const form_id = aQuestioned();
  const { id } = await create(form_id, { filter: germans, fields: [] });
  await update(form_id, id, { fields: ['age'] });
  await client.updateWebhook(callAs(editor), { form_id, id, payload: 'named' });
  expect(await client.getWebhook(callAs(editor), { form_id, id })).toMatchObject({ filter: JSON.stringify(germans), fields: '["age"]' });
  await update(form_id, id, { filter: null });
  await update(form_id, id, { fields: null });
  await expect(db('subscription').where({ id })).resolves.toMatchObject([{ options: null, subscriber_id: editor.id }]);
});

it('a webhook with batches has the limits that it does not name, and a change of another option keeps them', async () => {
  const form_id = aQuestioned();
  const { id } = await create(form_id, { batch: { max_seconds: 30 } });
  await update(form_id, id, { fields: ['age'] });
  const batch = { max_events: 100, max_seconds: 30 };
  expect(await client.getWebhook(callAs(viewer), { form_id, id })).toMatchObject({ batch: JSON.stringify(batch), fields: '["age"]' });
  await eventually(() =>
    expect(announced(id).at(-1)).toMatchObject({ state: 'inactive', options: JSON.stringify({ fields: ['age'], batch }) }),
  );
  await update(form_id, id, { batch: null });
  expect(await client.getWebhook(callAs(viewer), { form_id, id })).not.toHaveProperty('batch');
});

it('the subscription of a platform cannot have batches', async () => {
  const form_id = aForm();
  const { id } = await subscribe({ form_id });
  await expect(update(form_id, id, { batch: {} })).rejects.toEqual(
    refused('bad_request', 'batch: can only be changed for webhooks created in the application'),
  );
});

it.each([
  [{ batch: { max_events: 101 } }, 'batch.max_events: must be a whole number between 1 and 100'],
  [{ fields: ['age', 'agee'] }, 'fields.1: no version of the form has this field'],
  [{ filter: { answers: [{ key: 'agee', equals: 1 }] } }, 'filter.answers.0.key: no version of the form has this field'],
  [
    { filter: { answers: [{ key: 'country', equals: 'Germany' }] } },
    'filter.answers.0.equals: must be the value of an option, as "country" is of type select',
  ],
  [{ filter: { answers: [{ key: 'age', equals: 'old' }] } }, 'filter.answers.0.equals: must be a number, as "age" is of type number'],
  [
    { filter: { statuses: ['approved'] } },
    'filter.statuses: cannot decide about submission.created, which has no status; listen to none but submission.status_changed, submission.restored, submission.corrected, submission.spam_changed',
  ],
  [
    { event: '', events: [created, 'submission.deleted'], filter: germans },
    'filter.answers: cannot decide about submission.deleted, which has no answers; listen to submission.created alone',
  ],
  [
    { event: '', events: [created, 'submission.corrected'], filter: germans },
    'filter.answers: cannot decide about submission.corrected, which has no answers; listen to submission.created alone',
  ],
])('refuses %j, and names the field', async (given, message) => {
  await expect(create(aQuestioned(), given)).rejects.toEqual(refused('bad_request', message));
});

it('a webhook hears of what the contract has no event for, and may choose the statuses', async () => {
  const form_id = aForm();
  const more = ['submission.restored', 'submission.corrected', 'submission.spam_changed'];
  const { id } = await create(form_id, { event: '', events: more, filter: { statuses: ['approved'] } });
  for (const event of more)
    await expect(
      client.listListeners(callAs({ kind: 'service', id: 'delivery' }), { topics: [{ instance_id: instanceId, form_id, event }] }),
    ).resolves.toMatchObject({ inactive: [{ id, events: more, active_with_options: true }] });
  await expect(subscribe({ form_id, event: 'submission.restored' })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(
      /^event: must be one of submission\.created, submission\.status_changed, submission\.deleted, submission\.updated$/,
    ) as string,
  });
});

it('refuses a change of the events that the filter cannot decide about', async () => {
  const form_id = aQuestioned();
  const { id } = await create(form_id, { filter: germans });
  const events = [created, 'submission.status_changed'];
  await expect(client.updateWebhook(callAs(editor), { form_id, id, events })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(update(form_id, id, { events, filter: null })).resolves.toMatchObject({ events });
});

it('a webhook of several forms names no field, and may receive no answer at all', async () => {
  const wide = (given: Record<string, unknown>) =>
    client.createWebhookWithOptions(callAs({ ...editor, roles: { [workspaceId]: 'owner' } }), {
      workspace_id: workspaceId,
      target_url,
      event: created,
      ...asMessage(given),
    });
  await expect(wide({ filter: germans })).rejects.toEqual(refused('bad_request', 'filter.answers: needs a webhook of one form'));
  await expect(wide({ fields: ['age'] })).rejects.toEqual(
    refused('bad_request', 'fields: must be empty, or that of a webhook of one form'),
  );
  await expect(wide({ fields: [] })).resolves.toMatchObject({ fields: '[]' });
});

it("a platform's subscription has neither", async () => {
  const form_id = aQuestioned();
  const { id } = await subscribe({ form_id });
  for (const patch of [{ filter: germans }, { fields: [] }])
    await expect(update(form_id, id, patch)).rejects.toMatchObject({
      message: expect.stringMatching(/^(filter|fields): can only be changed/) as string,
    });
});

it('an earlier version of forms tells the keys alone, and these are checked', async () => {
  const form_id = aQuestioned();
  Object.assign(forms.get(form_id) ?? {}, { tellsKeysAlone: true });
  await expect(create(form_id, { fields: ['agee'] })).rejects.toMatchObject({ code: 'bad_request' });
  await expect(create(form_id, { filter: { answers: [{ key: 'country', equals: 'AT' }] }, fields: ['age'] })).resolves.toMatchObject({
    fields: '["age"]',
  });
});
