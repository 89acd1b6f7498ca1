import { randomUUID } from 'node:crypto';
import { eventually, type Person, soonMs } from '@sheaf/testing';
import * as given from '../../support/given';
import { unknownId } from '../../support/operations';
import { asOutsider } from '../../support/outsider';
import { anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount } from '../../support/people';

const error = (status: number, code: string, message: unknown = expect.any(String)) => ({ status, body: { error: { code, message } } });
const me = async (who: Person) => (await who.get('/api/v1/auth/me')).body as { id: string; email: string; name: string };

let editor: Person;
let viewer: Person;
let outsider: Person;
let outsiderId: string;
beforeAll(async () => {
  [editor, viewer, outsider] = [await asMember('editor'), await asMember('viewer'), await asOutsider()];
  outsiderId = (await me(outsider)).id;
});

describe('a restored form', () => {
  it('accepts submissions again within a second, under the slug that it kept in the trash', async () => {
    const form = await given.publishedForm();
    const slug = `kept-${randomUUID()}`;
    await asOwner.patch(`/api/v1/forms/${form}`, { slug });
    let accepted = 0;
    const send = async () => {
      const reply = await anyone.post(`/public/v1/forms/${slug}/submissions`, { data: { name: 'Ada' } });
      // Also in the moment in which a process has not heard of the trash yet.
      if (reply.status === 201) accepted += 1;
      return reply;
    };
    expect(await send()).toMatchObject({ status: 201 });

    await asOwner.delete(`/api/v1/forms/${form}`);
    await eventually(async () => expect(await send()).toMatchObject({ status: 404 }), soonMs);
    const other = await given.publishedForm();
    expect(await asOwner.patch(`/api/v1/forms/${other}`, { slug })).toMatchObject(error(400, 'bad_request', 'slug: is taken'));

    expect(await asOwner.post(`/app/v1/forms/${form}/restore`)).toMatchObject({
      status: 200,
      body: { id: form, status: 'active', slug, role: 'owner' },
    });
    await eventually(async () => expect(await send()).toMatchObject({ status: 201 }), soonMs);
    expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total: accepted } });
  });

  it('has its previous status, and restoring it again changes nothing', async () => {
    const form = await given.publishedForm();
    await asOwner.patch(`/api/v1/forms/${form}`, { status: 'archived' });
    await asOwner.delete(`/api/v1/forms/${form}`);
    const { status, body } = await asOwner.post(`/app/v1/forms/${form}/restore`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'archived' } });
    expect(await asOwner.post(`/app/v1/forms/${form}/restore`)).toMatchObject({ status: 200, body: body as object });
    expect(await asOwner.get('/api/v1/forms?status=archived&limit=100')).toMatchObject({
      body: { data: expect.arrayContaining([expect.objectContaining({ id: form })]) as unknown },
    });
  });

  it('is unfiled if its folder has been deleted', async () => {
    const { id: folder_id } = (await asOwner.post('/api/v1/folders', { label: 'Visits' })).body as { id: string };
    const { id: form } = (await asOwner.post('/api/v1/forms', { folder_id })).body as { id: string };
    await asOwner.delete(`/api/v1/forms/${form}`);
    await asOwner.delete(`/api/v1/folders/${folder_id}`);
    expect(await asOwner.post(`/app/v1/forms/${form}/restore`)).toMatchObject({ status: 200, body: { status: 'active' } });
    await eventually(async () => expect((await asOwner.get(`/api/v1/forms/${form}`)).body).not.toHaveProperty('folder_id'));
  });
});

