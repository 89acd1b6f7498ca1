import { eventually } from '@sheaf/testing';
import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

it('a shared view is seen and counted by everybody who reads the form, and goes with its copy', async () => {
  const form = await given.publishedForm();
  const path = `/app/v1/forms/${form}`;
  const [first] = [await given.submission(form), await given.submission(form)];
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${first}/status`, { status: 'approved' });
  const [editor, viewer] = [await asMember('editor'), await asMember('viewer')];
  const keep = async (name: string, search: object) => {
    const { status, body } = await editor.post(`${path}/views`, { name, shared: true, pinned: true, search });
    expect(status).toBe(201);
    return (body as { id: string }).id;
  };
  const approved = await keep('Approved', { status: ['approved'] });
  const recent = await keep('Recent', { filter: [{ key: '_created', comparison: 'within', values: ['today', 'yesterday'] }] });
  const removed = await keep('Removed', { filter: [{ key: 'removed', comparison: 'eq', values: ['1'] }] });
  const changed = await editor.patch(`${path}/views/${recent}`, { position: 0, columns: { order: ['received'], hidden: [], widths: {} } });
  expect(changed.body).toMatchObject({ name: 'Recent', columns: { order: ['received'] } });

  const seen = (await viewer.get(`${path}/views`)).body as { data: { name: string; search: object }[] };
  expect(seen.data.map(({ name }) => name)).toEqual(['Recent', 'Approved', 'Removed']);
  expect(seen.data[1]?.search).toEqual({ status: ['approved'] });
  await eventually(async () =>
    expect((await viewer.get(`${path}/views/counts`)).body).toEqual({
      data: [{ id: recent, total: 2 }, { id: approved, total: 1 }, { id: removed }],
    }),
  );
  expect((await viewer.delete(`${path}/views/${recent}`)).status).toBe(403);

  const { body } = await asOwner.post(`/api/v1/forms/${form}/duplicate`);
  const copied = await asOwner.get(`/app/v1/forms/${(body as { id: string }).id}/views`);
  expect((copied.body as typeof seen).data.map(({ name }) => name)).toEqual(['Recent', 'Approved', 'Removed']);
});

it('a view that has more than its bounds is refused with the name of the part', async () => {
  const form = await given.publishedForm();
  const keep = async (view: object) => (await asOwner.post(`/app/v1/forms/${form}/views`, view)).body;
  const refusal = (message: string) => ({ error: { code: 'bad_request', message } });
  expect(await keep({ name: 'x'.repeat(81), search: {} })).toMatchObject(refusal('name: must have between 1 and 80 characters'));
  expect(await keep({ name: 'New', search: { sort: 'size' } })).toMatchObject({
    error: { message: expect.stringMatching(/^search\.sort: /) as string },
  });
  expect(await keep({ name: 'New', search: { what: 1 } })).toMatchObject({ error: { code: 'bad_request' } });
});
