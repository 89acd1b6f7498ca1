import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { client, create, editor, instanceId, publish, trash, useService, workspaceId } from './stage';

useService();

const delivery = callAs({ kind: 'service', id: 'delivery' });
const put = (id: string, revision: number, ...keys: string[]) =>
  client.putDraft(callAs(editor), {
    id,
    revision,
    fields: Buffer.from(JSON.stringify(keys.map((key) => ({ key, label: `The ${key}`, type: 'short_text' })))),
  });
const fieldsOf = async (form_id: string, version?: number, instance_id = instanceId) => {
  const found = await client.getVersionFields(delivery, { instance_id, form_id, ...(version === undefined ? {} : { version }) });
  const fields = JSON.parse(found.fields.toString()) as { key: string; label: string }[];
  return { version: found.version, keys: fields.map(({ key }) => key) };
};

describe('the fields of a version, for delivery', () => {
  it('are those that the version was published with, also in the trash', async () => {
    const { id } = await create();
    await put(id, 0, 'a');
    await publish(id);
    await put(id, 1, 'a', 'b');
    await publish(id);
    await put(id, 2, 'c');
    await trash(id);
    expect(await fieldsOf(id, 1)).toEqual({ version: 1, keys: ['a'] });
    expect(await fieldsOf(id, 2)).toEqual({ version: 2, keys: ['a', 'b'] });
  });

  it('are those of the latest version if none is named, and of the draft until the form is published', async () => {
    const { id } = await create();
    await put(id, 0, 'a');
    expect(await fieldsOf(id)).toEqual({ version: 1, keys: ['a'] });
    await publish(id);
    await put(id, 1, 'b');
    expect(await fieldsOf(id)).toEqual({ version: 1, keys: ['a'] });
  });

  it('are none, under the number 0, for a version that the form does not have', async () => {
    const { id } = await create();
    expect(await fieldsOf(id, 1)).toEqual({ version: 0, keys: [] });
  });

  it('are not found for an unknown form or instance', async () => {
    const { id } = await create();
    const missing = refused('not_found', /form/);
    await expect(fieldsOf(newId())).rejects.toEqual(missing);
    await expect(fieldsOf(id, undefined, newId())).rejects.toEqual(missing);
  });
});

it('tells delivery the workspaces of forms, and leaves out those that do not exist', async () => {
  const { id } = await create();
  expect(await client.listFormPlaces(delivery, { form_ids: [id, newId()] })).toEqual({
    places: [{ form_id: id, workspace_id: workspaceId }],
  });
});

it('refuses both to every other service', async () => {
  const other = callAs({ kind: 'service', id: 'gateway' });
  const forbidden = refused('forbidden', /^Only delivery may call this operation\.$/);
  await expect(client.listFormPlaces(other, { form_ids: [] })).rejects.toEqual(forbidden);
  await expect(client.getVersionFields(other, { instance_id: instanceId, form_id: newId() })).rejects.toEqual(forbidden);
});
