import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, type InstanceRole, type User } from '@sheaf/kernel';
import { migrate } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
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

    // People who run only a workspace may not shut them out of the instance.
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

it('the person who makes an instance owns it', async () => {
  const wanted = {
    name: 'New',
    workspace: { name: 'New', slug: `new-${newId()}` },
    owner: { name: 'Ada', email: `${newId()}@example.org` },
  };
  const { instance_id, user } = await db.transaction((trx) => createInstance(trx, wanted, clock.now()));
  expect(await db('instance_member').where({ instance_id })).toMatchObject([{ person_id: user.id, role: 'owner' }]);
});

describe('in an instance older than these roles', () => {
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === '0019_instance_members'),
  );

  it('the owners of its oldest workspace become its owners, and the other services are told of everybody who ran it', async () => {
    const { db: older } = await freshDatabase(before);
    try {
      const [instance, second, oldest] = [newId(), newId(), newId()];
      const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
      await older('instance').insert({ id: instance, name: 'Old', created_at: at(0) });
      for (const [id, hour] of [
        [second, 2],
        [oldest, 1],
      ] as const) {
        const made = { created_at: at(hour), updated_at: at(hour) };
        await older('workspace').insert({ id, instance_id: instance, name: id, slug: id, color: '', ...made });
      }
      const person = async (workspace_id: string, role: string, password_hash: string | null = 'x') => {
        const id = newId();
        const created_at = at(3);
        await older('person').insert({
          id,
          instance_id: instance,
          email: `${id}@x.org`,
          name: '',
          avatar_url: '',
          password_hash,
          created_at,
        });
        await older('member').insert({ workspace_id, instance_id: instance, person_id: id, role, is_default: true, created_at });
        return id;
      };
      const owners = [await person(oldest, 'owner'), await person(oldest, 'owner')].sort();
      const admins = [await person(oldest, 'admin'), await person(second, 'owner')];
      const invited = await person(oldest, 'owner', null);
      await person(oldest, 'editor');

      await migrate(older, migrations, silentLog());

      const rows = await older<{ person_id: string; role: string }>('instance_member').orderBy('person_id');
      expect(rows.map(({ person_id, role }) => [person_id, role])).toEqual(owners.map((id) => [id, 'owner']));
      const all = [...owners, ...admins, invited];
      const deps = { outbox: commandOutbox(older), clock: { now: () => new Date() } };
      expect(await tellStanding(deps)).toBe(all.length);
      expect(await tellStanding(deps)).toBe(0);
      expect(await tellStanding({ ...deps, clock: { now: () => new Date(Date.now() + 86_400_000) } })).toBe(2 * all.length);
      const told = await older<{ type: string; body: string }>('outbox').where({ type: 'standing.changed' });
      const roleOf = new Map(
        told.map(({ body }) => JSON.parse(body) as { id: string; instance_role: string | null }).map((one) => [one.id, one.instance_role]),
      );
      expect(roleOf).toEqual(new Map(all.map((id) => [id, owners.includes(id) ? 'owner' : null])));
    } finally {
      await older.destroy();
    }
  });

  it('people who have not accepted their invitation become its owners only where nobody else is', async () => {
    const { db: older } = await freshDatabase(before);
    try {
      const [instance, workspace_id, id] = [newId(), newId(), newId()];
      const created_at = new Date();
      await older('instance').insert({ id: instance, name: 'Old', created_at });
      const made = { created_at, updated_at: created_at };
      await older('workspace').insert({ id: workspace_id, instance_id: instance, name: 'W', slug: workspace_id, color: '', ...made });
      await older('person').insert({ id, instance_id: instance, email: 'x@x.org', name: '', avatar_url: '', created_at });
      await older('member').insert({ workspace_id, instance_id: instance, person_id: id, role: 'owner', is_default: true, created_at });
      await migrate(older, migrations, silentLog());
      expect(await older('instance_member')).toMatchObject([{ person_id: id, role: 'owner' }]);
    } finally {
      await older.destroy();
    }
  });
});
