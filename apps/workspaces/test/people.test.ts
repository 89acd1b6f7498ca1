import { newId, type Caller, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Broker } from '@sheaf/events';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs, eachOnce, eventually, refused, TestClock } from '@sheaf/testing';
import { hashPassword } from '../src/sessions/password';
import { sweep } from '../src/sweep';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const instanceId = newId();
const workspaceId = newId();
const ownerId = newId();
const password = 'correct horse battery';
let db: Database;
let broker: Broker;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, broker, client, stop } = await startService(clock));
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: clock.now() });
  await newWorkspace(workspaceId);
  await newPerson(ownerId, { [workspaceId]: 'owner' });
});
afterAll(() => stop());

async function newWorkspace(id = newId()): Promise<string> {
  const now = clock.now();
  await db('workspace').insert({ id, instance_id: instanceId, name: 'Main', slug: id, color: '', created_at: now, updated_at: now });
  return id;
}

/** A person with a password and these roles; the first workspace is their default. */
async function newPerson(id: string, roles: Record<string, WorkspaceRole>): Promise<User> {
  const now = clock.now();
  await db('person').insert({
    id,
    instance_id: instanceId,
    email: `${id}@example.org`,
    name: 'Olga',
    avatar_url: '',
    password_hash: await hashPassword(password),
    created_at: now,
  });
  for (const [index, [workspace_id, role]] of Object.entries(roles).entries()) {
    await db('member').insert({ workspace_id, instance_id: instanceId, person_id: id, role, is_default: index === 0, created_at: now });
  }
  return aUser({ id, instanceId, roles, via: 'session' });
}

const owner = (): User => aUser({ id: ownerId, instanceId, workspaceId, roles: { [workspaceId]: 'owner' }, via: 'session' });
const authenticate = (credential: string) => client.authenticate(callAs(gateway), { instance_id: instanceId, credential });
const signIn = (email: string, given = password) => client.signIn(callAs(gateway), { instance_id: instanceId, email, password: given });
const patched = (patch: object) => ({
  patch: Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)),
  set: Object.keys(patch),
});
const anHour = 3_600_000;
const inAnHour = () => new Date(clock.now().getTime() + anHour).toISOString();

