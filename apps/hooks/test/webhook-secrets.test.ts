import { callAs, eventually, refused } from '@sheaf/testing';
import { aForm, announced, client, clock, db, editor, subscribe, useService, viewer } from './stage';

useService();

const target_url = 'https://hooks.example.org/a';
const dayMs = 86_400_000;
const create = (form_id: string, given: object) =>
  client.createWebhookWithOptions(callAs(editor), { form_id, target_url, event: 'submission.created', ...given });
const update = (form_id: string, id: string, patch: object) => client.updateWebhookWithOptions(callAs(editor), { form_id, id, ...patch });
const secretsOf = async (id: string) =>
  (await db<{ id: string; options: { secrets?: object[] } | null }>('subscription').where({ id }).first('options'))?.options?.secrets;
const v1 = { signature: 'v1', sealed_secret: 's1.one' };

it('a webhook is signed with the key of the instance unless it asks for a secret, which only delivery can read', async () => {
  const form_id = aForm();
  const plain = await client.createWebhook(callAs(editor), { form_id, target_url: `${target_url}/b`, event: 'submission.created' });
  expect(plain).toMatchObject({ signature: 'v1a', secret_taken: false });
  const { id, ...made } = await create(form_id, v1);
  expect(made).toMatchObject({ signature: 'v1', secret_taken: true });
  expect(await secretsOf(id)).toEqual([{ sealed: 's1.one' }]);
  for (const as of [editor, viewer]) {
    const seen = await client.getWebhook(callAs(as), { form_id, id });
    expect(seen).toMatchObject({ signature: 'v1', secret_taken: false });
    expect(JSON.stringify(seen)).not.toContain('s1.');
  }
  await eventually(() =>
    expect(announced(id)).toMatchObject([{ options: JSON.stringify({ secrets: [{ sealed: 's1.one' }] }), state_with_options: 'active' }]),
  );
  await expect(create(form_id, { signature: 'v1' })).rejects.toMatchObject({ code: 'bad_request' });
});

it('a new secret leaves the previous one valid for a day, and no third one is made meanwhile', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, v1);
  const until = new Date(clock.now().getTime() + dayMs).toISOString();
  await expect(update(form_id, id, { new_secret: true, sealed_secret: 's1.two' })).resolves.toMatchObject({
    signature: 'v1',
    secret_taken: true,
    previous_secret_until: until,
  });
  expect(await secretsOf(id)).toEqual([{ sealed: 's1.two' }, { sealed: 's1.one', retires_at: until }]);
  await expect(update(form_id, id, { new_secret: true, sealed_secret: 's1.three' })).rejects.toEqual(
    refused('conflict', `new_secret: the previous secret is valid until ${until}`),
  );
  clock.advance(dayMs);
  expect(await client.getWebhook(callAs(editor), { form_id, id })).not.toHaveProperty('previous_secret_until', until);
  await update(form_id, id, { new_secret: true, sealed_secret: 's1.three' });
  expect(await secretsOf(id)).toMatchObject([{ sealed: 's1.three' }, { sealed: 's1.two' }]);
});

it('a change of anything else keeps the secret, and so does asking for the signature that it has', async () => {
  const form_id = aForm();
  const { id } = await create(form_id, v1);
  await expect(update(form_id, id, { signature: 'v1', sealed_secret: 's1.unused' })).resolves.toMatchObject({ secret_taken: false });
  await client.updateWebhook(callAs(editor), { form_id, id, payload: 'named', target_url: 'https://hooks.example.org:8443/a' });
  expect(await secretsOf(id)).toEqual([{ sealed: 's1.one' }]);

  await update(form_id, id, { signature: 'v1a' });
  expect(await secretsOf(id)).toBeUndefined();
  await expect(update(form_id, id, { new_secret: true, sealed_secret: 's1.two' })).rejects.toEqual(
    refused('bad_request', 'new_secret: needs the signature v1'),
  );
});

it("a platform's subscription has no secret", async () => {
  const form_id = aForm();
  const { id } = await subscribe({ form_id });
  await expect(update(form_id, id, v1)).rejects.toEqual(
    refused('bad_request', 'signature: can only be changed for webhooks created in the application'),
  );
});
