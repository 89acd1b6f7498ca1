import { randomUUID } from 'node:crypto';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';

const badRequest = (message: string) => ({ status: 400, body: { error: { code: 'bad_request', message } } });
const idsOf = (body: unknown) => (body as { data: { id: string }[] }).data.map(({ id }) => id);

async function formTitled(title: string, more: object = {}): Promise<string> {
  const { id } = (await asOwner.post('/api/v1/forms', { title })).body as { id: string };
  if (Object.keys(more).length > 0) await asOwner.patch(`/api/v1/forms/${id}`, more);
  return id;
}

describe('the list of forms', () => {
  // A word that no other test uses, so that searches find only the forms of this file.
  const word = randomUUID().slice(0, 8);
  const search = async (query: Record<string, string>) => asOwner.get(`/api/v1/forms?${new URLSearchParams(query).toString()}`);

  describe('by status', () => {
    const forms: Record<string, string> = {};
    beforeAll(async () => {
      forms.active = await formTitled(`${word} active`);
      forms.archived = await formTitled(`${word} archived`, { status: 'archived' });
      forms.disabled = await formTitled(`${word} disabled`, { status: 'disabled' });
      forms.trashed = await formTitled(`${word} trashed`);
      await asOwner.delete(`/api/v1/forms/${forms.trashed}`);
    });

    it.each(['active', 'archived', 'disabled', 'trashed'])('contains only the forms that are %s', async (status) => {
      const { body } = await search({ q: word, status });
      expect(body).toMatchObject({ data: [{ id: forms[status], status }], total: 1 });
    });
  });

  describe('by part of the title', () => {
    it('finds what is in a title, in other capitals and with a sign that means something in an address or in SQL', async () => {
      const found = await formTitled(`${word} 100% École`);
      await formTitled(`${word} 100 École`);
      expect(idsOf((await search({ q: `${word} 100% ÉCOLE` })).body)).toEqual([found]);
    });

    it('rejects a text longer than any title, and NUL', async () => {
      expect(await search({ q: 'x'.repeat(201) })).toMatchObject(badRequest('q: must have at most 200 characters'));
      expect(await search({ q: 'a\0b' })).toMatchObject(badRequest('q: must be well-formed Unicode without NUL'));
    });
  });
});

describe('the list of submissions by status', () => {
  it('contains the submissions that currently have it, with their own total', async () => {
    const form = await given.publishedForm();
    const statuses = ['new', 'in_review', 'approved', 'rejected', 'archived', 'pending_payment'];
    const ids = new Map<string, string>();
    for (const status of statuses) {
      const id = await given.submission(form);
      ids.set(status, id);
      expect(await asOwner.patch(`/api/v1/forms/${form}/submissions/${id}/status`, { status })).toMatchObject({ status: 200 });
    }
    const path = `/api/v1/forms/${form}/submissions`;
    expect((await asOwner.get(path)).body).toMatchObject({ total: statuses.length });
    for (const status of statuses)
      expect(await asOwner.get(`${path}?status=${status}`)).toMatchObject({
        status: 200,
        body: { data: [{ id: ids.get(status), status }], total: 1 },
      });

    await asOwner.patch(`${path}/${ids.get('new') ?? ''}/status`, { status: 'approved' });
    expect((await asOwner.get(`${path}?status=approved`)).body).toMatchObject({ total: 2 });
    expect((await asOwner.get(`${path}?status=approved&limit=1&offset=1`)).body).toMatchObject({
      data: [{ id: ids.get('new') }],
      total: 2,
      limit: 1,
      offset: 1,
    });
    expect((await asOwner.get(`${path}?status=new`)).body).toMatchObject({ data: [], total: 0 });
    expect(await asOwner.get(`${path}?status=lost`)).toMatchObject(badRequest(`status: must be one of ${statuses.join(', ')}`));
    expect(await anyone.get(path)).toMatchObject({ status: 401 });
  });
});
