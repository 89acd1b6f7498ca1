import { eventually, type Person, soonMs } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials, secondWorkspace, signIn } from '../../support/people';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

describe('a credential', () => {
  it('is required', async () => {
    const reply = await anyone.get('/api/v1/auth/me');
    expect(reply).toMatchObject(error(401, 'authentication_required'));
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['is nonsense', 'nonsense'],
    ['is a key that does not exist', `shf_u_${'0'.repeat(49)}`],
    ['is a forged session token', 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.'],
  ])('is rejected with the same message if it %s', async (_, credential) => {
    expect(await anyone.with(credential).get('/api/v1/auth/me')).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized', message: 'The credentials are not valid.' } },
    });
  });

  it('identifies its owner', async () => {
    const owner = { id: credentials.user.id, email: credentials.user.email };
    expect(await asOwner.get('/api/v1/auth/me')).toMatchObject({ status: 200, body: owner });
    expect(await (await asOwnerSignedIn()).get('/api/v1/auth/me')).toMatchObject({ status: 200, body: owner });

    const robot = await asServiceAccount('forms:read');
    expect(await robot.get('/api/v1/auth/me')).toMatchObject({
      status: 200,
      body: { id: robot.id, name: 'Robot', email: `${robot.id}@service-accounts.invalid` },
    });
  });

  it('is invalid within a second of its revocation', async () => {
    const owner = await asOwnerSignedIn();
    const { id, key } = (await owner.post('/app/v1/api-keys', { name: 'short-lived' })).body as { id: string; key: string };
    const holder = anyone.with(key);
    expect(await holder.get('/api/v1/auth/me')).toMatchObject({ status: 200 });

    expect(await owner.delete(`/app/v1/api-keys/${id}`)).toMatchObject({ status: 204 });
    await eventually(async () => expect(await holder.get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized')), soonMs);
  });

  it('of a session is invalid after signing out', async () => {
    const session = await signIn(credentials.user.email, credentials.user.password);
    expect(await session.delete('/app/v1/sessions/current')).toMatchObject({ status: 204 });
    await eventually(async () => expect(await session.get('/app/v1/sessions/current')).toMatchObject(error(401, 'unauthorized')), soonMs);
  });

  it('is refused in the same way for a wrong password and for an unknown address', async () => {
    const wrong = await anyone.post('/app/v1/sessions', { email: credentials.user.email, password: 'wrong' });
    const unknown = await anyone.post('/app/v1/sessions', { email: 'nobody@example.org', password: 'wrong' });
    expect(wrong).toMatchObject(error(401, 'unauthorized'));
    expect(unknown.body).toEqual(wrong.body);
  });

  it('that is a key cannot create other keys', async () => {
    expect(await asOwner.post('/app/v1/api-keys', { name: 'x' })).toMatchObject(error(403, 'forbidden'));
  });
});

describe('a scope', () => {
  it.each([
    ['forms:read', 'get', '/api/v1/forms'],
    ['forms:write', 'post', '/api/v1/forms'],
    ['submissions:read', 'get', '/api/v1/forms/x/submissions'],
    ['submissions:write', 'delete', '/api/v1/forms/x/submissions/y'],
    ['workspaces:manage', 'get', '/api/v1/workspaces'],
    ['hooks:manage', 'post', '/api/v1/hooks/subscribe'],
  ] as const)('%s is required to %s %s', async (scope, method, path) => {
    const all = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'];
    const without = await asServiceAccount(...all.filter((other) => other !== scope));
    const only = await asServiceAccount(scope);

    expect(await without[method](path)).toMatchObject(error(403, 'insufficient_scope'));
    expect((await only[method](path)).body).not.toMatchObject({ error: { code: 'insufficient_scope' } });
  });

  it('is checked before the input', async () => {
    const robot = await asServiceAccount('forms:read');
    expect(await robot.post('/api/v1/forms', { title: 5 })).toMatchObject(error(403, 'insufficient_scope'));
  });
});

describe('one scope alone', () => {
  it('is enough for operations that involve several services', async () => {
    const [reader, writer, exporter] = [
      await asServiceAccount('forms:read'),
      await asServiceAccount('forms:write'),
      await asServiceAccount('submissions:read'),
    ];
    const { id: folder } = (await asOwner.post('/api/v1/folders', { label: 'Filed' })).body as { id: string };
    const filed = await writer.post('/api/v1/forms', { title: 'Filed', folder_id: folder });
    expect(filed).toMatchObject({ status: 201, body: { folder_id: folder } });
    const { id } = filed.body as { id: string };
    expect(await writer.post(`/api/v1/forms/${id}/duplicate`)).toMatchObject({ status: 201, body: { folder_id: folder } });

    expect(await writer.put(`/app/v1/forms/${id}/grants/${credentials.user.id}`, { role: 'viewer' })).toMatchObject({ status: 200 });
    expect(await reader.get(`/app/v1/forms/${id}/grants`)).toMatchObject({
      status: 200,
      body: { data: [{ user_id: credentials.user.id, email: credentials.user.email }] },
    });

    for (const format of ['csv', 'xlsx', 'ndjson'])
      expect(await exporter.get(`/app/v1/forms/${id}/submissions/export?format=${format}`)).toMatchObject({ status: 200 });
  });
});

describe('a role on a form', () => {
  let form: string;
  let submission: string;
  let people: Record<'owner' | 'admin' | 'editor' | 'viewer', Person>;
  beforeAll(async () => {
    form = await given.publishedForm();
    submission = await given.submission(form);
    people = { owner: asOwner, admin: await asMember('admin'), editor: await asMember('editor'), viewer: await asMember('viewer') };
  });

  it.each([
    ['owner', 'owner'],
    ['admin', 'owner'],
    ['editor', 'editor'],
    ['viewer', 'viewer'],
  ] as const)('of the workspace %s is %s', async (who, role) => {
    expect(await people[who].get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200, body: { role } });
  });

  it('of viewer allows reading everything and changing nothing', async () => {
    const { viewer } = people;
    for (const path of ['', '/fields', '/submissions', `/submissions/${submission}`]) {
      expect(await viewer.get(`/api/v1/forms/${form}${path}`)).toMatchObject({ status: 200 });
    }
    const refused = error(403, 'forbidden');
    expect(await viewer.patch(`/api/v1/forms/${form}`, { title: 'Mine' })).toMatchObject(refused);
    expect(await viewer.post(`/api/v1/forms/${form}/publish`)).toMatchObject(refused);
    expect(await viewer.delete(`/api/v1/forms/${form}`)).toMatchObject(refused);
    expect(await viewer.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' })).toMatchObject(refused);
    expect(await viewer.delete(`/api/v1/forms/${form}/submissions/${submission}`)).toMatchObject(refused);
    expect(await viewer.post('/api/v1/forms', { title: 'Mine' })).toMatchObject(refused);
    expect(await viewer.put(`/app/v1/forms/${form}/draft`, { fields: [], revision: 0 })).toMatchObject(refused);
  });

  it('of editor allows changing everything but not deleting the form', async () => {
    const { editor } = people;
    expect(await editor.patch(`/api/v1/forms/${form}`, { closed_message: 'Back on Monday' })).toMatchObject({
      status: 200,
      body: { closed_message: 'Back on Monday' },
    });
    expect(await editor.post(`/api/v1/forms/${form}/publish`)).toMatchObject({ status: 200 });
    expect(await editor.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' })).toMatchObject({
      status: 200,
    });
    expect(await editor.delete(`/api/v1/forms/${form}`)).toMatchObject(error(403, 'forbidden'));
  });

  it('ends in every process within a second of the removal from the workspace', async () => {
    const member = await asMember('editor');
    const { id, email } = (await member.get('/api/v1/auth/me')).body as { id: string; email: string };
    await secondWorkspace({ email, role: 'viewer' });
    expect(await member.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ status: 200 });

    expect(await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${id}`)).toMatchObject({
      status: 204,
    });
    await eventually(async () => {
      expect(await member.get(`/api/v1/forms/${form}`)).toMatchObject(error(403, 'forbidden'));
      expect(await member.get(`/api/v1/forms/${form}/submissions`)).toMatchObject(error(403, 'forbidden'));
    }, soonMs);
  });

  it('of the creator ends within a second of leaving the workspace, even if they stay in another one', async () => {
    const member = await asMember('editor');
    const { id, email } = (await member.get('/api/v1/auth/me')).body as { id: string; email: string };
    await secondWorkspace({ email, role: 'viewer' });
    const { id: made } = (await member.post('/api/v1/forms', { title: 'Mine' })).body as { id: string };
    const { id: folder } = (await member.post('/api/v1/folders', { label: 'Mine' })).body as { id: string };

    expect(await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${id}`)).toMatchObject({
      status: 204,
    });
    await eventually(async () => {
      for (const path of [`/api/v1/forms/${made}`, `/api/v1/forms/${made}/submissions`, `/app/v1/forms/${made}/webhooks`]) {
        expect(await member.get(path)).toMatchObject(error(403, 'forbidden'));
      }
      expect(await member.patch(`/api/v1/folders/${folder}`, { label: 'Still mine' })).toMatchObject(error(403, 'forbidden'));
    }, soonMs);
    expect(await asOwner.get(`/api/v1/forms/${made}`)).toMatchObject({ status: 200, body: { role: 'owner' } });
    expect(await asOwner.delete(`/api/v1/folders/${folder}`)).toMatchObject({ status: 204 });
  });

  it('ends for the creator and for grantees with their last membership, as do their key and session', async () => {
    const member = await asMember('editor');
    const { id: userId } = (await member.get('/api/v1/auth/me')).body as { id: string };
    const byKey = anyone.with(((await member.post('/app/v1/api-keys', { name: 'Kept' })).body as { key: string }).key);
    const { id: made } = (await byKey.post('/api/v1/forms', { title: 'Mine' })).body as { id: string };
    expect(await asOwner.put(`/app/v1/forms/${form}/grants/${userId}`, { role: 'editor' })).toMatchObject({ status: 200 });

    expect(await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`)).toMatchObject({
      status: 204,
    });
    await eventually(async () => {
      for (const who of [member, byKey]) {
        for (const id of [form, made]) expect(await who.get(`/api/v1/forms/${id}`)).toMatchObject(error(401, 'unauthorized'));
      }
    }, soonMs);
  });

  it('lets a new member read the form', async () => {
    expect(await (await asMember('viewer')).get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200 });
  });
});
