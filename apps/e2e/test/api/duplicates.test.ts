import { eventually, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { unknownId } from '../../support/operations';
import { asOutsider } from '../../support/outsider';
import { asMember, asOwner, asServiceAccount } from '../../support/people';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

let viewer: Person;
let robot: Person;
beforeAll(async () => {
  [viewer, robot] = [await asMember('viewer'), await asServiceAccount('forms:read', 'forms:write')];
});

describe('POST /forms/{id}/duplicate', () => {
  it('copies the fields and settings into a new draft, without versions, submissions, slug and favourite', async () => {
    const folder = await given.folder();
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

  it('truncates the title to the maximum length', async () => {
    const { id } = await given.form({ title: 'x'.repeat(200) });
    expect(await asOwner.post(`/api/v1/forms/${id}/duplicate`)).toMatchObject({
      status: 201,
      body: { title: `Copy of ${'x'.repeat(192)}` },
    });
  });

  it('is allowed with any role; the caller owns the copy, which is unfiled if they may not edit the folder', async () => {
    const { id } = await given.form({ folder_id: (await given.folder()).id });
    const { status, body } = await viewer.post(`/api/v1/forms/${id}/duplicate`);
    expect({ status, body }).toMatchObject({ status: 201, body: { role: 'owner' } });
    expect(body).not.toHaveProperty('folder_id');
    expect(await viewer.delete(`/api/v1/forms/${(body as { id: string }).id}`)).toMatchObject({ status: 204 });

    const copied = await robot.post(`/api/v1/forms/${id}/duplicate`);
    expect(copied).toMatchObject({ status: 201, body: { role: 'owner', folder_id: expect.any(String) as unknown } });
    expect(await robot.delete(`/api/v1/forms/${(copied.body as { id: string }).id}`)).toMatchObject({ status: 204 });
  });

  it('copies a form of a foreign workspace into the active workspace of the caller', async () => {
    const guest = await asOutsider();
    const { id: guestId } = (await guest.get('/api/v1/auth/me')).body as { id: string };
    const form = await given.form({ folder_id: (await given.folder()).id });
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

  it('gives a viewer the published version instead of the draft', async () => {
    const published = [{ key: 'name', label: 'Name', type: 'short_text' }];
    const id = await given.publishedForm({ fields: published });
    await asOwner.put(`/app/v1/forms/${id}/draft`, { revision: 1, fields: [{ key: 'secret', label: 'Secret', type: 'short_text' }] });
    const draftOf = async (form: string) => ((await viewer.get(`/app/v1/forms/${form}/draft`)).body as { fields: object[] }).fields;

    const copy = (await viewer.post(`/api/v1/forms/${id}/duplicate`)).body as { id: string };
    expect(await draftOf(copy.id)).toMatchObject(published);

    const unpublished = await given.form();
    await asOwner.put(`/app/v1/forms/${unpublished.id}/draft`, { revision: 0, fields: published });
    expect(await draftOf(((await viewer.post(`/api/v1/forms/${unpublished.id}/duplicate`)).body as { id: string }).id)).toEqual([]);
  });

  it('copies a form in the trash, as an active one', async () => {
    const { id } = await given.form();
    await asOwner.delete(`/api/v1/forms/${id}`);
    expect(await asOwner.post(`/api/v1/forms/${id}/duplicate`)).toMatchObject({ status: 201, body: { status: 'active' } });
  });

  it('requires an existing form', async () => {
    for (const unknown of [unknownId, 'nonsense'])
      expect(await asOwner.post(`/api/v1/forms/${unknown}/duplicate`)).toMatchObject(error(404, 'not_found'));
  });
});

describe('POST /forms with an Idempotency-Key', () => {
  it('creates a form once, and shows it again', async () => {
    const key = { 'Idempotency-Key': `harvest-${Date.now()}` };
    const first = await asOwner.post('/api/v1/forms', { title: 'Harvest' }, key);
    expect(first.status).toBe(201);
    expect(await asOwner.post('/api/v1/forms', { title: 'Harvest' }, key)).toEqual(
      expect.objectContaining({ status: 201, body: first.body }),
    );
    expect(await asOwner.post('/api/v1/forms', { title: 'Orchard' }, key)).toMatchObject(error(400, 'bad_request'));
    expect(await asOwner.post('/api/v1/forms', { title: 'Harvest' }, { 'Idempotency-Key': 'two words' })).toMatchObject(
      error(400, 'bad_request'),
    );
  });
});
