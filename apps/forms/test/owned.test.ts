import { newId } from '@sheaf/kernel';
import { aUser, callAs } from '@sheaf/testing';
import { client, create, editor, grant, instanceId, member, owner, trash, useService, viewer, workspaceId } from './stage';

useService();

const owned = async (as = owner, page: { after_id?: string; limit?: number } = {}) =>
  (await client.listOwnedForms(callAs(as), { limit: 100, ...page })).forms.map(({ id }) => id);

it('lists the forms that a person owns through the workspace, as their creator or by a grant, also in the trash, page by page', async () => {
  const [byOwner, byEditor, trashed] = [(await create('A', owner)).id, (await create('B', editor)).id, (await create('C', owner)).id];
  await trash(trashed);
  await grant(byOwner, viewer, 'owner');
  expect(await owned()).toEqual(expect.arrayContaining([byOwner, byEditor, trashed]));
  expect(await owned(editor)).toContain(byEditor);
  expect(await owned(editor)).not.toContain(byOwner);
  expect(await owned(viewer)).toEqual([byOwner]);
  expect(await owned(member('admin'))).toEqual(expect.arrayContaining([byOwner, byEditor, trashed]));

  const all = await owned();
  expect([...(await owned(owner, { limit: 2 })), ...(await owned(owner, { after_id: all[1] ?? '' }))]).toEqual(all);
});

it('lists none for a creator who has left the workspace, nor for people of other instances', async () => {
  const { id } = await create('Left behind', editor);
  expect(await owned(aUser({ instanceId, id: editor.id, roles: {} }))).not.toContain(id);
  expect(await owned(aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).toEqual([]);
});

it.each(['owner', 'admin'] as const)(
  'lists all forms of the instance for its %s, whatever their roles in workspaces, and of no other',
  async (instanceRole) => {
    const [first, second] = [(await create('A', owner)).id, (await create('B', editor)).id];
    expect(await owned(aUser({ instanceId, roles: {}, instanceRole }))).toEqual(expect.arrayContaining([first, second]));
    expect(await owned(aUser({ instanceId, roles: {} }))).toEqual([]);
    expect(await owned(aUser({ instanceId: newId(), roles: {}, instanceRole }))).toEqual([]);
  },
);
