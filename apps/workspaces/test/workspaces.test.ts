import type { Broker } from '@sheaf/events';
import { newId, type Caller, type User } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { hashPassword } from '../src/sessions/password';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const instanceId = newId();
const workspaceId = newId();
const ownerId = newId();
let db: Database;
let client: Client<WorkspacesDefinition>;
let broker: Broker;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));

  const now = clock.now();
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: now });
  await db('workspace').insert({
    id: workspaceId,
    instance_id: instanceId,
    name: 'Main',
    slug: 'main',
    color: '',
    created_at: now,
    updated_at: now,
  });
  await db('person').insert({
    id: ownerId,
    instance_id: instanceId,
    email: 'olga@example.org',
    name: 'Olga',
    avatar_url: '',
    password_hash: await hashPassword('correct horse'),
    created_at: now,
  });
  await db('member').insert({
    workspace_id: workspaceId,
    instance_id: instanceId,
    person_id: ownerId,
    role: 'owner',
    is_default: true,
    created_at: now,
  });
});

afterAll(() => stop());

const owner = (): User => aUser({ id: ownerId, instanceId, workspaceId, roles: { [workspaceId]: 'owner' }, via: 'session' });
const authenticate = (credential: string, instance_id = instanceId) => client.authenticate(callAs(gateway), { instance_id, credential });
const signIn = (password = 'correct horse', email = 'olga@example.org') =>
  client.signIn(callAs(gateway), { instance_id: instanceId, email, password });

describe('the door', () => {
  it('refuses a call without a caller token', async () => {
    await expect(client.getMe({ ...callAs(owner()), token: '' }, {})).rejects.toEqual(refused('unauthorized'));
  });

  it('lets only services authenticate credentials', async () => {
    await expect(client.authenticate(callAs(owner()), { instance_id: instanceId, credential: 'x' })).rejects.toEqual(refused('forbidden'));
  });
});

describe('signing in', () => {
  it('opens a session that acts in the default workspace', async () => {
    const { token, user, workspace, expires_at } = await signIn();

    expect(user).toEqual({ id: ownerId, email: 'olga@example.org', name: 'Olga' });
    expect(workspace).toMatchObject({ id: workspaceId, role: 'owner' });
    expect(expires_at).toBe('2026-07-01T12:00:00.000Z');
    await expect(authenticate(token)).resolves.toMatchObject({
      id: ownerId,
      kind: 'user',
      via: 'session',
      roles: { [workspaceId]: 'owner' },
      workspace_id: workspaceId,
    });
  });

  it('accepts the address in any case', async () => {
    await expect(signIn('correct horse', ' Olga@Example.ORG ')).resolves.toMatchObject({ user: { id: ownerId } });
  });

  it('gives the same answer for a wrong password and for an unknown address', async () => {
    const [wrong, unknown] = await Promise.allSettled([signIn('wrong'), signIn('wrong', 'nobody@example.org')]);

    expect(wrong).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
    expect((unknown as PromiseRejectedResult).reason).toMatchObject({
      message: ((wrong as PromiseRejectedResult).reason as Error).message,
    });
  });

  it('ends immediately after signing out', async () => {
    const { token } = await signIn();
    const { credential_id } = await authenticate(token);

    await client.endSession(callAs({ ...owner(), credentialId: credential_id }), {});

    await expect(authenticate(token)).rejects.toEqual(refused('unauthorized'));
  });

  it('ends when the session expires', async () => {
    const { token } = await signIn();
    clock.advance(31 * 24 * 60 * 60 * 1_000);
    await expect(authenticate(token)).rejects.toEqual(refused('unauthorized'));
  });
});

describe('switching the workspace', () => {
  const second = newId();
  const foreign = newId();
  const switchTo = (workspace_id: string, as: Caller) => client.switchWorkspace(callAs(as), { workspace_id });
  const atWork = async () => {
    const { token } = await signIn();
    return { token, session: { ...owner(), credentialId: (await authenticate(token)).credential_id } };
  };
  beforeAll(async () => {
    const now = clock.now();
    for (const [id, slug] of [
      [second, 'second'],
      [foreign, 'foreign'],
    ]) {
      await db('workspace').insert({ id, instance_id: instanceId, name: slug, slug, color: '', created_at: now, updated_at: now });
    }
    await db('member').insert({
      workspace_id: second,
      instance_id: instanceId,
      person_id: ownerId,
      role: 'viewer',
      is_default: false,
      created_at: now,
    });
  });

  it('changes the active workspace only for this session', async () => {
    const [one, other] = [await atWork(), await atWork()];

    await expect(switchTo(second, one.session)).resolves.toMatchObject({ id: second, name: 'second', role: 'viewer' });

    await expect(authenticate(one.token)).resolves.toMatchObject({ workspace_id: second });
    await expect(authenticate(other.token)).resolves.toMatchObject({ workspace_id: workspaceId });
  });

  it('with an API key returns the workspace and changes nothing', async () => {
    const { key = '' } = await client.createApiKey(callAs(owner()), { name: 'CI' });
    await expect(switchTo(second, { ...owner(), via: 'api_key' })).resolves.toMatchObject({ id: second });
    await expect(authenticate(key)).resolves.toMatchObject({ workspace_id: workspaceId });
  });

  it('is refused for service accounts and non-members', async () => {
    await expect(switchTo(second, aServiceAccount({ instanceId }))).rejects.toEqual(refused('bad_request'));
    for (const id of [foreign, newId(), 'x']) await expect(switchTo(id, owner())).rejects.toEqual(refused('forbidden'));
  });

  it('lasts only as long as the membership', async () => {
    const { token, session } = await atWork();
    await switchTo(second, session);
    await db('member').where({ workspace_id: second, person_id: ownerId }).delete();
    await expect(authenticate(token)).resolves.toMatchObject({ workspace_id: workspaceId });
  });
});