describe('the versions of a form', () => {
  it('are listed without their fields, which never change', async () => {
    const form = await given.publishedForm({ fields: [{ key: 'name', label: 'Name', type: 'short_text' }] });
    await asOwner.put(`/app/v1/forms/${form}/draft`, { fields: [], revision: 1 });
    await editor.post(`/api/v1/forms/${form}/publish`);

    const { id } = await me(editor);
    const listed = await viewer.get(`/app/v1/forms/${form}/versions?limit=1`);
    const latest = {
      id: expect.any(String) as unknown,
      version: 2,
      published_at: expect.any(String) as unknown,
      published_by: { kind: 'user', id },
    };
    expect(listed).toMatchObject({ status: 200, body: { data: [latest], total: 2, limit: 1, offset: 0 } });
    expect(await viewer.get(`/app/v1/forms/${form}/versions/1`)).toMatchObject({
      status: 200,
      body: { version: 1, fields: [{ key: 'name', label: 'Name', type: 'short_text', required: false }] },
    });
    expect(await viewer.get(`/app/v1/forms/${form}/versions/2`)).toMatchObject({ status: 200, body: { ...latest, fields: [] } });
    for (const unknown of ['0', '3', '01', '-1', '1e0', 'latest', '9'.repeat(40)]) {
      expect(await viewer.get(`/app/v1/forms/${form}/versions/${unknown}`)).toMatchObject(
        error(404, 'not_found', 'There is no such version.'),
      );
    }
    expect(await viewer.get(`/app/v1/forms/${form}/versions?limit=0`)).toMatchObject(
      error(400, 'bad_request', 'limit: must be between 1 and 100'),
    );
  });
});

describe('an invalid draft', () => {
  it('is rejected with all of its faults, within fields and between them', async () => {
    const form = await given.publishedForm();
    const save = (fields: unknown[]) => asOwner.put(`/app/v1/forms/${form}/draft`, { fields, revision: 1 });
    expect(
      await save([
        { key: 'A', label: '', type: 'short_text' },
        { key: 'b', label: 'B', type: 'poem' },
      ]),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', details: [{ key: 'fields.0.key' }, { key: 'fields.0.label' }, { key: 'fields.1.type' }] } },
    });
    expect(
      await save([
        { key: 'a', label: 'A', type: 'select' },
        { key: 'a', label: 'B', type: 'integer', pattern: 'x' },
      ]),
    ).toMatchObject({
      status: 400,
      body: {
        error: { code: 'bad_request', details: [{ key: 'fields.0.options' }, { key: 'fields.1.key' }, { key: 'fields.1.pattern' }] },
      },
    });
  });
});

