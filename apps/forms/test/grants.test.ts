import { newId, type User } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const member = (role: 'owner' | 'admin' | 'editor' | 'viewer') => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
const owner = member('owner');
const editor = member('editor');
const viewer = member('viewer');
const robot = aServiceAccount({ instanceId });

let service: Service;
beforeAll(async () => {
  service = await startService(clock, { FORMS_MAX_GRANTS: 3 });
});
afterAll(() => service.stop());

type Who = Parameters<typeof callAs>[0];
const create = async () => (await service.client.createForm(callAs(owner), { title: 'Survey' })).id;
const get = (id: string, as: Who) => service.client.getForm(callAs(as), { id });
const access = (form_id: string) => service.client.getFormAccess(callAs(owner), { form_id });
const list = async (form_id: string, as: Who = owner) => (await service.client.listGrants(callAs(as), { form_id })).grants;
const put = (form_id: string, user_id: string, role = 'viewer', as: Who = owner) =>
  service.client.putGrant(callAs(as), { form_id, user_id, role });
const remove = (form_id: string, user_id: string, as: Who = owner) => service.client.removeGrant(callAs(as), { form_id, user_id });

/** A member of another workspace in the instance, as `workspaces` knows them. */
function aFriend(instance = instanceId): User {
  const elsewhere = newId();
  const friend = aUser({ instanceId: instance, workspaceId: elsewhere, roles: { [elsewhere]: 'editor' } });
  service.people.set(friend.id, { instanceId: instance, name: 'Grace', email: `${friend.id}@example.org` });
  return friend;
}

function aFolder(): { id: string } {
  const id = newId();
  service.folders.set(id, { instanceId, workspaceId, creator: { kind: 'user', id: owner.id } });
  return { id };
}