describe('a profile', () => {
  const update = (as: User, patch: object) => client.updateProfile(callAs(as), patched(patch));

  it('can be read and changed, and null removes the picture', async () => {
    const me = await newPerson(newId(), { [workspaceId]: 'viewer' });
    expect(await client.getProfile(callAs(me), {})).toEqual({
      id: me.id,
      email: `${me.id}@example.org`,
      name: 'Olga',
      avatar_url: '',
      default_workspace_id: workspaceId,
    });

    await expect(update(me, { name: ' Olga O. ', avatar_url: 'https://example.org/olga.png' })).resolves.toMatchObject({
      name: 'Olga O.',
      avatar_url: 'https://example.org/olga.png',
    });
    await expect(update(me, { avatar_url: null })).resolves.toMatchObject({ name: 'Olga O.', avatar_url: '' });
    await expect(update(me, {})).resolves.toMatchObject({ name: 'Olga O.' });
  });

  it.each([
    [{ name: ' ' }, 'name: must have between 1 and 100 characters'],
    [{ name: null }, 'name: must be a string'],
    [{ avatar_url: 'http://example.org/a.png' }, 'avatar_url: must be an https URL'],
    [{ avatar_url: 'javascript:alert(1)' }, 'avatar_url: must be an https URL'],
    [{ avatar_url: `https://example.org/${'a'.repeat(2_048)}` }, 'avatar_url: must have between 1 and 2048 characters'],
    [{ password: 'too short', current_password: password }, 'password: must have between 12 and 200 characters'],
    [{ password: 'a good long one' }, 'current_password: is required for a new password'],
    [{ password: 'a good long one', current_password: 'wrong' }, 'current_password: is not your password'],
    [{ name: 'Changed', default_workspace_id: newId() }, 'default_workspace_id: must be a workspace that you are a member of'],
    [{ default_workspace_id: 'nonsense' }, 'default_workspace_id: must be a workspace that you are a member of'],
  ])('refuses %j and stays unchanged', async (patch, message) => {
    await expect(update(owner(), patch)).rejects.toEqual(refused('bad_request', message));
    await expect(client.getProfile(callAs(owner()), {})).resolves.toMatchObject({ name: 'Olga', default_workspace_id: workspaceId });
  });

  it('sets the workspace in which API keys act', async () => {
    const second = await newWorkspace();
    const me = await newPerson(newId(), { [workspaceId]: 'viewer', [second]: 'editor' });
    const { key = '' } = await client.createApiKey(callAs(me), { name: 'CI' });

    await expect(update(me, { default_workspace_id: second })).resolves.toMatchObject({ default_workspace_id: second });
    await expect(authenticate(key)).resolves.toMatchObject({ workspace_id: second });
    expect(await db('member').where({ person_id: me.id, is_default: true })).toHaveLength(1);
  });

  it('with a new password ends all other sessions but no API keys', async () => {
    const me = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const email = `${me.id}@example.org`;
    const [here, elsewhere] = [await signIn(email), await signIn(email)];
    const { key = '' } = await client.createApiKey(callAs(me), { name: 'CI' });
    const session = { ...me, credentialId: (await authenticate(here.token)).credential_id };
    const heard: string[] = [];
    broker.listen('sheaf.events.workspaces.>', { onEvent: (event) => heard.push(event.body), onGap: () => undefined });
    await broker.connection.flush();

    await update(session, { current_password: password, password: 'another good one' });

    await expect(authenticate(elsewhere.token)).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(here.token)).resolves.toMatchObject({ id: me.id });
    await expect(authenticate(key)).resolves.toMatchObject({ id: me.id });
    await eventually(() => expect(heard).toContain(JSON.stringify({ principal_ids: [me.id], credential_ids: [] })));
    await expect(signIn(email)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(email, 'another good one')).resolves.toMatchObject({ user: { id: me.id } });
  });

  it('changes the password once if two requests use the same current password', async () => {
    const me = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const results = await Promise.allSettled(
      ['the first new one', 'the second new one'].map((wanted) => update(me, { current_password: password, password: wanted })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('leaves no session that was opened with the old password', async () => {
    const me = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const [signedIn] = await Promise.all([
      Promise.allSettled(Array.from({ length: 8 }, () => signIn(`${me.id}@example.org`))),
      update(me, { current_password: password, password: 'another good one' }),
    ]);
    for (const result of signedIn) {
      if (result.status === 'fulfilled') await expect(authenticate(result.value.token)).rejects.toEqual(refused('unauthorized'));
    }
  });
});

describe('workspaces', () => {
  const day = 24 * 60 * 60 * 1_000;
  const create = (wanted: { name: string; slug?: string; color?: string }, as = owner()) => client.createWorkspace(callAs(as), wanted);
  const update = (id: string, patch: object, as: User) => client.updateWorkspace(callAs(as), { id, ...patched(patch) });
  const ownerOf = (id: string) => ({ ...owner(), roles: { [id]: 'owner' as const } });

  it('belong to their creator, under a slug made from the name', async () => {
    const name = `Field Work ${newId()}`;
    const { workspace, slug } = await create({ name, color: 'teal' });
    expect(workspace).toMatchObject({ name, color: 'teal', role: 'owner' });
    expect(slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
    expect((await client.listWorkspaces(callAs(owner()), {})).workspaces).toContainEqual(workspace);

    const again = await create({ name });
    expect(again.slug).toMatch(new RegExp(`^${slug.slice(0, 20)}.*-[0-9a-f]{6}$`));
  });

  it('never get a reserved slug from their name', async () => {
    const { slug } = await create({ name: 'Admin' });
    expect(slug).toMatch(/^admin-[0-9a-f]{6}$/);
  });

  it('are not created under a slug that is taken or not part of a valid host name', async () => {
    const slug = `taken-${newId()}`;
    await create({ name: 'First', slug });
    const before = (await client.listWorkspaces(callAs(owner()), {})).workspaces.length;
    await expect(create({ name: 'Second', slug })).rejects.toEqual(refused('bad_request', 'slug: is taken'));
    for (const wrong of ['', 'A', '-a', 'a.b', 'a'.repeat(64)])
      await expect(create({ name: 'Second', slug: wrong })).rejects.toEqual(refused('bad_request'));
    expect((await client.listWorkspaces(callAs(owner()), {})).workspaces).toHaveLength(before);
  });

  it('are created by owners and admins of any workspace in the instance', async () => {
    for (const role of ['editor', 'viewer'] as const)
      await expect(create({ name: 'Mine' }, aUser({ instanceId, roles: { [workspaceId]: role } }))).rejects.toEqual(refused('forbidden'));
    await expect(client.createWorkspace(callAs(aServiceAccount({ instanceId })), { name: 'Mine' })).rejects.toEqual(refused('forbidden'));
    const admin = await newPerson(newId(), { [workspaceId]: 'admin' });
    await expect(create({ name: 'Mine' }, admin)).resolves.toMatchObject({ workspace: { role: 'owner' } });
  });

  it('are changed by their owners and admins', async () => {
    const id = (await create({ name: 'Before', color: 'teal' })).workspace?.id ?? '';
    clock.advance(1_000);
    await expect(update(id, { name: 'After' }, ownerOf(id))).resolves.toMatchObject({
      workspace: { name: 'After', color: 'teal', updated_at: clock.now().toISOString() },
    });
    await expect(update(id, { color: null }, { ...owner(), roles: { [id]: 'admin' } })).resolves.toMatchObject({
      workspace: { name: 'After', color: '', role: 'admin' },
    });
    clock.advance(1_000);
    await expect(update(id, {}, ownerOf(id))).resolves.toMatchObject({
      workspace: { updated_at: new Date(clock.now().getTime() - 1_000).toISOString() },
    });

    await expect(update(id, { name: 'Mine' }, { ...owner(), roles: { [id]: 'editor' } })).rejects.toEqual(refused('forbidden'));
    await expect(update(id, { name: 'Mine' }, owner())).rejects.toEqual(refused('forbidden'));
    for (const other of [newId(), 'nonsense']) await expect(update(other, { name: 'Mine' }, owner())).rejects.toEqual(refused('not_found'));
    await expect(update(id, { slug: workspaceId }, ownerOf(id))).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('reserve a released slug for 90 days for the workspace that had it', async () => {
    const slug = `vacated-${newId()}`;
    const id = (await create({ name: 'Moving', slug })).workspace?.id ?? '';
    const other = (await create({ name: 'Another' })).workspace?.id ?? '';
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    const reserved = () =>
      refused('bad_request', `slug: is reserved until ${new Date(gaveUp + 90 * day).toISOString()} for the workspace that released it`);
    let gaveUp = clock.now().getTime();
    await expect(update(other, { slug }, ownerOf(other))).rejects.toEqual(reserved());
    await expect(create({ name: 'Taking', slug })).rejects.toEqual(reserved());
    await expect(db('workspace').where({ name: 'Taking' })).resolves.toEqual([]);
    // This slug was derived from the name, so another one is chosen.
    expect((await create({ name: slug })).slug).toMatch(/^vacated-.*-[0-9a-f]{6}$/);

    clock.advance(day);
    await expect(update(id, { slug }, ownerOf(id))).resolves.toMatchObject({ slug });
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    gaveUp = clock.now().getTime();
    clock.advance(90 * day - 1);
    await expect(update(other, { slug }, ownerOf(other))).rejects.toEqual(reserved());
    clock.advance(1);
    await expect(update(other, { slug }, ownerOf(other))).resolves.toMatchObject({ slug });
    await expect(update(id, { slug }, ownerOf(id))).rejects.toEqual(refused('bad_request', 'slug: is taken'));
  });

  it('refuse a slug to a workspace that waited while it was released', async () => {
    const slug = `awaited-${newId()}`;
    const id = (await create({ name: 'Moving', slug })).workspace?.id ?? '';
    let took: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      await trx('workspace')
        .where({ id })
        .update({ slug: `moved-${id}` });
      took = expect(create({ name: 'Waiting', slug })).rejects.toEqual(
        expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(/^slug: is reserved/) as unknown }),
      );
      await eventually(async () =>
        expect(
          (
            await db.raw<{ rows: unknown[] }>(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).rows,
        ).not.toEqual([]),
      );
      await trx('vacated_slug').insert({ slug, workspace_id: id, vacated_at: clock.now() });
    });
    await took;
  });

  it('lose only their expired slug reservations', async () => {
    const row = (days: number) => ({ slug: newId(), workspace_id: newId(), vacated_at: new Date(clock.now().getTime() - days * day) });
    const [over, lasting] = [row(90), row(89)];
    await db('vacated_slug').insert([over, lasting]);
    await sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } });
    await expect(db('vacated_slug').whereIn('slug', [over.slug, lasting.slug]).select('slug')).resolves.toEqual([{ slug: lasting.slug }]);
  });

  it('signal every change of their host to every process, and no other change', async () => {
    const { workspace, slug } = await create({ name: `Moving ${newId()}` });
    const id = workspace?.id ?? '';
    const heard: string[] = [];
    broker.listen('sheaf.events.workspaces.workspace.moved', {
      onEvent: eachOnce((event) => heard.push(event.body)),
      onGap: () => undefined,
    });
    await broker.connection.flush();

    await update(id, { name: 'Renamed', slug }, ownerOf(id));
    await update(id, { slug: `moved-${id}` }, ownerOf(id));
    await eventually(() => expect(heard).toEqual([JSON.stringify({ workspace_id: id, from: slug, to: `moved-${id}` })]));
  });
});