describe('API keys', () => {
  it('are shown once, act as their owner, and are invalid once revoked', async () => {
    const created = await client.createApiKey(callAs(owner()), { name: 'CI' });
    expect(created.key).toMatch(/^shf_u_/);
    await expect(authenticate(created.key ?? '')).resolves.toMatchObject({ id: ownerId, via: 'api_key', workspace_id: workspaceId });

    const { api_keys } = await client.listApiKeys(callAs(owner()), {});
    expect(api_keys.find(({ id }) => id === created.id)).toEqual(expect.not.objectContaining({ key: expect.anything() as unknown }));

    await client.revokeApiKey(callAs(owner()), { id: created.id });
    await expect(authenticate(created.key ?? '')).rejects.toEqual(refused('unauthorized'));
    await expect(client.revokeApiKey(callAs(owner()), { id: created.id })).rejects.toEqual(refused('not_found'));
  });

  it('show when they were last used, to the minute', async () => {
    const { id, key } = await client.createApiKey(callAs(owner()), { name: 'CI' });
    await authenticate(key ?? '');

    await eventually(async () => {
      const { api_keys } = await client.listApiKeys(callAs(owner()), {});
      expect(api_keys.find((listed) => listed.id === id)?.last_used_at).toBe(clock.now().toISOString());
    });
  });

  it('are invalid in another instance, or with a wrong character', async () => {
    const { key = '' } = await client.createApiKey(callAs(owner()), { name: 'CI' });

    await expect(authenticate(key, newId())).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(`${key.slice(0, -1)}-`)).rejects.toEqual(refused('unauthorized'));
  });

  it('can expire, but not in the past', async () => {
    const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const { key = '' } = await client.createApiKey(callAs(owner()), { name: 'CI', expires_at: inAnHour });
    await expect(authenticate(key)).resolves.toMatchObject({ expires_at: inAnHour });

    clock.advance(3_600_001);
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
    await expect(client.createApiKey(callAs(owner()), { name: 'CI', expires_at: inAnHour })).rejects.toEqual(refused('bad_request'));
  });
});

describe('service accounts', () => {
  it('have their scopes and no workspace', async () => {
    const account = await client.createServiceAccount(callAs(owner()), { name: 'Importer', scopes: ['forms:read'] });

    const principal = await authenticate(account.key ?? '');
    expect(principal).toMatchObject({ id: account.id, kind: 'service_account', scopes: ['forms:read'], roles: {} });
    expect(principal.workspace_id).toBeUndefined();
  });

  it('are created only by owners and admins', async () => {
    const editor = { ...owner(), roles: { [workspaceId]: 'editor' as const } };
    await expect(client.createServiceAccount(callAs(editor), { name: 'X', scopes: [] })).rejects.toEqual(refused('forbidden'));
  });

  it('lose their keys when they are deleted', async () => {
    const { id, key = '' } = await client.createServiceAccount(callAs(owner()), { name: 'Importer', scopes: [] });
    await client.deleteServiceAccount(callAs(owner()), { id });
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
  });
});