describe('a grant', () => {
  it('reaches a person of another workspace by their address, and names the address if nobody has it', async () => {
    const form = await given.publishedForm();
    const { id: user_id, email, name } = await me(outsider);
    const grants = `/app/v1/forms/${form}/grants`;
    expect(await asOwner.post(grants, { email: email.toUpperCase(), role: 'editor' })).toMatchObject({
      status: 200,
      body: { user_id, email, name, role: 'editor' },
    });
    await eventually(async () => expect(await outsider.get(`/app/v1/forms/${form}`)).toMatchObject({ body: { role: 'editor' } }), soonMs);
    expect(await asOwner.get(grants)).toMatchObject({ body: { data: [{ user_id, email, name, role: 'editor' }], total: 1 } });

    expect(await asOwner.post(grants, { email: `nobody-${randomUUID()}@example.org`, role: 'viewer' })).toMatchObject(
      error(400, 'bad_request', 'email: is not the address of a person in this instance'),
    );
    expect(await editor.post(grants, { email, role: 'owner' })).toMatchObject(error(403, 'forbidden'));
  });

  it('opens a form to a person from another workspace until it is revoked, within a second in every process', async () => {
    const form = await given.publishedForm();
    const submission = await given.submission(form);
    const grant = `/app/v1/forms/${form}/grants/${outsiderId}`;
    const paths = [
      `/api/v1/forms/${form}`,
      `/api/v1/forms/${form}/submissions`,
      `/app/v1/forms/${form}/deliveries`,
      `/app/v1/forms/${form}/webhooks`,
    ];
    const everywhere = (status: number) =>
      eventually(async () => {
        for (const path of paths) expect({ path, status: (await outsider.get(path)).status }).toEqual({ path, status });
      }, soonMs);
    const decide = () => outsider.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' });
    await everywhere(403);

    expect(await asOwner.put(grant, { role: 'viewer' })).toMatchObject({
      status: 200,
      body: { ...withoutId(await me(outsider)), user_id: outsiderId, role: 'viewer' },
    });
    await everywhere(200);
    expect(await decide()).toMatchObject(error(403, 'forbidden'));

    expect(await asOwner.put(grant, { role: 'editor' })).toMatchObject({ status: 200, body: { role: 'editor' } });
    await eventually(async () => expect(await decide()).toMatchObject({ status: 200 }), soonMs);
    expect(await outsider.delete(`/api/v1/forms/${form}`)).toMatchObject(error(403, 'forbidden'));

    expect(await asOwner.delete(grant)).toMatchObject({ status: 204 });
    await everywhere(403);
    expect(await asOwner.delete(grant)).toMatchObject(error(404, 'not_found'));
  });

  it('does not add the form to the list of another workspace', async () => {
    const form = await given.publishedForm();
    await (await asOwnerSignedIn()).put(`/app/v1/forms/${form}/grants/${outsiderId}`, { role: 'owner' });
    expect(await outsider.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200, body: { role: 'owner' } });
    expect((await outsider.get('/api/v1/forms?limit=100')).body).toMatchObject({
      data: expect.not.arrayContaining([expect.objectContaining({ id: form })]) as unknown,
    });
  });

  it('of the role owner needs a session, because an owner stays when the key is revoked', async () => {
    const form = await given.publishedForm();
    const grant = `/app/v1/forms/${form}/grants/${outsiderId}`;
    const refused = error(403, 'forbidden', 'This operation requires a session; a key is not enough.');
    const { email } = await me(outsider);
    for (const who of [asOwner, await asServiceAccount('forms:write')]) {
      const { id: own } = (await who.post('/api/v1/forms', { folder_id: (await given.folder()).id })).body as { id: string };
      expect(await who.put(`/app/v1/forms/${own}/grants/${outsiderId}`, { role: 'owner' })).toMatchObject(refused);
      expect(await who.post(`/app/v1/forms/${own}/grants`, { email, role: 'owner' })).toMatchObject(refused);
      expect(await who.put(`/app/v1/forms/${own}/grants/${outsiderId}`, { role: 'editor' })).toMatchObject({ status: 200 });
    }
    expect(await (await asOwnerSignedIn()).put(grant, { role: 'owner' })).toMatchObject({ status: 200 });
  });

  it('is listed for owners and editors, with the name of the person', async () => {
    const form = await given.publishedForm();
    await asOwner.put(`/app/v1/forms/${form}/grants/${outsiderId}`, { role: 'viewer' });
    const { name, email } = await me(outsider);
    const list = { status: 200, body: { data: [{ user_id: outsiderId, role: 'viewer', name, email }], total: 1, limit: 1, offset: 0 } };
    expect(await asOwner.get(`/app/v1/forms/${form}/grants`)).toMatchObject(list);
    expect(await editor.get(`/app/v1/forms/${form}/grants`)).toMatchObject(list);
    expect(await (await asServiceAccount('forms:read')).get(`/app/v1/forms/${form}/grants`)).toMatchObject(list);
    for (const who of [viewer, outsider]) expect(await who.get(`/app/v1/forms/${form}/grants`)).toMatchObject(error(403, 'forbidden'));
  });

  it('is checked for its role, its form, the rights of the caller, its user, and the trash, in this order', async () => {
    const form = await given.publishedForm();
    const put = (who: Person, id: string, user: string, body: unknown) => who.put(`/app/v1/forms/${id}/grants/${user}`, body);
    expect(await put(viewer, unknownId, unknownId, { role: 'admin' })).toMatchObject(
      error(400, 'bad_request', 'role: must be one of owner, editor, viewer'),
    );
    expect(await put(viewer, unknownId, unknownId, { role: 'viewer' })).toMatchObject(error(404, 'not_found', 'There is no such form.'));
    expect(await put(viewer, form, unknownId, { role: 'viewer' })).toMatchObject(error(403, 'forbidden'));
    for (const unknown of [unknownId, 'nonsense', (await asServiceAccount()).id]) {
      expect(await put(asOwner, form, unknown, { role: 'viewer' })).toMatchObject(error(404, 'not_found', 'There is no such user.'));
    }
    await asOwner.delete(`/api/v1/forms/${form}`);
    expect(await put(asOwner, form, outsiderId, { role: 'viewer' })).toMatchObject(
      error(400, 'bad_request', 'The form is in the trash and cannot be changed.'),
    );
  });
});

const withoutId = ({ id: _, ...rest }: { id: string; email: string; name: string }) => rest;
