import { eventually, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { asOutsider } from '../../support/outsider';
import { createWorkspace } from '../../support/instances';
import { asMember, asOwner, asServiceAccount, credentials } from '../../support/people';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, body: { error: { code, message } } });
const unknownId = '00000000-0000-7000-8000-000000000000';

interface Folder {
  id: string;
  label: string;
  updated_at: string;
}
const createFolder = async (wanted: object = {}, as: Person = asOwner) =>
  (await as.post('/api/v1/folders', { label: 'Visits', ...wanted })).body as Folder;
const createForm = async (wanted: object = {}, as: Person = asOwner) =>
  (await as.post('/api/v1/forms', wanted)).body as { id: string; updated_at: string };
const listed = async (as: Person = asOwner) => ((await as.get('/api/v1/folders')).body as { data: Folder[] }).data;

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

  it('creates it inside the folder that parent_id names', async () => {
    const { id } = await createFolder();
    expect(await asOwner.post('/api/v1/folders', { label: 'Inner', parent_id: id, icon: 'star', color: '#f80' })).toMatchObject({
      status: 201,
      body: { parent_id: id, icon: 'star', color: '#f80' },
    });
  });

  it.each([
    [{}, 'label: is required'],
    [{ label: '  ' }, 'label: must have between 1 and 100 characters'],
    [{ label: 'x'.repeat(101) }, 'label: must have between 1 and 100 characters'],
    [{ label: 5 }, 'label: must be a string'],
    [{ label: 'X', icon: 'x'.repeat(65) }, 'icon: must have at most 64 characters'],
    [{ label: 'X', color: 'x'.repeat(33) }, 'color: must have at most 32 characters'],
    [{ label: 'X', parent_id: unknownId }, 'parent_id: there is no such folder'],
    [{ label: 'X', parent_id: 'nonsense' }, 'parent_id: there is no such folder'],
    [{ label: 'X', parent_id: null }, 'parent_id: must be a string'],
  ])('refuses %j', async (body, message) => {
    expect(await asOwner.post('/api/v1/folders', body)).toMatchObject(error(400, 'bad_request', message));
  });

  it('needs edit access to the workspace', async () => {
    expect(await viewer.post('/api/v1/folders', { label: 'Mine' })).toMatchObject(error(403, 'forbidden'));
  });

  it('needs a parent_id from a service account, and acts in the workspace of that folder', async () => {
    expect(await robot.post('/api/v1/folders', { label: 'X' })).toMatchObject(
      error(400, 'bad_request', expect.stringMatching(/^parent_id: /)),
    );

    const parent = await createFolder();
    const { id } = await createFolder({ parent_id: parent.id }, robot);
    expect(await listed()).toContainEqual(expect.objectContaining({ id, parent_id: parent.id }));
    expect(await robot.delete(`/api/v1/folders/${id}`)).toMatchObject({ status: 204 });
  });
});

