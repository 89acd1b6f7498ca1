import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, type InstanceRole, type User } from '@sheaf/kernel';
import { aUser, callAs, freshDatabase, refused } from '@sheaf/testing';
import { createInstance } from '../src/instances/create-instance';
import { removeInstanceMember, setInstanceRole } from '../src/instances/instance-members';
import { migrations } from '../src/migrations';
import { tellStanding } from '../src/people/tell-standing';
import {
  authenticate,
  client,
  clock,
  db,
  instanceId,
  newPerson,
  owner,
  ownerId,
  password,
  recordEvents,
  signIn,
  useService,
  workspaceId,
} from './stage';

useService();

const aPerson = () => newPerson(newId(), { [workspaceId]: 'owner' });
const set = (user_id: string, role: InstanceRole | 'viewer', as: User = owner()) => client.setInstanceRole(callAs(as), { user_id, role });
const remove = (user_id: string, as: User = owner()) => client.removeInstanceMember(callAs(as), { user_id });
const list = (as: User = owner()) => client.listInstanceMembers(callAs(as), {});
const as = (instanceRole: InstanceRole, id = newId()) => aUser({ id, instanceId, instanceRole, via: 'session' });
const entriesOf = async (id: string) =>
  (await db<{ subject: string; type: string; body: string; position: number }>('outbox').where({ subject: id }).orderBy('position'))
    .filter(({ type }) => type === 'audit.recorded')
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('the people who run an instance', () => {
  it('are those whom its owners made owners and admins, and each change is in the audit log', async () => {
    const { id } = await aPerson();
    expect(await set(id, 'admin')).toMatchObject({ user_id: id, role: 'admin', email: `${id}@example.org` });
    expect(await set(id, 'owner')).toMatchObject({ role: 'owner' });
    await set(id, 'owner');
    expect((await list()).members.map((member) => member.user_id).sort()).toEqual([id, ownerId].sort());
    await remove(id);
    expect((await list()).members.map((member) => member.user_id)).toEqual([ownerId]);
    expect(await entriesOf(id)).toMatchObject([
      { action: 'instance_member.added', target: { kind: 'user', id }, details: { role: 'admin' }, actor: { id: ownerId } },
      { action: 'instance_member.role_changed', details: { role: 'owner' } },
      { action: 'instance_member.removed', details: { role: 'owner' } },
    ]);
  });

  it('have their role in every process from their next request, without a role in any workspace', async () => {
    const { id } = await aPerson();
    const { token } = await signIn(`${id}@example.org`);
    expect((await authenticate(token)).instance_role).toBeUndefined();
    const bodies = await recordEvents();
    await set(id, 'admin');
    expect(await authenticate(token)).toMatchObject({ instance_role: 'admin', roles: { [workspaceId]: 'owner' } });
    expect(bodies.some((body) => body.includes('principal_ids') && body.includes(id))).toBe(true);
    expect(bodies.map((body) => JSON.parse(body) as object)).toContainEqual(expect.objectContaining({ id, instance_role: 'admin' }));

    // Nobody who runs only a workspace may shut them out of the instance.
    await client.removeMember(callAs(owner()), { workspace_id: workspaceId, user_id: id });
    expect(await authenticate(token)).toMatchObject({ instance_role: 'admin', roles: {} });
    await expect(signIn(`${id}@example.org`)).resolves.toMatchObject({ instance: { manages: true, role: 'admin' } });
    await remove(id);
    await expect(authenticate(token)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(`${id}@example.org`, password)).rejects.toEqual(refused('unauthorized'));
  });

  it('leave the service accounts that they made, with their keys, and the audit log says which', async () => {
    const { id } = await aPerson();
    await set(id, 'admin');
    const { id: account, key } = await client.createServiceAccount(callAs(as('admin', id)), { name: 'Importer', scopes: ['forms:read'] });
    const second = await client.createServiceAccountKey(callAs(as('admin', id)), { service_account_id: account });
    await remove(id);

    for (const kept of [key, second.key]) expect(await authenticate(kept ?? '')).toMatchObject({ id: account });
    await expect(client.createServiceAccount(callAs(aUser({ instanceId, id })), { name: 'X', scopes: [] })).rejects.toEqual(
      refused('forbidden'),
    );
    expect(await entriesOf(account)).toMatchObject([
      { action: 'service_account.created', actor: { id } },
      { action: 'service_account.key_created', actor: { id } },
    ]);
  });

  it('can be named by their address', async () => {
    const { id } = await aPerson();
    const add = (email: string) => client.addInstanceMember(callAs(owner()), { email, role: 'admin' });
    expect(await add(`${id.toUpperCase()}@Example.org`)).toMatchObject({ user_id: id, role: 'admin' });
    await expect(add(`${newId()}@example.org`)).rejects.toEqual(refused('not_found'));
    await remove(id);
  });

  it('are seen and changed by those alone who run it, with a session', async () => {
    const { id } = await aPerson();
    const ofWorkspace = { ...owner(), instanceRole: undefined };
    const withKey: User = { ...owner(), via: 'api_key' };
    for (const other of [ofWorkspace, withKey]) {
      await expect(list(other)).rejects.toEqual(refused('forbidden'));
      await expect(set(id, 'admin', other)).rejects.toEqual(refused('forbidden'));
      await expect(set(ownerId, 'admin', other)).rejects.toEqual(refused('forbidden'));
      await expect(remove(ownerId, other)).rejects.toEqual(refused('forbidden'));
      await expect(client.addInstanceMember(callAs(other), { email: `${id}@example.org`, role: 'admin' })).rejects.toEqual(
        refused('forbidden'),
      );
    }
    const elsewhere = aUser({ instanceId: newId(), instanceRole: 'owner', via: 'session' });
    await expect(set(id, 'admin', elsewhere)).rejects.toEqual(refused('not_found'));
  });

  it('cannot go beyond their own role: an admin neither makes, changes nor removes an owner', async () => {
    const { id } = await aPerson();
    await expect(set(id, 'owner', as('admin'))).rejects.toEqual(refused('forbidden'));
    await expect(set(ownerId, 'admin', as('admin'))).rejects.toEqual(refused('forbidden'));
    await expect(remove(ownerId, as('admin'))).rejects.toEqual(refused('forbidden'));
    await set(id, 'admin', as('admin'));
    await remove(id, as('admin', id));
  });

  it('always have an owner who can sign in, even if two remove each other at the same time', async () => {
    const last = refused('bad_request');
    await expect(remove(ownerId)).rejects.toEqual(last);
    await expect(set(ownerId, 'admin')).rejects.toEqual(last);
    const { id } = await aPerson();
    await set(id, 'owner');
    const results = await Promise.allSettled([remove(ownerId, as('owner', id)), remove(id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [left] = (await list()).members;
    await set(ownerId, 'owner', as('owner', left?.user_id)).catch(() => undefined);
    await db('instance_member').where({ person_id: id }).delete();
    expect((await list()).members).toMatchObject([{ user_id: ownerId, role: 'owner' }]);
  });

  it('are no one whose invitation somebody else holds, and no one who is in no workspace', async () => {
    const { member } = await client.addMember(callAs(owner()), {
      workspace_id: workspaceId,
      email: `${newId()}@example.org`,
      role: 'viewer',
    });
    await expect(set(member?.user_id ?? '', 'admin')).rejects.toEqual(refused('conflict'));
    const { id } = await newPerson(newId(), {});
    for (const unknown of [id, newId(), 'nonsense']) await expect(set(unknown, 'admin')).rejects.toEqual(refused('not_found'));
    await expect(remove((await aPerson()).id)).rejects.toEqual(refused('not_found'));
  });
});

it('the operator gives and takes every role, as the actor in the audit log, but leaves an owner', async () => {
  const deps = { outbox: commandOutbox(db), clock };
  const asked = { caller: operatorIn(instanceId), call: { requestId: newId() } };
  const { id } = await aPerson();
  await setInstanceRole(deps, asked, { who: { email: `${id}@example.org` }, role: 'owner' });
  expect((await entriesOf(id)).at(-1)).toMatchObject({ action: 'instance_member.added', actor: { kind: 'service', id: 'operator' } });
  await removeInstanceMember(deps, asked, { who: { email: `${id}@example.org` } });
  await expect(removeInstanceMember(deps, asked, { who: { email: 'olga@example.org' } })).rejects.toEqual(refused('bad_request'));
  await expect(setInstanceRole(deps, asked, { who: { email: 'nobody@example.org' }, role: 'admin' })).rejects.toEqual(refused('not_found'));
});

it('who makes an instance owns it', async () => {
  const wanted = {
    name: 'New',
    workspace: { name: 'New', slug: `new-${newId()}` },
    owner: { name: 'Ada', email: `${newId()}@example.org` },
  };
  const { instance_id, user } = await db.transaction((trx) => createInstance(trx, wanted, clock.now()));
  expect(await db('instance_member').where({ instance_id })).toMatchObject([{ person_id: user.id, role: 'owner' }]);
});

it('those whose roles a version that knew none of the instance told are told of three times', async () => {
  const { db: own } = await freshDatabase(migrations);
  try {
    const [instance_id, person_id] = [newId(), newId()];
    const created_at = new Date();
    await own('instance').insert({ id: instance_id, name: 'Old', created_at });
    await own('person').insert({ id: person_id, instance_id, email: 'x@x.org', name: '', avatar_url: '', created_at });
    await own('instance_member').insert({ instance_id, person_id, role: 'owner', created_at });
    // As the step left them that gave instances roles.
    await own('standing_to_tell').insert(
      [0, 1, 24].map((hour) => ({ instance_id, person_id, due_at: new Date(Date.now() + hour * 3_600_000 - 1) })),
    );

    const deps = { outbox: commandOutbox(own), clock: { now: () => new Date() } };
    expect(await tellStanding(deps)).toBe(1);
    expect(await tellStanding(deps)).toBe(0);
    expect(await tellStanding({ ...deps, clock: { now: () => new Date(Date.now() + 86_400_000) } })).toBe(2);
    const told = await own<{ type: string; body: string }>('outbox').where({ type: 'standing.changed' });
    expect(told.length).toBeGreaterThan(0);
    for (const { body } of told) expect(JSON.parse(body)).toMatchObject({ id: person_id, instance_role: 'owner' });
  } finally {
    await own.destroy();
  }
});
