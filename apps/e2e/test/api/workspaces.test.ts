import type { Person } from '@sheaf/testing';
import { unknownId } from '../../support/operations';
import { anyone, asMember, asOwner, asServiceAccount, credentials, secondWorkspace, signInAgain } from '../../support/people';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });
const { user } = credentials;

/** A member of two workspaces. */
let session: Person;
let second: string;
beforeAll(async () => {
  session = await asMember('editor');
  const { email } = (await session.get('/api/v1/auth/me')).body as { email: string };
  second = await secondWorkspace({ email, role: 'editor' });
});

describe('PATCH /auth/workspace', () => {
  it('switches the workspace of this session for the next request, and not that of other sessions', async () => {
    const other = await signInAgain(session);
    const title = `Of the first ${Date.now()}`;
    await session.post('/api/v1/forms', { title });
    const sees = async (who: Person) => ((await who.get(`/api/v1/forms?q=${encodeURIComponent(title)}`)).body as { total: number }).total;
    expect(await sees(session)).toBe(1);

    expect(await session.patch('/api/v1/auth/workspace', { workspace_id: second })).toMatchObject({
      status: 200,
      body: { id: second, name: 'Second workspace', color: '', role: 'editor' },
    });

    expect([await sees(session), await sees(other)]).toEqual([0, 1]);
    const { id } = (await session.post('/api/v1/folders', { label: 'Of the second' })).body as { id: string };
    expect((await other.get('/api/v1/folders')).body).not.toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id })]) as unknown,
    });
    expect(await session.get('/app/v1/sessions/current')).toMatchObject({ body: { workspace: { id: second } } });

    await session.patch('/api/v1/auth/workspace', { workspace_id: credentials.workspace_id });
    expect(await sees(session)).toBe(1);
  });

  it('returns the workspace to a key, which still acts in the default one', async () => {
    const { key } = (await session.post('/app/v1/api-keys', { name: 'CI' })).body as { key: string };
    const byKey = anyone.with(key);
    expect(await byKey.patch('/api/v1/auth/workspace', { workspace_id: second })).toMatchObject({ status: 200, body: { id: second } });
    const { id } = (await byKey.post('/api/v1/forms', { title: 'Of the key' })).body as { id: string };
    expect(await session.get('/api/v1/forms?q=Of the key')).toMatchObject({
      body: { data: expect.arrayContaining([expect.objectContaining({ id })]) as unknown },
    });
  });

  it('rejects unknown workspaces and those of others with the same message', async () => {
    const outsider = await asMember('admin');
    const refused = await outsider.patch('/api/v1/auth/workspace', { workspace_id: second });
    expect(refused).toMatchObject(error(403, 'forbidden'));
    for (const workspace_id of [unknownId, 'nonsense'])
      expect((await outsider.patch('/api/v1/auth/workspace', { workspace_id })).body).toEqual(refused.body);
  });

  it('rejects service accounts with 400, or 403 without the scope, and a body without a workspace with 400', async () => {
    const body = { workspace_id: second };
    expect(await (await asServiceAccount('workspaces:manage')).patch('/api/v1/auth/workspace', body)).toMatchObject(
      error(400, 'bad_request'),
    );
    expect(await (await asServiceAccount('forms:read')).patch('/api/v1/auth/workspace', body)).toMatchObject(
      error(403, 'insufficient_scope'),
    );
    expect(await asOwner.patch('/api/v1/auth/workspace', {})).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message: 'workspace_id: is required' } },
    });
  });
});

describe('GET /workspaces/{id}/members', () => {
  it('returns all members to any member, as an unpaginated list', async () => {
    const viewer = await asMember('viewer');
    const { status, body } = await viewer.get(`/api/v1/workspaces/${credentials.workspace_id}/members`);
    const { data, ...envelope } = body as { data: object[] };

    expect(status).toBe(200);
    expect(envelope).toEqual({ total: data.length, limit: data.length, offset: 0 });
    expect(data).toContainEqual({
      user_id: user.id,
      name: 'Owner',
      email: user.email,
      avatar_url: '',
      role: 'owner',
      created_at: expect.stringMatching(/Z$/) as unknown,
    });
    expect(data).toContainEqual(expect.objectContaining({ name: 'The viewer', role: 'viewer' }));
  });

  it('answers 403 to non-members, even for unknown workspaces', async () => {
    const outsider = await asMember('admin');
    for (const id of [second, unknownId, 'nonsense', '__proto__']) {
      expect(await outsider.get(`/api/v1/workspaces/${id}/members`)).toMatchObject(error(403, 'forbidden'));
    }
    const robot = await asServiceAccount('workspaces:manage');
    expect(await robot.get(`/api/v1/workspaces/${second}/members`)).toMatchObject(error(403, 'forbidden'));
  });
});