describe('GET /folders', () => {
  it('gives every folder of the active workspace in the envelope of a whole list, with the role of the caller', async () => {
    const { id } = await createFolder();
    for (const [who, role] of [
      [asOwner, 'owner'],
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const) {
      const { status, body } = await who.get('/api/v1/folders');
      const { data, ...envelope } = body as { data: Folder[] };
      expect(status).toBe(200);
      expect(envelope).toEqual({ total: data.length, limit: data.length, offset: 0 });
      expect(data).toContainEqual(expect.objectContaining({ id, role }));
    }
  });

  it('orders them by sort_order, then label', async () => {
    const [b, a, last] = [
      await createFolder({ label: 'order b' }),
      await createFolder({ label: 'order a' }),
      await createFolder({ label: 'order 0' }),
    ];
    await asOwner.patch(`/api/v1/folders/${last.id}`, { sort_order: 7 });
    expect((await listed()).filter(({ label }) => label.startsWith('order')).map(({ id }) => id)).toEqual([a.id, b.id, last.id]);
  });

  it('is empty for a service account', async () => {
    expect(await robot.get('/api/v1/folders')).toMatchObject({ status: 200, body: { data: [], total: 0, limit: 0, offset: 0 } });
  });
});

describe('PATCH /folders/{id}', () => {
  it('changes the fields that are present, and no others', async () => {
    const before = await createFolder({ icon: 'star', color: 'red' });
    const { status, body } = await editor.patch(`/api/v1/folders/${before.id}`, { label: 'New', sort_order: 3 });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, label: 'New', sort_order: 3, role: 'editor', updated_at: expect.any(String) as unknown });
    expect((body as Folder).updated_at > before.updated_at).toBe(true);
  });

  it('changes nothing when nothing is present, updated_at included', async () => {
    const before = await createFolder();
    expect(await asOwner.patch(`/api/v1/folders/${before.id}`, {})).toMatchObject({ status: 200, body: before });
  });

  it('moves the folder into another one, and to the top level with null', async () => {
    const [outer, inner] = [await createFolder(), await createFolder()];
    expect(await asOwner.patch(`/api/v1/folders/${inner.id}`, { parent_id: outer.id })).toMatchObject({
      status: 200,
      body: { parent_id: outer.id },
    });
    expect((await asOwner.patch(`/api/v1/folders/${inner.id}`, { parent_id: null })).body).not.toHaveProperty('parent_id');
  });

  it('refuses to make a cycle', async () => {
    const outer = await createFolder();
    const inner = await createFolder({ parent_id: outer.id });
    for (const parent_id of [outer.id, inner.id]) {
      expect(await asOwner.patch(`/api/v1/folders/${outer.id}`, { parent_id })).toMatchObject(
        error(400, 'bad_request', expect.stringMatching(/^parent_id: /)),
      );
    }
  });

  it.each([
    [{ label: '' }, 'label: must have between 1 and 100 characters'],
    [{ label: null }, 'label: must be a string'],
    [{ sort_order: 1.5 }, 'sort_order: must be a whole number between -2147483648 and 2147483647'],
    [{ sort_order: '1' }, 'sort_order: must be a whole number between -2147483648 and 2147483647'],
    [{ parent_id: unknownId }, 'parent_id: there is no such folder'],
  ])('refuses %j', async (body, message) => {
    expect(await asOwner.patch(`/api/v1/folders/${(await createFolder()).id}`, body)).toMatchObject(error(400, 'bad_request', message));
  });

  it('needs the owner or editor role, and a folder that is there', async () => {
    const { id } = await createFolder();
    expect(await viewer.patch(`/api/v1/folders/${id}`, { label: 'Mine' })).toMatchObject(error(403, 'forbidden'));
    expect(await robot.patch(`/api/v1/folders/${id}`, { label: 'Ours' })).toMatchObject({
      status: 200,
      body: { label: 'Ours', role: 'editor' },
    });
    for (const unknown of [unknownId, 'nonsense', 'x'.repeat(3_000)]) {
      expect(await asOwner.patch(`/api/v1/folders/${unknown}`, { label: 'X' })).toMatchObject(error(404, 'not_found'));
    }
  });
});