describe('the role of a member', () => {
  const change = (workspace_id: string, user_id: string, role: string, as: User) =>
    client.changeMemberRole(callAs(as), { workspace_id, user_id, role });
  const remove = (workspace_id: string, user_id: string, as: User) => client.removeMember(callAs(as), { workspace_id, user_id });

  it('is changed by owners and admins, and applies from then on', async () => {
    const member = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const admin = await newPerson(newId(), { [workspaceId]: 'admin' });
    const { key = '' } = await client.createApiKey(callAs(member), { name: 'CI' });

    await expect(change(workspaceId, member.id, 'editor', admin)).resolves.toMatchObject({
      user_id: member.id,
      name: 'Olga',
      role: 'editor',
    });
    await expect(authenticate(key)).resolves.toMatchObject({ roles: { [workspaceId]: 'editor' } });
    await expect(change(workspaceId, admin.id, 'viewer', member)).rejects.toEqual(refused('forbidden'));
  });

  it('of an owner cannot be granted, changed, removed or invited again by an admin', async () => {
    const [admin, other, member] = [
      await newPerson(newId(), { [workspaceId]: 'admin' }),
      await newPerson(newId(), { [workspaceId]: 'owner' }),
      await newPerson(newId(), { [workspaceId]: 'viewer' }),
    ];
    const invited = await client.addMember(callAs(owner()), { workspace_id: workspaceId, email: `${newId()}@example.org`, role: 'owner' });

    await expect(change(workspaceId, member.id, 'owner', admin)).rejects.toEqual(
      refused('forbidden', 'Only an owner can make somebody an owner.'),
    );
    await expect(change(workspaceId, other.id, 'editor', admin)).rejects.toEqual(
      refused('forbidden', 'Only an owner can change the role of an owner.'),
    );
    await expect(remove(workspaceId, other.id, admin)).rejects.toEqual(refused('forbidden', 'Only an owner can remove an owner.'));
    await expect(
      client.addMember(callAs(admin), { workspace_id: workspaceId, email: invited.member?.email ?? '', role: 'admin' }),
    ).rejects.toEqual(refused('forbidden', 'Only an owner can change the role of an owner.'));
    await expect(change(workspaceId, member.id, 'owner', other)).resolves.toMatchObject({ role: 'owner' });
  });

  it('of the last owner stays, and an owner who has not accepted their invitation does not count', async () => {
    const id = await newWorkspace();
    const last = await newPerson(newId(), { [id]: 'owner' });
    await client.addMember(callAs(last), { workspace_id: id, email: `${newId()}@example.org`, role: 'owner' });

    await expect(change(id, last.id, 'admin', last)).rejects.toEqual(refused('bad_request', 'role: the last owner must remain an owner'));
    await expect(remove(id, last.id, last)).rejects.toEqual(refused('bad_request', 'The last owner cannot be removed.'));
    await expect(change(id, last.id, 'owner', last)).resolves.toMatchObject({ role: 'owner' });
  });

  it.each(['demote', 'remove', 'demote and remove'])('of one of two owners who %s each other at the same time stays', async (how) => {
    for (let round = 0; round < 10; round += 1) {
      const id = await newWorkspace();
      const [one, two] = [await newPerson(newId(), { [id]: 'owner' }), await newPerson(newId(), { [id]: 'owner' })];
      const results = await Promise.allSettled([
        how === 'remove' ? remove(id, two.id, one) : change(id, two.id, 'viewer', one),
        how === 'demote' ? change(id, one.id, 'viewer', two) : remove(id, one.id, two),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'bad_request' } });
      expect(await db('member').where({ workspace_id: id, role: 'owner' })).toHaveLength(1);
    }
  });

  it('is not found for non-members, nor in another instance', async () => {
    for (const id of [newId(), 'nonsense']) {
      await expect(change(workspaceId, id, 'viewer', owner())).rejects.toEqual(refused('not_found'));
      await expect(change(id, ownerId, 'viewer', owner())).rejects.toEqual(refused('not_found'));
    }
    await expect(change(workspaceId, ownerId, 'viewer', aUser({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
  });
});

describe('an invitation', () => {
  const invite = (email: string, role = 'viewer', as = owner(), workspace_id = workspaceId) =>
    client.addMember(callAs(as), { workspace_id, email, role });
  const accept = (token: string) =>
    client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token, name: 'Edith', password: 'a good long one' });

  it('made again replaces the old one, with the new role', async () => {
    const email = `${newId()}@example.org`;
    const first = await invite(email);
    const second = await invite(email, 'editor');
    expect(second).toMatchObject({ member: { user_id: first.member?.user_id, role: 'editor' } });

    await expect(accept(first.invitation_token ?? '')).rejects.toEqual(refused('not_found'));
    await expect(accept(second.invitation_token ?? '')).resolves.toMatchObject({ workspace: { id: workspaceId, role: 'editor' } });
    await expect(accept(second.invitation_token ?? '')).rejects.toEqual(refused('not_found'));
    await expect(invite(email)).rejects.toEqual(refused('conflict'));
  });

  it('is accepted once by two concurrent requests', async () => {
    const { invitation_token = '' } = await invite(`${newId()}@example.org`);
    const results = await Promise.allSettled([accept(invitation_token), accept(invitation_token)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('expires, and its token is not stored in the database', async () => {
    const { invitation_token = '' } = await invite(`${newId()}@example.org`);
    expect(JSON.stringify(await db('invitation'))).not.toContain(invitation_token);
    clock.advance(7 * 24 * anHour);
    await expect(accept(invitation_token)).rejects.toEqual(refused('not_found'));
  });

  it('grants no role that its inviter could not grant', async () => {
    const email = `${newId()}@example.org`;
    await invite(email, 'owner');
    const other = await newWorkspace();
    const admin = await newPerson(newId(), { [other]: 'admin' });

    const added = await invite(email, 'viewer', admin, other);
    expect(added.member).toMatchObject({ email, role: 'viewer' });
    expect(added.invitation_token).toBeUndefined();
  });
});

describe('a service account', () => {
  const create = async () => client.createServiceAccount(callAs(owner()), { name: 'Robot', scopes: ['forms:read'] });
  const addKey = (service_account_id: string, expires_at?: string, as = owner()) =>
    client.createServiceAccountKey(callAs(as), { service_account_id, ...(expires_at === undefined ? {} : { expires_at }) });
  const revoke = (service_account_id: string, id: string) => client.revokeServiceAccountKey(callAs(owner()), { service_account_id, id });
  const shown = async (id: string) =>
    (await client.listServiceAccounts(callAs(owner()), {})).service_accounts.find((account) => account.id === id);

  it('gets a new name and new scopes, which apply immediately', async () => {
    const { id, key = '' } = await create();
    const changed = await client.updateServiceAccount(callAs(owner()), { id, ...patched({ scopes: ['forms:write', 'forms:write'] }) });
    expect(changed).toMatchObject({ name: 'Robot', scopes: ['forms:write'] });
    await expect(authenticate(key)).resolves.toMatchObject({ scopes: ['forms:write'] });

    await expect(client.updateServiceAccount(callAs(owner()), { id, ...patched({ name: 'Importer' }) })).resolves.toMatchObject({
      name: 'Importer',
      scopes: ['forms:write'],
    });
    await expect(client.updateServiceAccount(callAs(owner()), { id, ...patched({ scopes: [] }) })).resolves.toMatchObject({ scopes: [] });
    await expect(client.updateServiceAccount(callAs(owner()), { id, patch: { scopes: ['all'] }, set: ['scopes'] })).rejects.toEqual(
      refused('bad_request'),
    );
  });

  it('can replace its key without a gap: two keys may be valid at once, never three', async () => {
    const { id, key = '', keys } = await create();
    const second = await addKey(id);
    for (const good of [key, second.key ?? '']) await expect(authenticate(good)).resolves.toMatchObject({ id });
    await expect(addKey(id)).rejects.toEqual(refused('bad_request', 'The service account already has 2 keys; revoke one of them first.'));

    await revoke(id, keys[0]?.id ?? '');
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(second.key ?? '')).resolves.toMatchObject({ id });
    await expect(revoke(id, keys[0]?.id ?? '')).rejects.toEqual(refused('not_found'));
    await expect(addKey(id)).resolves.toMatchObject({ key: expect.stringMatching(/^shf_s_/) as unknown });
  });

  it('never has more than two keys, also after concurrent requests', async () => {
    const { id } = await create();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => addKey(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lists its valid keys and when they were last used, but never the keys themselves', async () => {
    const { id, key = '' } = await create();
    const second = await addKey(id, inAnHour());
    await authenticate(key);
    await eventually(async () =>
      expect((await shown(id))?.keys).toEqual([
        {
          id: expect.any(String) as unknown,
          prefix: key.slice(0, 12),
          created_at: clock.now().toISOString(),
          last_used_at: clock.now().toISOString(),
        },
        { id: second.id, prefix: second.key?.slice(0, 12), created_at: clock.now().toISOString(), expires_at: second.expires_at },
      ]),
    );

    clock.advance(anHour);
    await expect(authenticate(second.key ?? '')).rejects.toEqual(refused('unauthorized'));
    expect((await shown(id))?.keys).toHaveLength(1);
    await expect(addKey(id, clock.now().toISOString())).rejects.toEqual(refused('bad_request', 'expires_at: must be in the future'));
  });

  it('records the use of a key at most once a minute', async () => {
    const { id, key = '' } = await create();
    const lastUsed = async () => (await shown(id))?.keys[0]?.last_used_at;
    const first = clock.now().toISOString();
    await authenticate(key);
    await eventually(async () => expect(await lastUsed()).toBe(first));
    clock.advance(59_000);
    await authenticate(key);
    expect(await lastUsed()).toBe(first);
    clock.advance(2_000);
    await authenticate(key);
    await eventually(async () => expect(await lastUsed()).toBe(clock.now().toISOString()));
  });

  it('is managed only by owners and admins of its own instance', async () => {
    const { id } = await create();
    const editor = aUser({ instanceId, roles: { [workspaceId]: 'editor' } });
    await expect(addKey(id, undefined, editor)).rejects.toEqual(refused('forbidden'));
    await expect(client.updateServiceAccount(callAs(editor), { id, ...patched({ name: 'Mine' }) })).rejects.toEqual(refused('forbidden'));
    const stranger = aUser({ instanceId: newId(), roles: { [newId()]: 'owner' } });
    await expect(addKey(id, undefined, stranger)).rejects.toEqual(refused('not_found'));
    for (const other of [newId(), 'nonsense']) {
      await expect(client.updateServiceAccount(callAs(owner()), { id: other, ...patched({ name: 'Mine' }) })).rejects.toEqual(
        refused('not_found'),
      );
      await expect(revoke(id, other)).rejects.toEqual(refused('not_found'));
    }
  });
});
