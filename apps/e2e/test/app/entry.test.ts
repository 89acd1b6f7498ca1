import * as given from '../../support/given';
import { asMember, asOwner, asServiceAccount } from '../../support/people';

it('an editor enters a submission on behalf of somebody else, even after the form has closed', async () => {
  const form = await given.publishedForm();
  await asOwner.patch(`/api/v1/forms/${form}`, { status: 'disabled' });
  const path = `/app/v1/forms/${form}/submissions`;
  const editor = await asMember('editor');
  const entered = await editor.post(path, { data: { name: 'Ada' } }, { 'Idempotency-Key': 'sheet-17' });
  expect(entered).toMatchObject({ status: 201, body: { data: { name: 'Ada' }, status: 'new', entered_by: { kind: 'user' } } });
  const { id, entered_by } = entered.body as { id: string; entered_by: object };
  expect(await editor.post(path, { data: { name: 'Ada' } }, { 'Idempotency-Key': 'sheet-17' })).toMatchObject({
    status: 201,
    body: { id },
  });

  const { data: history } = (await asOwner.get(`${path}/${id}/history`)).body as { data: object[] };
  expect(history).toEqual([{ status: 'new', to: 'new', actor: entered_by, at: expect.any(String) as string }]);
  expect((await asOwner.get(`/api/v1/forms/${form}/submissions`)).body).toMatchObject({ total: 1, data: [{ id, data: { name: 'Ada' } }] });
  expect(await editor.post(path, { data: { age: 3 } })).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });

  const robot = await asServiceAccount('submissions:write');
  expect(await robot.post(path, { data: { name: 'Grace' } })).toMatchObject({
    status: 201,
    body: { entered_by: { kind: 'service_account' } },
  });
});

it('a form that is in the trash or was never published takes no submission from anybody', async () => {
  const { id: draft } = (await asOwner.post('/api/v1/forms', { title: 'Draft' })).body as { id: string };
  const trashed = await given.publishedForm();
  await asOwner.delete(`/api/v1/forms/${trashed}`);
  for (const form of [draft, trashed])
    expect(await asOwner.post(`/app/v1/forms/${form}/submissions`, { data: { name: 'Ada' } })).toMatchObject({ status: 404 });
});
