import type { ExportPresetFile } from '@sheaf/contracts';
import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

interface Preset {
  id: string;
  file: ExportPresetFile;
}

it('an export preset is kept, listed, used for an export and deleted; viewers keep their own and share none', async () => {
  const form = await given.publishedForm();
  await given.submission(form);
  const path = `/app/v1/forms/${form}`;
  const viewer = await asMember('viewer');
  const file = { format: 'csv', delimiter: 'semicolon', bom: false, columns: ['status:State', 'answers.name:Full name, please'] };
  const { status, body } = await asOwner.post(`${path}/export-presets`, { name: 'For the accounts', shared: true, file });
  expect(status).toBe(201);
  const shared = body as Preset;
  expect(await viewer.post(`${path}/export-presets`, { name: 'Ours', shared: true, file })).toMatchObject({ status: 403 });
  expect(await viewer.post(`${path}/export-presets`, { name: 'Mine', file })).toMatchObject({ status: 201 });

  const { data } = (await viewer.get(`${path}/export-presets`)).body as { data: Preset[] };
  expect(data).toMatchObject([
    { name: 'For the accounts', shared: true, missing: [], file },
    { name: 'Mine', shared: false, file },
  ]);
  const exported = await viewer.get(`${path}/submissions/export?${queryOf(data[0]?.file ?? { format: 'zip' })}`);
  expect(exported).toMatchObject({ status: 200 });
  expect(exported.body).toMatch(/^State;"?Full name, please"?\r\nnew;/);

  expect(await viewer.delete(`${path}/export-presets/${shared.id}`)).toMatchObject({ status: 403 });
  expect(await asOwner.delete(`${path}/export-presets/${shared.id}`)).toMatchObject({ status: 204 });
  expect((await asOwner.get(`${path}/export-presets`)).body).toEqual({ data: [] });
});

it('the largest look that is kept can be exported with, and a larger one is refused', async () => {
  const form = await given.publishedForm();
  const path = `/app/v1/forms/${form}`;
  const facts = ['status', 'created_at', 'reference', 'updated_at', 'assignee', 'notes', 'language'];
  const look = (columns: number): ExportPresetFile => ({
    format: 'csv',
    columns: facts.slice(0, columns).map((id) => `${id}:${'字'.repeat(200)}`),
  });
  const keep = (name: string, file: ExportPresetFile) => asOwner.post(`${path}/export-presets`, { name, file });
  expect(await keep('Too long', look(7))).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^file: must have at most 12288 bytes as the query of an export/) as string } },
  });
  expect(await keep('Long', look(6))).toMatchObject({ status: 201 });
  expect(await asOwner.get(`${path}/submissions/export?${queryOf(look(6))}`)).toMatchObject({ status: 200 });
  expect(await asOwner.post(`${path}/exports?${queryOf(look(6))}`)).toMatchObject({ status: 202 });
});

/** As clients write it. */
const queryOf = (look: ExportPresetFile): string =>
  new URLSearchParams(
    Object.entries(look).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])),
  ).toString();
