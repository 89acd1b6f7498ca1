import { newId } from '@sheaf/kernel';
import { aUser, callAs, eventually, refused } from '@sheaf/testing';
import { eraseForms } from '../src/erasing/erase-form';
import { aForm, announced, client, clock, db, deps, editor, instanceId, subscribe, useService, viewer, workspaceId } from './stage';

useService();

const target_url = 'https://hooks.example.org/a';
const sealedAs = (sealed: string, name = 'Authorization') => ({ name, sealed });
const create = (form_id: string, headers: { name: string; sealed?: string }[], as = editor) =>
  client.createWebhookWithOptions(callAs(as), { form_id, target_url, event: 'submission.created', sealed_headers: { headers } });
const update = (form_id: string, id: string, patch: object, as = editor) =>
  client.updateWebhookWithOptions(callAs(as), { form_id, id, ...patch });
const headersOf = async (id: string) =>
  (await db<{ id: string; options: unknown }>('subscription').where({ id }).first('options'))?.options;
const inForm = (form_id: string) =>
  client.listListeners(callAs({ kind: 'service', id: 'delivery' }), {
    topics: [{ instance_id: instanceId, form_id, event: 'submission.created' }],
  });

it('a webhook shows the names of its headers, and nobody sees more of them', async () => {
  const form_id = aForm();
  const { id, header_names } = await create(form_id, [sealedAs('s1.one'), sealedAs('s1.two', 'X-Env')]);
  expect(header_names).toEqual(['Authorization', 'X-Env']);
  for (const as of [editor, viewer]) {
    const seen = JSON.stringify(await client.listWebhooks(callAs(as), { form_id }));
    expect(seen).toContain('X-Env');
    expect(seen).not.toContain('s1.');
  }
  await eventually(() => expect(announced(id)).toHaveLength(1));
  const audit = await db<{ type: string; body: string }>('outbox').where({ type: 'audit.recorded' });
  expect(JSON.stringify(audit)).not.toContain('s1.');
});

it('is told to delivery with its headers, and as inactive to a version that would send without them', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, [sealedAs('s1.one')]);
  const options = JSON.stringify({ headers: [sealedAs('s1.one')] });
  expect(await inForm(form_id)).toMatchObject({ listeners: [], inactive: [{ id, options, active_with_options: true }] });
  await eventually(() => expect(announced(id)).toMatchObject([{ id, state: 'inactive', state_with_options: 'active', options }]));
  const plain = await client.createWebhook(callAs(editor), { form_id, target_url: `${target_url}/b`, event: 'submission.created' });
  expect(await inForm(form_id)).toMatchObject({ listeners: [{ id: plain.id, options: '', active_with_options: false }] });

  await update(form_id, id, { active: false });
  expect(await inForm(form_id)).toMatchObject({ inactive: [{ id, active_with_options: false }] });
});

it('a change replaces the headers, and keeps the value of one that has none', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, [sealedAs('s1.one'), sealedAs('s1.two', 'X-Env')]);
  await update(form_id, id, { sealed_headers: { headers: [{ name: 'authorization' }, sealedAs('s1.three', 'X-New')] } });
  expect(await headersOf(id)).toEqual({ headers: [sealedAs('s1.one', 'authorization'), sealedAs('s1.three', 'X-New')] });
  await client.updateWebhook(callAs(editor), { form_id, id, payload: 'named' });
  expect(await headersOf(id)).toEqual({ headers: [sealedAs('s1.one', 'authorization'), sealedAs('s1.three', 'X-New')] });

  await expect(update(form_id, id, { sealed_headers: { headers: [{ name: 'X-Env' }] } })).rejects.toEqual(
    refused('bad_request', 'headers: X-Env: the value is required, because the webhook has no such header'),
  );
  await update(form_id, id, { sealed_headers: { headers: [] } });
  expect(await headersOf(id)).toBeNull();
  expect(await inForm(form_id)).toMatchObject({ listeners: [{ id, options: '' }] });
});

it('a value goes to no other origin than that it was given for', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, [sealedAs('s1.one'), sealedAs('s1.two', 'X-Env')]);
  const elsewhere = 'https://hooks.example.org:8443/a';
  const refusal = refused('bad_request', 'headers: Authorization: the value is required again, because target_url has another origin');
  await expect(client.updateWebhook(callAs(editor), { form_id, id, target_url: elsewhere })).rejects.toEqual(refusal);
  await expect(update(form_id, id, { target_url: elsewhere, sealed_headers: { headers: [{ name: 'Authorization' }] } })).rejects.toEqual(
    refusal,
  );
  await expect(client.updateWebhook(callAs(editor), { form_id, id, target_url: `${target_url}/b` })).resolves.toMatchObject({
    url: `${target_url}/b`,
  });
  await expect(update(form_id, id, { target_url: elsewhere, sealed_headers: { headers: [sealedAs('s1.new')] } })).resolves.toMatchObject({
    url: elsewhere,
    header_names: ['Authorization'],
  });
  await expect(client.updateWebhook(callAs(editor), { form_id, id, target_url })).rejects.toEqual(refusal);
});

it('a person who changes the headers is responsible for the webhook from then on', async () => {
  const other = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
  const form_id = aForm();
  const { id } = await create(form_id, [sealedAs('s1.one')]);
  await update(form_id, id, { sealed_headers: { headers: [sealedAs('s1.two')] } }, other);
  await expect(db('subscription').where({ id })).resolves.toMatchObject([{ subscriber_id: other.id, creator_id: editor.id }]);
  await expect(update(form_id, id, { sealed_headers: { headers: [] } }, viewer)).rejects.toMatchObject({ code: 'forbidden' });
});

it("a platform's subscription has no headers", async () => {
  const form_id = aForm();
  const { id } = await subscribe({ form_id });
  await expect(update(form_id, id, { sealed_headers: { headers: [sealedAs('s1.one')] } })).rejects.toEqual(
    refused('bad_request', 'headers: can only be changed for webhooks created in the application'),
  );
});

it('sealed values go with the form', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, [sealedAs('s1.one')]);
  const body = JSON.stringify({ erasure_id: newId(), form_id, workspace_id: workspaceId });
  const event = { id: newId(), type: 'form.erased' as const, instanceId, subject: form_id, formId: form_id, occurredAt: clock.now(), body };
  await eraseForms(deps, { error: () => undefined } as never, [event]);
  expect(await db('subscription').where({ id })).toEqual([]);
  await eventually(() => expect(announced(id).at(-1)).toMatchObject({ state: 'deleted', options: '' }));
});
