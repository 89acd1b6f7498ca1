import { eventually, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { asMember, asOwner, asServiceAccount, credentials, secondWorkspace } from '../../support/people';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, body: { error: { code, message } } });

let editor: Person;
let viewer: Person;
let robot: Person;
beforeAll(async () => {
  [editor, viewer, robot] = [await asMember('editor'), await asMember('viewer'), await asServiceAccount('forms:read', 'forms:write')];
});

describe('POST /folders', () => {
  it('creates a folder with the icon "folder" at the top level, owned by its creator', async () => {
    const reply = await editor.post('/api/v1/folders', { label: ' Visits ', icon: '' });
    expect(reply).toEqual({
      status: 201,
      headers: expect.anything() as unknown,
      body: {
        id: expect.any(String) as unknown,
        label: 'Visits',
        icon: 'folder',
        color: '',
        sort_order: 0,
        role: 'owner',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as unknown,
        updated_at: expect.any(String) as unknown,
      },
    });
  });

  it.each([
    [{}, 'label: is required'],
    [{ label: 5 }, 'label: must be a string'],
    [{ label: 'X', parent_id: null }, 'parent_id: must be a string'],
  ])('rejects %j', async (body, message) => {
    expect(await asOwner.post('/api/v1/folders', body)).toMatchObject(error(400, 'bad_request', message));
  });
});

describe('GET /folders', () => {
  it('returns every folder of the active workspace as an unpaginated list, with the role of the caller', async () => {
    const { id } = await given.folder();
    for (const [who, role] of [
      [asOwner, 'owner'],
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const) {
      const { status, body } = await who.get('/api/v1/folders');
      const { data, ...envelope } = body as { data: given.Folder[] };
      expect(status).toBe(200);
      expect(envelope).toEqual({ total: data.length, limit: data.length, offset: 0 });
      expect(data).toContainEqual(expect.objectContaining({ id, role }));
    }
  });
});

describe('PATCH /folders/{id}', () => {
  it('changes only the fields in the body', async () => {
    const before = await given.folder({ icon: 'star', color: 'red' });
    const { status, body } = await editor.patch(`/api/v1/folders/${before.id}`, { label: 'New', sort_order: 3 });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, label: 'New', sort_order: 3, role: 'editor', updated_at: expect.any(String) as unknown });
    expect((body as given.Folder).updated_at > before.updated_at).toBe(true);
  });

  it('moves the folder into another one, or to the top level with null', async () => {
    const [outer, inner] = [await given.folder(), await given.folder()];
    expect(await asOwner.patch(`/api/v1/folders/${inner.id}`, { parent_id: outer.id })).toMatchObject({
      status: 200,
      body: { parent_id: outer.id },
    });
    expect((await asOwner.patch(`/api/v1/folders/${inner.id}`, { parent_id: null })).body).not.toHaveProperty('parent_id');
  });

  it.each([
    [{ label: null }, 'label: must be a string'],
    [{ sort_order: 1.5 }, 'sort_order: must be a whole number between -2147483648 and 2147483647'],
    [{ sort_order: '1' }, 'sort_order: must be a whole number between -2147483648 and 2147483647'],
  ])('rejects %j', async (body, message) => {
    expect(await asOwner.patch(`/api/v1/folders/${(await given.folder()).id}`, body)).toMatchObject(error(400, 'bad_request', message));
  });
});

describe('DELETE /folders/{id}', () => {
  it('only unfiles the forms in the folder', async () => {
    const folder = await given.folder();
    const forms = await Promise.all([1, 2, 3].map(() => given.form({ folder_id: folder.id })));
    expect(await asOwner.delete(`/api/v1/folders/${folder.id}`)).toMatchObject({ status: 204 });
    await eventually(async () => {
      for (const { id, updated_at } of forms) {
        const { status, body } = await asOwner.get(`/api/v1/forms/${id}`);
        expect({ status, body }).toMatchObject({ status: 200, body: { status: 'active', updated_at } });
        expect(body).not.toHaveProperty('folder_id');
      }
    });
  });
});

describe('folder_id of a form', () => {
  it('is set by POST and PATCH, and omitted from an unfiled form', async () => {
    const [first, second] = [await given.folder(), await given.folder()];
    const { id } = await given.form();
    expect((await asOwner.get(`/api/v1/forms/${id}`)).body).not.toHaveProperty('folder_id');
    expect(await asOwner.patch(`/api/v1/forms/${id}`, { folder_id: first.id })).toMatchObject({
      status: 200,
      body: { folder_id: first.id },
    });
    expect(await asOwner.patch(`/api/v1/forms/${id}`, { folder_id: second.id })).toMatchObject({
      status: 200,
      body: { folder_id: second.id },
    });
    expect(await asOwner.patch(`/api/v1/forms/${id}`, { title: 'X' })).toMatchObject({ status: 200, body: { folder_id: second.id } });
    expect((await asOwner.patch(`/api/v1/forms/${id}`, { folder_id: null })).body).not.toHaveProperty('folder_id');
    expect(await editor.post('/api/v1/forms', { folder_id: first.id })).toMatchObject({
      status: 201,
      body: { folder_id: first.id, role: 'owner', title: 'Untitled Form' },
    });
  });

  it('must be in the active workspace of a person, like parent_id', async () => {
    const member = await asMember('editor');
    const { email } = (await member.get('/api/v1/auth/me')).body as { email: string };
    const second = await secondWorkspace({ email, role: 'editor' });
    const first = await given.folder({}, member);
    const filed = await given.form({ folder_id: first.id }, member);
    await member.patch('/api/v1/auth/workspace', { workspace_id: second });
    const own = await given.folder({}, member);

    for (const [method, path, field] of [
      ['post', '/api/v1/forms', 'folder_id'],
      ['patch', `/api/v1/forms/${filed.id}`, 'folder_id'],
      ['patch', `/api/v1/forms/${(await given.form({}, member)).id}`, 'folder_id'],
      ['post', '/api/v1/folders', 'parent_id'],
    ] as const) {
      expect(await member[method](path, { label: 'X', [field]: first.id })).toMatchObject(
        error(400, 'bad_request', `${field}: must be in the active workspace`),
      );
    }
    expect(await member.patch(`/api/v1/folders/${own.id}`, { parent_id: first.id })).toMatchObject(
      error(400, 'bad_request', 'parent_id: there is no such folder'),
    );
    expect(await member.post('/api/v1/forms', { folder_id: own.id })).toMatchObject({ status: 201 });

    await member.patch('/api/v1/auth/workspace', { workspace_id: credentials.workspace_id });
    expect(await member.post('/api/v1/forms', { folder_id: first.id })).toMatchObject({ status: 201 });
  });

  it('of a deleted folder is rejected at once', async () => {
    const { id } = await given.folder();
    await asOwner.delete(`/api/v1/folders/${id}`);
    expect(await asOwner.post('/api/v1/forms', { folder_id: id })).toMatchObject(
      error(400, 'bad_request', 'folder_id: there is no such folder'),
    );
  });

  it('is required from a service account, which then owns the form', async () => {
    expect(await robot.post('/api/v1/forms', { title: 'X' })).toMatchObject(
      error(400, 'bad_request', expect.stringMatching(/^folder_id: /)),
    );
    const { id } = await given.folder();
    const form = await given.form({ title: 'X', folder_id: id }, robot);
    expect(form).toMatchObject({ folder_id: id, role: 'owner' });
    expect(await asOwner.get(`/api/v1/forms/${form.id}`)).toMatchObject({ status: 200 });
    expect(await robot.delete(`/api/v1/forms/${form.id}`)).toMatchObject({ status: 204 });
  });
});
