import { newId, type Caller, type User } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused } from '@sheaf/testing';
import {
  authenticate,
  client,
  clock,
  db,
  gateway,
  instanceId,
  newPerson,
  newWorkspace,
  owner,
  ownerId,
  recordEvents,
  signIn,
  useService,
  workspaceId,
} from './stage';

useService();

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
    await expect(signIn('edith@example.org', 'a long password')).resolves.toMatchObject({ user: { name: 'Edith' } });
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

    it('never include the last owner, even when two owners remove each other', async () => {
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
    const events = await recordEvents();

    const { member } = await add('new@example.org');

    await eventually(() => expect(events).toContain(JSON.stringify({ principal_ids: [member?.user_id], credential_ids: [] })));
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

  it.each(['demote', 'remove', 'demote and remove'])('is kept for one of two owners who %s each other at the same time', async (action) => {
    for (let round = 0; round < 10; round += 1) {
      const id = await newWorkspace();
      const [one, two] = [await newPerson(newId(), { [id]: 'owner' }), await newPerson(newId(), { [id]: 'owner' })];
      const results = await Promise.allSettled([
        action === 'remove' ? remove(id, two.id, one) : change(id, two.id, 'viewer', one),
        action === 'demote' ? change(id, one.id, 'viewer', two) : remove(id, one.id, two),
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

  it('takes no common password, and still works afterwards', async () => {
    const { invitation_token: token = '' } = await invite('lucia.ferrer@example.org');
    for (const password of ['iloveyou1234', 'Lucia.Ferrer2024'])
      await expect(
        client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token, name: 'Lucia', password }),
      ).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/^password: is too common/) as unknown });
    await expect(accept(token)).resolves.toHaveProperty('token');
  });

  it('that is repeated replaces the old one and has the new role', async () => {
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
    clock.advance(7 * 24 * 3_600_000);
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
