import { audited } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import { aUser, callAs, connectionsDieAt, eventually, refused } from '@sheaf/testing';
import { silentLog } from '@sheaf/runtime';
import { storeFromEvery } from '../src/store-from-every';
import { authenticate, client, clock, db, instanceId, newPerson, newWorkspace, owner, signIn, useService, workspaceId } from './stage';

useService();

const ownerOf = (...ids: string[]): User => aUser({ ...owner(), roles: Object.fromEntries(ids.map((id) => [id, 'owner'])) });
const erase = (id: string, as: User = ownerOf(workspaceId, id)) => client.eraseWorkspace(callAs(as), { id });
const bodiesOf = async (...subjects: string[]) =>
  (
    await db<{ subject: string; type: string; body: string; position: number }>('outbox').whereIn('subject', subjects).orderBy('position')
  ).map(({ type, body }) => [type, JSON.parse(body) as Record<string, unknown>] as const);

describe('an erased workspace', () => {
  it('is gone with its members and folders; its members keep their other workspaces, one of which becomes their default', async () => {
    const [gone, other] = [await newWorkspace(), await newWorkspace()];
    const [both, only] = [newId(), newId()];
    await newPerson(both, { [gone]: 'editor', [other]: 'viewer' });
    await newPerson(only, { [gone]: 'owner' });
    const editor = aUser({ id: both, instanceId, workspaceId: gone, roles: { [gone]: 'editor' } });
    const parent = await client.createFolder(callAs(editor), { label: 'Parent' });
    await client.createFolder(callAs(editor), { label: 'Child', parent_id: parent.id });
    const [{ token }, { token: last }] = [await signIn(`${both}@example.org`), await signIn(`${only}@example.org`)];
    await client.switchWorkspace(callAs({ ...editor, via: 'session' }), { workspace_id: gone }).catch(() => undefined);

    const { erasure_id } = await erase(gone);

    for (const [table, column] of [
      ['workspace', 'id'],
      ['member', 'workspace_id'],
      ['folder', 'workspace_id'],
    ] as const)
      expect(await db(table).where({ [column]: gone })).toEqual([]);
    await expect(authenticate(token)).resolves.toMatchObject({ workspace_id: other, roles: { [other]: 'viewer' } });
    await expect(authenticate(last)).rejects.toEqual(refused('unauthorized'));
    expect((await bodiesOf(both)).at(-1)).toMatchObject(['standing.changed', { id: both, roles: { [other]: 'viewer' } }]);
    expect((await bodiesOf(only)).at(-1)).toMatchObject(['standing.changed', { id: only, roles: {} }]);
    expect(await bodiesOf(gone)).toMatchObject([
      ['workspace.erased', { erasure_id, workspace_id: gone }],
      ['audit.recorded', { action: 'workspace.erased', details: { erasure: erasure_id } }],
    ]);
    expect(await bodiesOf(erasure_id)).toMatchObject([
      ['erasure.begun', { kind: 'workspace', target_id: gone, awaited: ['workspaces', 'forms', 'hooks'] }],
      ['erasure.confirmed', { service: 'workspaces', counts: { members: 2, folders: 2 } }],
    ]);
  });

  it('keeps its slug reserved, and ends the invitations of people who were members of nothing else', async () => {
    const gone = await newWorkspace();
    const added = await client.addMember(callAs(ownerOf(gone)), { workspace_id: gone, email: `${gone}@example.org`, role: 'editor' });
    expect(added.invitation_token).toBeDefined();
    await erase(gone);
    expect(await db('invitation').where({ person_id: added.member?.user_id ?? '' })).toEqual([]);
    await expect(client.createWorkspace(callAs(owner()), { name: 'Another', slug: gone })).rejects.toEqual(
      refused('bad_request', /^slug: is reserved/),
    );
  });

  it('leaves its audit log readable for those who run the instance, and for nobody else', async () => {
    const gone = await newWorkspace();
    const deed = { action: 'form.created', target: { kind: 'form', id: newId() }, workspaceId: gone } as const;
    await storeFromEvery({ db }, silentLog(), [audited({ caller: owner(), call: { requestId: 'r' } }, deed, clock.now())]);
    await erase(gone);
    const total = async (as: User) => (await client.listAuditLog(callAs(as), { limit: 10, offset: 0, target_id: deed.target.id })).total;
    expect(await total(owner())).toBe(1);
    expect(await total(aUser({ instanceId, roles: { [workspaceId]: 'admin' } }))).toBe(0);
    expect(await total(aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).toBe(0);
  });

  it.each(['before delete on member', 'before delete on workspace', 'before insert on outbox'])(
    'is there as before if the process died %s',
    async (point) => {
      const id = await newWorkspace();
      const { id: member } = await newPerson(newId(), { [id]: 'viewer' });
      const breaking = await connectionsDieAt(db, point);
      await expect(erase(id)).rejects.toMatchObject({ code: 'unavailable' });
      await eventually(async () => expect(await breaking.deaths()).toBe(1));
      await breaking.end();
      await expect(signIn(`${member}@example.org`)).resolves.toMatchObject({ workspace: { id } });
      await erase(id);
    },
  );
});

describe('erasing a workspace', () => {
  it('is for its owners, and finds no workspace of another instance', async () => {
    const id = await newWorkspace();
    await expect(erase(id, aUser({ instanceId, roles: { [id]: 'admin', [workspaceId]: 'owner' } }))).rejects.toEqual(refused('forbidden'));
    await expect(erase(id, aUser({ instanceId: newId(), roles: { [id]: 'owner' } }))).rejects.toEqual(refused('not_found'));
    await erase(id);
    await expect(erase(id)).rejects.toEqual(refused('not_found'));
  });

  it('is refused for the last one of the instance, also if two are erased at the same time', async () => {
    const instance = newId();
    await db('instance').insert({ id: instance, name: 'Small', created_at: clock.now() });
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await db('workspace').whereIn('id', [one, two]).update({ instance_id: instance });
    const as = aUser({ instanceId: instance, roles: { [one]: 'owner', [two]: 'owner' } });
    const results = await Promise.allSettled([erase(one, as), erase(two, as)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
  });
});
