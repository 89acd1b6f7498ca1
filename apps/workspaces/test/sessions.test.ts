import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import { authenticate, client, clock, db, instanceId, newPerson, owner, ownerId, signIn, useService, workspaceId } from './stage';

useService();

describe('a call to workspaces', () => {
  it('is refused without a caller token', async () => {
    await expect(client.getMe({ ...callAs(owner()), token: '' }, {})).rejects.toEqual(refused('unauthorized'));
  });

  it('may authenticate a credential only if the caller is a service', async () => {
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

  it('says whether the person manages the instance', async () => {
    const editor = await newPerson(newId(), { [workspaceId]: 'editor' });
    expect((await signIn()).instance).toEqual({ name: 'Test', manages: true, role: 'owner' });
    const session = await signIn(`${editor.id}@example.org`);
    expect(session.instance).toEqual({ name: 'Test', manages: false });
    const { credential_id: credentialId } = await authenticate(session.token);
    expect(await client.getSession(callAs({ ...editor, credentialId }), {})).toMatchObject({ instance: { name: 'Test', manages: false } });
  });

  it('accepts the address in any case', async () => {
    await expect(signIn(' Olga@Example.ORG ')).resolves.toMatchObject({ user: { id: ownerId } });
  });

  it('gives the same answer for a wrong password and for an unknown address', async () => {
    const [wrong, unknown] = await Promise.allSettled([signIn('olga@example.org', 'wrong'), signIn('nobody@example.org', 'wrong')]);

    expect(wrong).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
    expect((unknown as PromiseRejectedResult).reason).toMatchObject({
      message: ((wrong as PromiseRejectedResult).reason as Error).message,
    });
  });

  it('opens a session that is invalid immediately after signing out', async () => {
    const { token } = await signIn();
    const { credential_id } = await authenticate(token);

    await client.endSession(callAs({ ...owner(), credentialId: credential_id }), {});

    await expect(authenticate(token)).rejects.toEqual(refused('unauthorized'));
  });

  it('opens a session that is invalid once it expires', async () => {
    const { token } = await signIn();
    clock.advance(31 * 24 * 60 * 60 * 1_000);
    await expect(authenticate(token)).rejects.toEqual(refused('unauthorized'));
  });
});

describe('switching the workspace', () => {
  const second = newId();
  const foreign = newId();
  const switchTo = (workspace_id: string, as: Caller) => client.switchWorkspace(callAs(as), { workspace_id });
  const newSession = async () => {
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
    const [one, other] = [await newSession(), await newSession()];

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
    const { token, session } = await newSession();
    await switchTo(second, session);
    await db('member').where({ workspace_id: second, person_id: ownerId }).delete();
    await expect(authenticate(token)).resolves.toMatchObject({ workspace_id: workspaceId });
  });
});
