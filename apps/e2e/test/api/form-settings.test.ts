import { randomUUID } from 'node:crypto';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';

const badRequest = (message: string) => ({ status: 400, body: { error: { code: 'bad_request', message } } });
const change = (form: string, patch: object) => asOwner.patch(`/api/v1/forms/${form}`, patch);
const submit = (form: string) => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });

let form: string;
beforeAll(async () => {
  form = await given.publishedForm();
});

describe('opening times', () => {
  it('open and close the form for respondents', async () => {
    const own = await given.publishedForm();
    await change(own, { opens_at: '2020-01-01T00:00:00Z', closes_at: '2099-01-01T00:00:00Z' });
    expect((await anyone.get(`/public/v1/forms/${own}`)).body).toMatchObject({
      open: true,
      opens_at: '2020-01-01T00:00:00.000Z',
      closes_at: '2099-01-01T00:00:00.000Z',
    });
    expect(await submit(own)).toMatchObject({ status: 201 });

    await change(own, { closes_at: '2021-01-01T00:00:00Z', closed_message: 'Back on Monday' });
    expect((await anyone.get(`/public/v1/forms/${own}`)).body).toMatchObject({ open: false, closed_message: 'Back on Monday' });
    expect(await submit(own)).toMatchObject({ status: 403, body: { error: { code: 'forbidden', message: 'Back on Monday' } } });

    await change(own, { opens_at: '2098-01-01T00:00:00Z', closes_at: null });
    expect((await anyone.get(`/public/v1/forms/${own}`)).body).toMatchObject({ open: false });
    expect(await submit(own)).toMatchObject({ status: 403 });
  });
});

it('a setting is cleared by null, unchanged if absent, and omitted from the response if it has no value', async () => {
  const own = await given.publishedForm();
  const folder = ((await asOwner.post('/api/v1/folders', { label: 'Visits' })).body as { id: string }).id;
  const settings = {
    slug: `settings-${randomUUID()}`,
    folder_id: folder,
    opens_at: '2020-01-01T00:00:00.000Z',
    closes_at: '2099-01-01T00:00:00.000Z',
    max_submissions: 5,
    closed_message: 'Back on Monday',
    timezone: 'Europe/Vienna',
  };
  expect(await change(own, settings)).toMatchObject({ status: 200, body: settings });

  let left: Record<string, unknown> = settings;
  for (const name of Object.keys(settings)) {
    const { status, body } = await change(own, { [name]: null });
    left = Object.fromEntries(Object.entries(left).filter(([other]) => other !== name));
    expect({ name, status, body }).toMatchObject({ name, status: 200, body: left });
    expect(body).not.toHaveProperty(name);
    expect((await asOwner.get(`/api/v1/forms/${own}`)).body).toEqual(body);
  }
});

describe('a slug', () => {
  it('leads respondents to its form and cannot be taken by another form', async () => {
    const slug = `taken-${randomUUID()}`;
    const [one, other] = [await given.publishedForm({ title: 'One' }), await given.publishedForm({ title: 'Other' })];
    expect(await change(one, { slug })).toMatchObject({ status: 200, body: { slug } });
    expect((await anyone.get(`/public/v1/forms/${slug}`)).body).toMatchObject({ id: one });
    expect(await change(other, { slug })).toMatchObject(badRequest('slug: is taken'));
    expect((await asOwner.get(`/api/v1/forms/${other}`)).body).not.toHaveProperty('slug');
    // Setting the form's own slug again is not a conflict.
    expect(await change(one, { slug })).toMatchObject({ status: 200 });
  });

  it.each(['Upper', '-x', 'x-', 'a b', 'ü', '', 'x'.repeat(65)])('cannot be %j', async (slug) => {
    expect(await change(form, { slug })).toMatchObject(badRequest('slug: must be 1 to 64 lower-case letters, digits and inner hyphens'));
  });
});

it('publishing warns about an empty form, unchanged fields, and fields that were removed or changed type', async () => {
  const { id } = (await asOwner.post('/api/v1/forms', { title: 'Warnings' })).body as { id: string };
  const save = async (fields: unknown[]) => {
    const { revision } = (await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number };
    expect(await asOwner.put(`/app/v1/forms/${id}/draft`, { fields, revision })).toMatchObject({ status: 200 });
  };
  const publish = () => asOwner.post(`/api/v1/forms/${id}/publish`);

  expect(await publish()).toMatchObject({ status: 200, body: { version: 1, warnings: ['The form has no fields.'] } });
  await save([
    { key: 'name', label: 'Name', type: 'short_text' },
    { key: 'age', label: 'Age', type: 'short_text' },
  ]);
  expect(await publish()).toMatchObject({ body: { version: 2, warnings: [] } });
  expect(await publish()).toMatchObject({ body: { version: 3, warnings: ['Nothing has changed since version 2.'] } });
  await save([{ key: 'age', label: 'Age', type: 'integer' }]);
  const { body } = await publish();
  expect(body).toMatchObject({
    version: 4,
    warnings: [
      expect.stringContaining('The field "name" of version 3 was removed.'),
      expect.stringContaining('The field "age" had type short_text in version 3 and now has type integer.'),
    ] as unknown,
  });
});
