import { newId, type Client as Person, type User } from '@sheaf/kernel';
import { aUser, callAs, eventually, refused } from '@sheaf/testing';
import {
  access,
  client,
  create,
  createIn,
  db,
  editor,
  folderIn,
  get,
  grant,
  instanceId,
  later,
  member,
  outsider,
  owner,
  putSettings,
  recordEvents,
  robot,
  trash,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

const target = newId();
/** A member of both workspaces. */
const both = (here: 'owner' | 'editor' | 'viewer', there: 'admin' | 'editor' | 'viewer' = 'editor'): User =>
  aUser({ instanceId, workspaceId, roles: { [workspaceId]: here, [target]: there } });
const move = (id: string, as: Person, workspace_id = target) => client.moveForm(callAs(as), { id, workspace_id });
const auditOf = async (id: string) => {
  const rows = await db<{ body: string; type: string; form_id: string; position: number }>('outbox')
    .where({ type: 'audit.recorded', form_id: id })
    .orderBy('position');
  return rows.map(({ body }) => JSON.parse(body) as { action: string }).filter(({ action }) => action === 'form.moved');
};

describe('moving a form', () => {
  it('gives it to the members of the other workspace, out of its folder and with its grants', async () => {
    const { id } = await createIn(folderIn());
    const friend = aUser({ instanceId });
    await grant(id, friend, 'viewer');
    later();
    const moved = await move(id, both('owner'));
    expect(moved).toMatchObject({ id, role: 'editor' });
    expect(moved).not.toHaveProperty('folder_id');
    expect(await get(id, member('viewer', target))).toMatchObject({ role: 'viewer', updated_at: moved.updated_at });
    expect(await get(id, friend)).toMatchObject({ role: 'viewer' });
    for (const as of [owner, editor, viewer]) await expect(get(id, as)).rejects.toEqual(refused('forbidden'));
    expect(await access(id, robot)).toMatchObject({ workspace_id: target });
  });

  it('tells every process and the subscriptions, and is in the audit log of both workspaces', async () => {
    const { id } = await create();
    const recorded = await recordEvents();
    await move(id, both('owner'));
    await eventually(() =>
      expect(recorded(id)).toEqual([
        { form_id: id, slugs: [] },
        { form_id: id, workspace_id: target },
      ]),
    );
    const details = { from_workspace_id: workspaceId, to_workspace_id: target };
    expect(await auditOf(id)).toMatchObject([
      { workspace_id: workspaceId, details },
      { workspace_id: target, details },
    ]);
  });

  it('tells the new workspace of the people with grants, because invitations depend on it', async () => {
    const { id } = await create();
    const [boss, friend] = [aUser({ instanceId }), aUser({ instanceId })];
    await grant(id, boss, 'owner');
    await grant(id, friend, 'editor');
    await move(id, both('owner'));
    const told = await db<{ body: string; type: string; form_id: string }>('outbox').where({ type: 'grant.changed', form_id: id });
    const moved = { form_id: id, workspace_id: target };
    expect(told.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      expect.arrayContaining([
        { ...moved, user_id: boss.id, role: 'owner' },
        { ...moved, user_id: friend.id, role: 'editor' },
      ]),
    );
  });

  it('changes nothing if it is there already', async () => {
    const { id } = await create();
    const before = await get(id, editor);
    later();
    expect(await move(id, editor, workspaceId)).toEqual(before);
    expect(await auditOf(id)).toEqual([]);
  });

  it('is for owners of the form, or an editor could become its owner by taking it along', async () => {
    const { id } = await create('Not mine', owner);
    const taking = both('editor', 'admin');
    await expect(move(id, taking)).rejects.toEqual(refused('forbidden'));
    await expect(move(id, taking, workspaceId)).rejects.toEqual(refused('forbidden'));
    await grant(id, taking, 'owner');
    expect(await move(id, taking)).toMatchObject({ role: 'owner' });
  });

  it('is refused under legal hold, which the owners of the other workspace could end', async () => {
    const { id } = await create();
    await putSettings(id, { legal_hold: true }, owner);
    await expect(move(id, both('owner'))).rejects.toEqual(refused('conflict'));
    expect(await access(id)).toMatchObject({ workspace_id: workspaceId });
    await putSettings(id, { legal_hold: null }, owner);
    expect(await move(id, both('owner'))).toMatchObject({ id });
  });

  it('needs edit access to both workspaces, and to be an owner of the form', async () => {
    const { id } = await create();
    const guest = aUser({ instanceId, workspaceId: target, roles: { [target]: 'owner' } });
    const reader = both('viewer');
    for (const as of [guest, reader]) await grant(id, as, 'owner');
    for (const as of [editor, viewer, outsider, guest, reader, both('viewer'), both('owner', 'viewer')])
      await expect(move(id, as)).rejects.toEqual(refused('forbidden'));
    for (const workspace of [newId(), 'constructor', 'no id'])
      await expect(move(id, both('owner'), workspace)).rejects.toEqual(refused('forbidden'));
    await expect(move(newId(), both('owner'))).rejects.toEqual(refused('not_found'));
    expect(await access(id)).toMatchObject({ workspace_id: workspaceId });
  });

  it('is for people who are signed in, because a key would give the form away, and not for forms in the trash', async () => {
    const { id } = await create();
    for (const as of [robot, { ...both('owner'), via: 'api_key' } as const])
      await expect(move(id, as)).rejects.toEqual(refused('forbidden'));
    expect(await access(id)).toMatchObject({ workspace_id: workspaceId });
    await trash(id);
    await expect(move(id, both('owner'))).rejects.toEqual(refused('bad_request'));
  });
});

describe('a favourite', () => {
  const set = (id: string, favorite: boolean, as: Person) => client.setFavorite(callAs(as), { id, favorite });

  it('belongs to one person, with any role, and does not change the form', async () => {
    const { id } = await create();
    const before = await get(id, viewer);
    later();
    for (const _ of [1, 2]) await set(id, true, viewer);
    expect(await get(id, viewer)).toEqual({ ...before, favorite: true });
    expect(await get(id, editor)).toMatchObject({ favorite: false });
    for (const _ of [1, 2]) await set(id, false, viewer);
    expect(await get(id, viewer)).toEqual(before);
  });

  it('can be a form in the trash, but none without a role on it', async () => {
    const { id } = await create();
    await trash(id);
    await set(id, true, viewer);
    expect(await get(id, viewer)).toMatchObject({ favorite: true });
    await expect(set(id, true, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(set(newId(), true, viewer)).rejects.toEqual(refused('not_found'));
  });
});
