import { hangMs, workbook, workbookOf, workbookParts } from '@sheaf/testing';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as given from '../../support/given';
import { anyone, asMember, asOwner, asServiceAccount, credentials } from '../../support/people';

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const xlsx = { 'content-type': type };
const path = `/app/v1/forms/import?workspace_id=${credentials.workspace_id}`;
const visit = () =>
  workbook({
    survey: [
      ['type', 'name', 'label', 'relevant', 'required'],
      ['begin_group', 'visit', 'Your visit'],
      ['select_one places', 'place', 'Where?', '', 'yes'],
      ['text', 'other', 'Which one?', "${place} = 'other'"],
      ['end_group'],
      ['geopoint', 'where', 'Point'],
    ],
    choices: [
      ['list_name', 'name', 'label'],
      ['places', 'vienna', 'Vienna'],
      ['places', 'other', 'Other'],
    ],
    settings: [['form_title'], ['Site visit']],
  });

it('an editor imports an XLSForm, and sees what was not taken over', async () => {
  const editor = await asMember('editor');
  const { status, body } = await editor.post(path, await visit(), xlsx);
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      title: 'Site visit',
      current_version: 0,
      warnings: [{ sheet: 'survey', row: 6, message: 'people type the answer, as forms have no map' }],
    },
  });
  const { id } = body as { id: string };
  expect(await editor.get(`/app/v1/forms/${id}/draft`)).toMatchObject({
    body: {
      fields: [
        { type: 'section', label: 'Your visit' },
        { key: 'place', type: 'select', required: true, options: [{ value: 'vienna', label: 'Vienna' }, { value: 'other' }] },
        { key: 'other', type: 'short_text', visible_if: { key: 'place', equals: 'other' } },
        { key: 'where', type: 'short_text', required: false },
      ],
    },
  });

  expect(await editor.post(`/api/v1/forms/${id}/publish`)).toMatchObject({ status: 200 });
  expect(await given.submission(id, { place: 'vienna' })).toEqual(expect.any(String));
});

it('respondents need not answer what the author hid from them, and must answer what is shown to them', async () => {
  const file = readFileSync(join(__dirname, '../../../forms/test/xlsforms/x21-false-relevant-required.xlsx'));
  const { body } = await asOwner.post(path, file, xlsx);
  const { id } = body as { id: string };
  expect(await asOwner.post(`/api/v1/forms/${id}/publish`)).toMatchObject({ status: 200 });
  expect(await given.submission(id, { age: 40 })).toEqual(expect.any(String));
  expect(await anyone.post(`/public/v1/forms/${id}/submissions`, { data: { age: 12 } })).toMatchObject({
    status: 400,
    body: { error: { details: [{ key: 'guardian', code: 'required' }] } },
  });
});

it('a form is imported without its pictures, however many its file holds', async () => {
  const parts = workbookParts({
    survey: [
      ['type', 'name', 'label'],
      ['text', 'a', 'A'],
    ],
  });
  // Random, so that it stays as large in the archive.
  const file = await workbookOf({ ...parts, 'xl/media/image1.png': randomBytes(2_000_000).toString('base64') });
  expect(file.length).toBeGreaterThan(2_000_000);
  expect(await asOwner.post(path, file, xlsx)).toMatchObject({ status: 201, body: { warnings: [] } });
});

it('a program imports an XLSForm into a folder', async () => {
  const robot = await asServiceAccount('forms:write');
  const { id } = await given.folder();
  expect(await robot.post(path, await visit(), xlsx)).toMatchObject({ status: 400 });
  expect(await robot.post(`${path}&folder_id=${id}`, await visit(), xlsx)).toMatchObject({ status: 201 });
});

it('a fault in the file is named by its sheet and row', async () => {
  const file = await workbook({
    survey: [
      ['type', 'name', 'label'],
      ['begin_group', 'size', 'Size'],
    ],
  });
  expect(await asOwner.post(path, file, xlsx)).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: 'survey row 2: begins a group that does not end' } },
  });
});

it('a body that is no workbook, is empty or too large, or a place in the wrong part of the request, is refused', async () => {
  const refused = async (to: string, body: Buffer | object, headers: Record<string, string>, status: number, message: string) =>
    expect(await asOwner.offTheMap.post(to, body, headers)).toMatchObject({ status, body: { error: { message } } });
  await refused(path, Buffer.from('PK'), xlsx, 400, 'file: must be an XLSX workbook, not encrypted');
  await refused(path, Buffer.alloc(0), xlsx, 400, 'The body must not be empty.');
  await refused('/app/v1/forms/import', await visit(), xlsx, 400, 'workspace_id: is required');
  await refused(path, await visit(), { 'content-type': 'text/csv' }, 400, 'Content-Type: must be application/json');
  const document = { sheaf: 'form', version: 1, title: 'Visit', fields: [], settings: {} };
  await refused(path, { document, workspace_id: credentials.workspace_id }, {}, 400, 'workspace_id: belongs in the body');
  expect(await asOwner.offTheMap.post(path, Buffer.alloc(9_000_000), xlsx)).toMatchObject({ status: 413 });
  // Other bodies of the operation have the bound of all JSON.
  expect(
    await asOwner.offTheMap.post('/app/v1/forms/import', Buffer.alloc(2_000_000), { 'content-type': 'application/json' }),
  ).toMatchObject({
    status: 413,
  });
});

it('a form comes out as an XLSForm that can be imported again, for everybody who may read it', async () => {
  const { body } = await asOwner.post(path, await visit(), xlsx);
  const { id } = body as { id: string };
  const { body: draft } = await asOwner.get(`/app/v1/forms/${id}/draft`);
  const response = await fetch(`${asOwner.origin}/app/v1/forms/${id}/xlsform`, {
    headers: { authorization: `Bearer ${credentials.api_key}` },
    signal: AbortSignal.timeout(hangMs),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  expect(response.headers.get('content-disposition')).toContain(`${id}.xlsx`);
  const { body: copy } = await asOwner.post(path, Buffer.from(await response.arrayBuffer()), xlsx);
  expect(copy).toMatchObject({ title: 'Site visit', warnings: [] });
  const { body: draftOfCopy } = await asOwner.get(`/app/v1/forms/${(copy as { id: string }).id}/draft`);
  expect((draftOfCopy as { fields: unknown }).fields).toEqual((draft as { fields: unknown }).fields);
});