describe('a grant', () => {
  it('gives a member of another workspace a role on one form, and a repeated grant changes the role', async () => {
    const [id, other] = [await create(), await create()];
    const friend = aFriend();
    await expect(get(id, friend)).rejects.toEqual(refused('forbidden'));

    const given = {
      user_id: friend.id,
      role: 'viewer',
      created_at: clock.now().toISOString(),
      name: 'Grace',
      email: `${friend.id}@example.org`,
    };
    await expect(put(id, friend.id)).resolves.toEqual(given);
    await expect(get(id, friend)).resolves.toMatchObject({ role: 'viewer' });
    clock.advance(1_000);
    await expect(put(id, friend.id, 'editor')).resolves.toEqual({ ...given, role: 'editor' });
    await expect(get(id, friend)).resolves.toMatchObject({ role: 'editor' });

    await expect(get(other, friend)).rejects.toEqual(refused('forbidden'));
    await expect(list(id)).resolves.toEqual([{ ...given, role: 'editor' }]);
  });

  it('of the role owner is given in a session only, because an owner stays when the key is revoked', async () => {
    const account = aServiceAccount({ instanceId });
    const byKey: User = { ...owner, via: 'api_key' };
    const { id: folder_id } = aFolder();
    const own = (await service.client.createForm(callAs(account), { title: 'Its own', folder_id })).id;
    const friend = aFriend();
    const email = `${friend.id}@example.org`;
    const needsSession = refused('forbidden', 'This operation requires a session; a key is not enough.');
    for (const [id, as] of [
      [await create(), byKey],
      [own, account],
    ] as const) {
      await put(id, friend.id, 'editor', as);
      await expect(put(id, friend.id, 'owner', as)).rejects.toEqual(needsSession);
      await expect(service.client.addGrant(callAs(as), { form_id: id, email, role: 'owner' })).rejects.toEqual(needsSession);
      await expect(get(id, friend)).resolves.toMatchObject({ role: 'editor' });
      await expect(put(id, friend.id, 'owner')).resolves.toMatchObject({ role: 'owner' });
    }
  });

  it('reaches a person by their address, and nobody whom the instance does not know', async () => {
    const id = await create();
    const friend = aFriend();
    const stranger = aFriend(newId());
    const add = (email: string, as: Who = owner, role = 'viewer') => service.client.addGrant(callAs(as), { form_id: id, email, role });
    const address = ({ id: of }: User) => `${of}@example.org`;

    await expect(add(address(friend))).resolves.toMatchObject({
      user_id: friend.id,
      role: 'viewer',
      name: 'Grace',
      email: address(friend),
    });
    await expect(get(id, friend)).resolves.toMatchObject({ role: 'viewer' });
    await expect(add(address(friend), owner, 'editor')).resolves.toMatchObject({ user_id: friend.id, role: 'editor' });
    for (const nobody of [address(stranger), 'nobody@example.org'])
      await expect(add(nobody)).rejects.toEqual(refused('bad_request', 'email: is not the address of a person in this instance'));
    for (const as of [editor, viewer]) await expect(add(address(friend), as)).rejects.toEqual(refused('forbidden'));
    await expect(list(id)).resolves.toMatchObject([{ user_id: friend.id }]);
  });

  it('ends when it is revoked', async () => {
    const id = await create();
    const friend = aFriend();
    await put(id, friend.id, 'owner');

    await expect(remove(id, friend.id)).resolves.toEqual({});

    await expect(get(id, friend)).rejects.toEqual(refused('forbidden'));
    await expect(list(id)).resolves.toEqual([]);
    await expect(remove(id, friend.id)).rejects.toEqual(refused('not_found', 'There is no such grant.'));
    await expect(remove(id, 'nonsense')).rejects.toEqual(refused('not_found', 'There is no such grant.'));
  });

  it('never lowers the role that a user has through the workspace', async () => {
    const id = await create();
    service.people.set(editor.id, { instanceId, name: 'Ed', email: 'ed@example.org' });
    await put(id, editor.id, 'viewer');
    await expect(get(id, editor)).resolves.toMatchObject({ role: 'editor' });
  });

  it('is signalled to every process and does not update the form', async () => {
    const id = await create();
    const before = await get(id, owner);
    const friend = aFriend();
    const recorded = await service.recordEvents();
    clock.advance(1_000);

    await put(id, friend.id);
    await expect(access(id)).resolves.toMatchObject({ grants: { [friend.id]: 'viewer' } });
    await remove(id, friend.id);
    await expect(access(id)).resolves.toMatchObject({ grants: {} });

    // The second change of a grant is published only after the first one is confirmed, and no consumer confirms it here.
    const told = { form_id: id, workspace_id: workspaceId, user_id: friend.id };
    await eventually(() => expect(recorded(id)).toHaveLength(3));
    expect(recorded(id)).toContainEqual({ ...told, role: 'viewer' });
    const kept = await service
      .db<{ body: string; type: string; form_id: string; position: number }>('outbox')
      .where({ type: 'grant.changed', form_id: id })
      .orderBy('position');
    expect(kept.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ ...told, role: 'viewer' }, told]);
    await expect(get(id, owner)).resolves.toEqual(before);
  });

  it('is given and revoked by owners, including owners by grant', async () => {
    const id = await create();
    const [friend, boss] = [aFriend(), aFriend()];
    await put(id, boss.id, 'owner');
    for (const as of [editor, viewer, robot, friend]) {
      await expect(put(id, friend.id, 'owner', as)).rejects.toEqual(refused('forbidden'));
      await expect(remove(id, boss.id, as)).rejects.toEqual(refused('forbidden'));
    }
    await expect(put(id, friend.id, 'viewer', member('admin'))).resolves.toMatchObject({ role: 'viewer' });
    await expect(put(id, friend.id, 'editor', boss)).resolves.toMatchObject({ role: 'editor' });
    await expect(remove(id, friend.id, boss)).resolves.toEqual({});
  });

  it('is given by a service account on a form that it created', async () => {
    const folder = newId();
    service.folders.set(folder, { instanceId, workspaceId, creator: { kind: 'user', id: owner.id } });
    const { id } = await service.client.createForm(callAs(robot), { folder_id: folder });
    await expect(put(id, aFriend().id, 'editor', robot)).resolves.toMatchObject({ role: 'editor' });
  });

  it.each<[string, () => string]>([
    ['an unknown id', newId],
    ['a malformed id', () => 'nonsense'],
    ['a service account', () => robot.id],
    ['a member of only another instance', () => aFriend(newId()).id],
  ])('is only for people in the instance: %s is not found', async (_, who) => {
    await expect(put(await create(), who())).rejects.toEqual(refused('not_found', 'There is no such user.'));
  });

  it('is refused with an unknown role', async () => {
    await expect(put(await create(), aFriend().id, 'admin')).rejects.toEqual(
      refused('bad_request', 'role: must be one of owner, editor, viewer'),
    );
  });

  it('can be read but not changed while the form is in the trash', async () => {
    const id = await create();
    const friend = aFriend();
    await put(id, friend.id);
    await service.client.trashForm(callAs(owner), { id });
    await expect(put(id, friend.id, 'editor')).rejects.toEqual(refused('bad_request', 'The form is in the trash and cannot be changed.'));
    await expect(remove(id, friend.id)).rejects.toEqual(refused('bad_request', 'The form is in the trash and cannot be changed.'));
    await expect(list(id)).resolves.toMatchObject([{ user_id: friend.id, role: 'viewer' }]);
  });

  it('never exceeds the maximum per form, even after concurrent requests', async () => {
    const id = await create();
    const friends = Array.from({ length: 6 }, () => aFriend());
    const outcomes = await Promise.allSettled(friends.map((friend) => put(id, friend.id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'bad_request', message: expect.stringMatching(/^user_id: .* 3 people/) as unknown },
    });

    const [first] = await list(id);
    await expect(put(id, first?.user_id ?? '', 'editor')).resolves.toMatchObject({ role: 'editor' });
    await remove(id, first?.user_id ?? '');
    await expect(put(id, aFriend().id)).resolves.toMatchObject({ role: 'viewer' });
  });
});

