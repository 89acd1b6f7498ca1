import { newId, type User } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import {
  authenticate,
  client,
  db,
  newPerson,
  newWorkspace,
  owner,
  password,
  patched,
  recordEvents,
  signIn,
  useService,
  workspaceId,
} from './stage';

useService();

const common = 'password: is too common, and among the first that are tried; use several words that do not belong together';

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
      has_password: true,
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
    [{ password: 'Password1234!', current_password: password }, common],
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
    const events = await recordEvents();

    await update(session, { current_password: password, password: 'another good one' });

    await expect(authenticate(elsewhere.token)).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(here.token)).resolves.toMatchObject({ id: me.id });
    await expect(authenticate(key)).resolves.toMatchObject({ id: me.id });
    await eventually(() => expect(events).toContain(JSON.stringify({ principal_ids: [me.id], credential_ids: [] })));
    await expect(signIn(email)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(email, 'another good one')).resolves.toMatchObject({ user: { id: me.id } });
  });

  it('changes the password once if two requests use the same current password', async () => {
    const me = await newPerson(newId(), { [workspaceId]: 'viewer' });
    const results = await Promise.allSettled(
      ['the first new one', 'the second new one'].map((newPassword) => update(me, { current_password: password, password: newPassword })),
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
