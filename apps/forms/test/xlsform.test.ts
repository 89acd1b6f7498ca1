import { once } from 'node:events';
import { newId, Problem, type Client } from '@sheaf/kernel';
import { callAs, eventually, refused, workbook } from '@sheaf/testing';
import type { Reader } from '../src/xlsform/reading-threads';
import { startService } from './service';
import * as stage from './stage';
import { client, clock, editor, folderIn, get, getDraft, getSettings, json, robot, viewer } from './stage';

stage.useService();

const { workspaceId } = stage;
const file = () =>
  workbook({
    survey: [
      ['type', 'name', 'label::English (en)', 'label::Deutsch (de)'],
      ['text', 'name', 'Name', 'Name'],
      ['geopoint', 'place', 'Place', 'Ort'],
    ],
    settings: [['form_title'], ['Visit']],
  });
const imported = async (as: Client = editor, place: { workspace_id?: string; folder_id?: string } = {}, bytes?: Buffer) =>
  client.importXlsForm(callAs(as), { workspace_id: workspaceId, ...place, file: bytes ?? (await file()) });

describe('importing an XLSForm', () => {
  it('ends when its caller disconnects', async () => {
    const readers: Reader[] = [];
    const xlsForms = {
      read: async (_: Buffer, reader: Reader) => {
        readers.push(reader);
        if (reader.signal) await once(reader.signal, 'abort');
        throw Problem.unavailable('nobody waits');
      },
    };
    const service = await startService(clock, {}, xlsForms);
    const caller = new AbortController();
    const asking = service.client.importXlsForm(
      { ...callAs(editor), signal: caller.signal },
      { workspace_id: workspaceId, file: await file() },
    );
    await eventually(() => expect(readers).toMatchObject([{ instanceId: editor.instanceId, signal: { aborted: false } }]));
    caller.abort();
    await expect(asking).rejects.toEqual(refused('unavailable'));
    await eventually(() => expect(readers).toMatchObject([{ signal: { aborted: true } }]));
    await service.stop();
  });

  it('creates an active, unpublished form that the caller owns, and names the parts that it does not have', async () => {
    const { form, warnings } = await imported();
    const id = form?.id ?? '';
    expect(form).toMatchObject({ title: 'Visit', status: 'active', current_version: 0 });
    expect(warnings).toEqual([{ sheet: 'survey', row: 3, message: 'people type the answer, as forms have no map' }]);
    expect(await get(id)).toMatchObject({ role: 'owner' });
    expect(json((await getDraft(id)).fields)).toMatchObject([
      { key: 'name', type: 'short_text', translations: { de: { label: 'Name' } } },
      { type: 'short_text' },
    ]);
    expect(await getSettings(id)).toEqual({ languages: ['en', 'de'], default_language: 'en' });
  });

  it('needs what importing a document needs, before the file is read', async () => {
    await expect(imported(viewer, {}, Buffer.from('broken'))).rejects.toEqual(refused('forbidden'));
    await expect(imported(editor, { workspace_id: newId() })).rejects.toEqual(refused('forbidden'));
    await expect(imported(robot)).rejects.toEqual(
      refused('bad_request', 'folder_id: is required for service accounts, which have no workspace of their own'),
    );
    expect(await imported(robot, { folder_id: folderIn() })).toMatchObject({ form: { title: 'Visit' } });
    await expect(imported(editor, {}, Buffer.from('broken'))).rejects.toEqual(
      refused('bad_request', 'file: must be an XLSX workbook, not encrypted'),
    );
  });
});