describe('the grants of a form', () => {
  it('are shown to its owners and editors, the oldest first', async () => {
    const id = await create();
    const [first, second] = [aFriend(), aFriend()];
    await put(id, first.id, 'editor');
    clock.advance(1_000);
    await put(id, second.id);

    for (const as of [owner, editor, robot, first]) {
      expect((await list(id, as)).map(({ user_id }) => user_id)).toEqual([first.id, second.id]);
    }
    for (const as of [viewer, second, aFriend()]) await expect(list(id, as)).rejects.toEqual(refused('forbidden'));
    for (const unknown of [newId(), 'nonsense'])
      await expect(list(unknown)).rejects.toEqual(refused('not_found', 'There is no such form.'));
    await expect(list(id, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
  });

  it('include users who have left the instance, without their name and address', async () => {
    const id = await create();
    const friend = aFriend();
    await put(id, friend.id);
    service.people.delete(friend.id);

    await expect(list(id)).resolves.toEqual([{ user_id: friend.id, role: 'viewer', created_at: clock.now().toISOString() }]);
    await expect(remove(id, friend.id)).resolves.toEqual({});
  });

  it('add a form to the list of a user only in the active workspace of the form', async () => {
    const id = await create();
    const friend = aFriend();
    const guest = { ...friend, workspaceId };
    const titles = async (as: User) => (await service.client.listForms(callAs(as), { limit: 100, offset: 0 })).forms.map((form) => form.id);
    await put(id, friend.id);
    expect(await titles(friend)).toEqual([]);
    expect(await titles(guest)).toEqual([id]);
    await remove(id, friend.id);
    expect(await titles(guest)).toEqual([]);
  });

  it('are not copied with the form', async () => {
    const id = await create();
    await put(id, aFriend().id);
    const copy = await service.client.duplicateForm(callAs(owner), { id });
    await expect(list(copy.id)).resolves.toEqual([]);
  });
});

it.each<[string, number, (id: string, friend: string) => Promise<unknown>]>([
  ['ListGrants', 2, (id) => list(id)],
  ['PutGrant', 3, put],
  ['RemoveGrant', 2, (id, friend) => remove(id, friend)],
])('%s costs %i statements, not counting the event', async (_, count, act) => {
  const id = await create();
  const friend = aFriend();
  await put(id, friend.id);
  service.statements.length = 0;
  await act(id, friend.id);
  expect(service.statements).toHaveLength(count);
});