describe('DELETE /folders/{id}', () => {
  it('is for the owner only, and for a folder that is there', async () => {
    const { id } = await createFolder();
    for (const who of [editor, viewer, robot]) expect(await who.delete(`/api/v1/folders/${id}`)).toMatchObject(error(403, 'forbidden'));
    expect(await asOwner.delete(`/api/v1/folders/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const unknown of [id, 'nonsense'])
      expect(await asOwner.delete(`/api/v1/folders/${unknown}`)).toMatchObject(error(404, 'not_found'));
  });

  it('keeps the forms that are inside, unfiles them, and leaves them otherwise as they were', async () => {
    const folder = await createFolder();
    const forms = await Promise.all([1, 2, 3].map(() => createForm({ folder_id: folder.id })));
    expect(await asOwner.delete(`/api/v1/folders/${folder.id}`)).toMatchObject({ status: 204 });
    await eventually(async () => {
      for (const { id, updated_at } of forms) {
        const { status, body } = await asOwner.get(`/api/v1/forms/${id}`);
        expect({ status, body }).toMatchObject({ status: 200, body: { status: 'active', updated_at } });
        expect(body).not.toHaveProperty('folder_id');
      }
    });
  });

  it('moves the folders that are inside to its parent', async () => {
    const top = await createFolder();
    const middle = await createFolder({ parent_id: top.id });
    const low = await createFolder({ parent_id: middle.id });
    await asOwner.delete(`/api/v1/folders/${middle.id}`);
    expect(await listed()).toContainEqual({ ...low, parent_id: top.id });
  });
});

describe('folder_id of a form', () => {
  it('is left out of an unfiled form, and given by POST and PATCH', async () => {
    const [first, second] = [await createFolder(), await createFolder()];
    const { id } = await createForm();
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

  it.each([unknownId, 'nonsense', ''])('is refused as %j, which is no folder', async (folder_id) => {
    const refused = error(400, 'bad_request', 'folder_id: there is no such folder');
    expect(await asOwner.post('/api/v1/forms', { folder_id })).toMatchObject(refused);
    expect(await asOwner.patch(`/api/v1/forms/${(await createForm()).id}`, { folder_id })).toMatchObject(refused);
  });

  it('of a person has to lie in their active workspace, as parent_id has to', async () => {
    const member = await asMember('editor');
    const { email } = (await member.get('/api/v1/auth/me')).body as { email: string };
    const second = await createWorkspace(process.env.E2E_DATA_DIR ?? '', credentials.workspace_id, { email, role: 'editor' });
    const first = await createFolder({}, member);
    const filed = await createForm({ folder_id: first.id }, member);
    await member.patch('/api/v1/auth/workspace', { workspace_id: second });
    const own = await createFolder({}, member);

    for (const [method, path, field] of [
      ['post', '/api/v1/forms', 'folder_id'],
      ['patch', `/api/v1/forms/${filed.id}`, 'folder_id'],
      ['patch', `/api/v1/forms/${(await createForm({}, member)).id}`, 'folder_id'],
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

  it('of a deleted folder is refused at once', async () => {
    const { id } = await createFolder();
    await asOwner.delete(`/api/v1/folders/${id}`);
    expect(await asOwner.post('/api/v1/forms', { folder_id: id })).toMatchObject(
      error(400, 'bad_request', 'folder_id: there is no such folder'),
    );
  });

  it('needs edit access to the folder', async () => {
    const { id } = await createFolder();
    expect(await viewer.post('/api/v1/forms', { folder_id: id })).toMatchObject(error(403, 'forbidden'));
  });

  it('is how a service account creates a form, which it then owns', async () => {
    expect(await robot.post('/api/v1/forms', { title: 'X' })).toMatchObject(
      error(400, 'bad_request', expect.stringMatching(/^folder_id: /)),
    );
    const { id } = await createFolder();
    const form = await createForm({ title: 'X', folder_id: id }, robot);
    expect(form).toMatchObject({ folder_id: id, role: 'owner' });
    expect(await asOwner.get(`/api/v1/forms/${form.id}`)).toMatchObject({ status: 200 });
    expect(await robot.delete(`/api/v1/forms/${form.id}`)).toMatchObject({ status: 204 });
  });
});

describe('POST /forms/{id}/duplicate', () => {
  it('makes a draft with the fields and the settings, and without versions, submissions, slug and favourite', async () => {
    const folder = await createFolder();
    const id = await given.publishedForm({ title: 'Site visit' });
    await given.submission(id);
    const settings = {
      folder_id: folder.id,
      publish_mode: 'auto',
      max_submissions: 9,
      closed_message: 'Back on Monday',
      timezone: 'Europe/Berlin',
    };
    await asOwner.patch(`/api/v1/forms/${id}`, {
      ...settings,
      slug: `copied-${Date.now()}`,
      favorite: true,
      opens_at: '2026-01-01T00:00:00Z',
    });

    const { status, body } = await asOwner.post(`/api/v1/forms/${id}/duplicate`);

    expect(status).toBe(201);
    expect(body).toEqual({
      ...settings,
      id: expect.any(String) as unknown,
      title: 'Copy of Site visit',
      status: 'active',
      favorite: false,
      current_version: 0,
      opens_at: '2026-01-01T00:00:00.000Z',
      role: 'owner',
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
    });
    const copy = (body as { id: string }).id;
    const fields = async (form: string) => ((await asOwner.get(`/app/v1/forms/${form}/draft`)).body as { fields: unknown }).fields;
    expect(await fields(copy)).toEqual(await fields(id));
    expect(await asOwner.get(`/api/v1/forms/${copy}/fields`)).toMatchObject({ status: 200, body: { fields: [] } });
    expect(await asOwner.get(`/api/v1/forms/${copy}/submissions`)).toMatchObject({ status: 200, body: { total: 0 } });
  });

  it('cuts the title to what a title may have', async () => {
    const { id } = await createForm({ title: 'x'.repeat(200) });
    expect(await asOwner.post(`/api/v1/forms/${id}/duplicate`)).toMatchObject({
      status: 201,
      body: { title: `Copy of ${'x'.repeat(192)}` },
    });
  });

  it('takes any role and makes the caller the owner of the copy, which is unfiled where they may not edit the folder', async () => {
    const { id } = await createForm({ folder_id: (await createFolder()).id });
    const { status, body } = await viewer.post(`/api/v1/forms/${id}/duplicate`);
    expect({ status, body }).toMatchObject({ status: 201, body: { role: 'owner' } });
    expect(body).not.toHaveProperty('folder_id');
    expect(await viewer.delete(`/api/v1/forms/${(body as { id: string }).id}`)).toMatchObject({ status: 204 });

    const copied = await robot.post(`/api/v1/forms/${id}/duplicate`);
    expect(copied).toMatchObject({ status: 201, body: { role: 'owner', folder_id: expect.any(String) as unknown } });
    expect(await robot.delete(`/api/v1/forms/${(copied.body as { id: string }).id}`)).toMatchObject({ status: 204 });
  });

  it('of a form in a workspace that is not theirs lands in the active workspace of the caller', async () => {
    const guest = await asOutsider();
    const { id: guestId } = (await guest.get('/api/v1/auth/me')).body as { id: string };
    const form = await createForm({ folder_id: (await createFolder()).id });
    await asOwner.put(`/app/v1/forms/${form.id}/grants/${guestId}`, { role: 'editor' });

    const { status, body } = await eventually(async () => {
      const reply = await guest.post(`/api/v1/forms/${form.id}/duplicate`);
      expect(reply.status).toBe(201);
      return reply;
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { role: 'owner' } });
    expect(body).not.toHaveProperty('folder_id');
    const { id } = body as { id: string };
    expect(((await guest.get('/api/v1/forms?limit=100')).body as { data: object[] }).data).toContainEqual(expect.objectContaining({ id }));
    expect(await asOwner.get(`/api/v1/forms/${id}`)).toMatchObject(error(403, 'forbidden'));
  });

  it('gives a viewer the published version and nothing of the draft', async () => {
    const published = [{ key: 'name', label: 'Name', type: 'short_text' }];
    const id = await given.publishedForm({ fields: published });
    await asOwner.put(`/app/v1/forms/${id}/draft`, { revision: 1, fields: [{ key: 'secret', label: 'Secret', type: 'short_text' }] });
    const draftOf = async (form: string) => ((await viewer.get(`/app/v1/forms/${form}/draft`)).body as { fields: object[] }).fields;

    const copy = (await viewer.post(`/api/v1/forms/${id}/duplicate`)).body as { id: string };
    expect(await draftOf(copy.id)).toMatchObject(published);

    const never = await createForm();
    await asOwner.put(`/app/v1/forms/${never.id}/draft`, { revision: 0, fields: published });
    expect(await draftOf(((await viewer.post(`/api/v1/forms/${never.id}/duplicate`)).body as { id: string }).id)).toEqual([]);
  });

  it('copies a form out of the trash', async () => {
    const { id } = await createForm();
    await asOwner.delete(`/api/v1/forms/${id}`);
    expect(await asOwner.post(`/api/v1/forms/${id}/duplicate`)).toMatchObject({ status: 201, body: { status: 'active' } });
  });

  it('needs a form that is there', async () => {
    for (const unknown of [unknownId, 'nonsense'])
      expect(await asOwner.post(`/api/v1/forms/${unknown}/duplicate`)).toMatchObject(error(404, 'not_found'));
  });
});