describe('members', () => {
  const add = (email: string, role = 'editor', as = owner()) => client.addMember(callAs(as), { workspace_id: workspaceId, email, role });

  it('are added with an invitation that works once', async () => {
    const { member, invitation_token = '' } = await add('Edith@example.org');
    expect(member).toMatchObject({ email: 'edith@example.org', role: 'editor' });

    const accept = () =>
      client.acceptInvitation(callAs(gateway), {
        instance_id: instanceId,
        token: invitation_token,
        name: 'Edith',
        password: 'a long password',
      });
    await expect(accept()).resolves.toMatchObject({
      user: { id: member?.user_id, name: 'Edith' },
      workspace: { id: workspaceId, role: 'editor' },
    });
    await expect(accept()).rejects.toEqual(refused('not_found'));
    await expect(signIn('a long password', 'edith@example.org')).resolves.toMatchObject({ user: { name: 'Edith' } });
  });

  it('are shown to each other, by name, and to no other caller', async () => {
    await client.addMember(callAs(owner()), { workspace_id: workspaceId, email: 'aaron@example.org', name: 'Aaron', role: 'viewer' });
    const members = (as: Caller, workspace_id = workspaceId) => client.listMembers(callAs(as), { workspace_id });

    const shown = (await members({ ...owner(), roles: { [workspaceId]: 'viewer' } })).members;
    expect(shown[0]).toMatchObject({ name: 'Aaron', email: 'aaron@example.org', avatar_url: '', role: 'viewer' });
    expect(shown).toContainEqual(expect.objectContaining({ user_id: ownerId, role: 'owner', created_at: '2026-06-01T12:00:00.000Z' }));

    for (const as of [aUser({ instanceId }), aServiceAccount({ instanceId })])
      await expect(members(as)).rejects.toEqual(refused('forbidden'));
    for (const id of [newId(), 'x', '__proto__']) await expect(members(owner(), id)).rejects.toEqual(refused('forbidden'));
  });

  it('cannot be added twice', async () => {
    const { invitation_token: token = '' } = await add('twice@example.org');
    await client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token, name: 'Twice', password: 'a long password' });
    await expect(add('twice@example.org')).rejects.toEqual(refused('conflict'));
  });

  it('are added by owners and admins, and owners only by owners', async () => {
    const as = (role: 'admin' | 'editor') => ({ ...owner(), roles: { [workspaceId]: role } });

    await expect(add('a@example.org', 'editor', as('editor'))).rejects.toEqual(refused('forbidden'));
    await expect(add('a@example.org', 'owner', as('admin'))).rejects.toEqual(refused('forbidden'));
    await expect(add('a@example.org', 'admin', as('admin'))).resolves.toMatchObject({ member: { role: 'admin' } });
  });

  describe('who are removed', () => {
    const remove = (user_id: string, as = owner()) => client.removeMember(callAs(as), { workspace_id: workspaceId, user_id });
    const isMember = async (person_id: string) => (await db('member').where({ person_id, workspace_id: workspaceId })).length > 0;

    it('are no longer members, and act in the workspace of their oldest membership', async () => {
      const other = newId();
      const now = clock.now();
      await db('workspace').insert({
        id: other,
        instance_id: instanceId,
        name: 'Other',
        slug: `other-${other}`,
        color: '',
        created_at: now,
        updated_at: now,
      });
      const id = (await add(`removed-${newId()}@example.org`)).member?.user_id ?? '';
      await db('member').insert({
        workspace_id: other,
        instance_id: instanceId,
        person_id: id,
        role: 'viewer',
        is_default: false,
        created_at: now,
      });

      await remove(id);

      expect(await db('member').where({ person_id: id })).toMatchObject([{ workspace_id: other, is_default: true }]);
      await expect(remove(id)).rejects.toEqual(refused('not_found'));
    });

    it('are removed by owners and admins, and owners only by owners; every member may leave', async () => {
      const as = (id: string, role: 'admin' | 'editor') => ({ ...owner(), id, roles: { [workspaceId]: role } });
      const [one, two] = [
        (await add(`one-${newId()}@example.org`)).member?.user_id ?? '',
        (await add(`two-${newId()}@example.org`)).member?.user_id ?? '',
      ];

      await expect(remove(one, as(two, 'editor'))).rejects.toEqual(refused('forbidden'));
      await expect(remove(ownerId, as(two, 'admin'))).rejects.toEqual(refused('forbidden'));
      await remove(one, as(two, 'admin'));
      await remove(two, as(two, 'editor'));
      expect((await isMember(one)) || (await isMember(two))).toBe(false);
    });

    it('are never the last owner, not even when two owners remove each other', async () => {
      await expect(remove(ownerId)).rejects.toMatchObject({ code: 'bad_request', message: 'The last owner cannot be removed.' });

      const second = (await add(`second-${newId()}@example.org`, 'owner')).member?.user_id ?? '';
      const asSecond = { ...owner(), id: second };
      const results = await Promise.allSettled([remove(second), remove(ownerId, asSecond)]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await db('member').where({ workspace_id: workspaceId, role: 'owner' })).toHaveLength(1);
      if (!(await isMember(ownerId))) {
        await db('member').where({ person_id: second, workspace_id: workspaceId }).update({ person_id: ownerId });
      }
    });

    it('are found neither in a workspace of another instance nor by a malformed id', async () => {
      await expect(client.removeMember(callAs(owner()), { workspace_id: newId(), user_id: ownerId })).rejects.toEqual(refused('not_found'));
      await expect(remove('nonsense')).rejects.toEqual(refused('not_found'));
    });
  });

  it('are signalled to every process, so that none keeps their old access', async () => {
    const heard: string[] = [];
    broker.listen('sheaf.events.workspaces.>', { onEvent: (event) => heard.push(event.body), onGap: () => undefined });
    await broker.connection.flush();

    const { member } = await add('new@example.org');

    await eventually(() => expect(heard).toContain(JSON.stringify({ principal_ids: [member?.user_id], credential_ids: [] })));
  });
});
