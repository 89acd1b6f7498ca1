import { maxExportPresets, type ExportPresetFile } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { aServiceAccount, aUser, callAs, refused, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const member = (role: 'owner' | 'editor' | 'viewer') => aUser({ instanceId, workspaceId, roles: { [workspaceId]: role } });
const owner = member('owner');
const editor = member('editor');
const viewer = member('viewer');
const robot = aServiceAccount({ instanceId });
const stranger = aUser({ instanceId, workspaceId: newId(), roles: {} });

let service: Service;
beforeAll(async () => {
  service = await startService(clock);
});
afterAll(() => service.stop());

type Who = Parameters<typeof callAs>[0];
interface Given {
  name?: string;
  shared?: boolean;
  file?: ExportPresetFile;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const aForm = async () => (await service.client.createForm(callAs(owner), { title: 'Survey' })).id;
const csv: ExportPresetFile = { format: 'csv', delimiter: 'semicolon', columns: ['reference:Number', 'answers.name'] };
const keep = (form_id: string, as: Who, { file = csv, ...given }: Given = {}) =>
  service.client.createExportPreset(callAs(as), { form_id, name: 'New', shared: false, ...given, file: json(file) });
const change = (form_id: string, id: string, as: Who, { file, ...patch }: Given & { if_updated_at?: string }) =>
  service.client.updateExportPreset(callAs(as), {
    form_id,
    id,
    patch: { ...patch, ...(file && { file: json(file) }) },
    set: [...Object.keys(patch), ...(file ? ['file'] : [])],
  });
const remove = (form_id: string, id: string, as: Who) => service.client.deleteExportPreset(callAs(as), { form_id, id });
const seen = async (form_id: string, as: Who) => (await service.client.listExportPresets(callAs(as), { form_id })).presets;
const fileOf = (preset: { file: Uint8Array } | undefined) => JSON.parse(Buffer.from(preset?.file ?? []).toString()) as unknown;
const names = async (form_id: string, as: Who) => (await seen(form_id, as)).map(({ name }) => name);
const notAllowed = (action: string) => refused('forbidden', `Your role does not allow you to ${action}.`);

async function publish(form: string, ...keys: string[]): Promise<void> {
  const { revision } = await service.client.getDraft(callAs(owner), { id: form });
  const fields = json(keys.map((key) => ({ key, type: 'short_text', label: key, required: false })));
  await service.client.putDraft(callAs(owner), { id: form, revision, fields });
  await service.client.publishForm(callAs(owner), { id: form });
}

describe('an export preset', () => {
  it('of one person is seen, changed and deleted by them alone, whatever the others may do', async () => {
    const form = await aForm();
    const own = await keep(form, viewer);
    expect(await seen(form, viewer)).toEqual([own]);
    expect(fileOf(own)).toEqual(csv);
    for (const other of [owner, editor, robot]) {
      expect(await seen(form, other)).toEqual([]);
      await expect(change(form, own.id, other, { name: 'Ours' })).rejects.toEqual(refused('not_found'));
      await expect(remove(form, own.id, other)).rejects.toEqual(refused('not_found'));
    }
    await expect(change(form, own.id, viewer, { shared: true })).rejects.toEqual(notAllowed('change this form'));
    await change(form, own.id, viewer, { name: 'Mine', file: { format: 'xlsx' } });
    expect(await seen(form, viewer)).toMatchObject([{ name: 'Mine', file: json({ format: 'xlsx' }) }]);
    await remove(form, own.id, viewer);
    expect(await seen(form, viewer)).toEqual([]);
  });

  it('that is shared is seen by every role, and changed by those who may change the form', async () => {
    const form = await aForm();
    const shared = await keep(form, editor, { shared: true });
    for (const each of [owner, editor, viewer, robot]) expect(await seen(form, each)).toEqual([shared]);
    await expect(keep(form, viewer, { shared: true })).rejects.toEqual(notAllowed('change this form'));
    for (const patch of [{ name: 'Mine' }, { shared: false }, { file: csv }])
      await expect(change(form, shared.id, viewer, patch)).rejects.toEqual(notAllowed('change this form'));
    await expect(remove(form, shared.id, viewer)).rejects.toEqual(notAllowed('change this form'));
    await change(form, shared.id, robot, { name: 'Ours' });
    await change(form, shared.id, owner, { shared: false });
    expect(await names(form, editor)).toEqual([]);
    await change(form, shared.id, owner, { shared: true });
    expect(await names(form, viewer)).toEqual(['Ours']);
  });

  it('is not changed by whoever has not seen its last change', async () => {
    const form = await aForm();
    const before = await keep(form, editor, { shared: true });
    const changes = [editor, owner].map((as) => change(form, before.id, as, { name: as.id, if_updated_at: before.updated_at }));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = outcomes.find((each) => each.status === 'rejected')?.reason as unknown;
    expect(refusal).toEqual(refused('conflict', /^The preset was last changed at .*, not at if_updated_at\./));
  });

  it('names the columns that no version of the form has, and keeps those of a question that is gone', async () => {
    const form = await aForm();
    const file: ExportPresetFile = { format: 'csv', columns: ['status', 'answers.town:Town', 'answers.name', 'answers.constructor'] };
    const { id, missing } = await keep(form, owner, { file });
    expect(missing).toEqual(['town', 'name', 'constructor']);
    await publish(form, 'town', 'name');
    await publish(form, 'name');
    expect(await seen(form, owner)).toMatchObject([{ id, file: json(file), missing: ['constructor'] }]);
    await expect(change(form, id, owner, { file: { format: 'csv' } })).resolves.toMatchObject({ missing: [] });
  });

  it('is closed to whoever has no role on the form', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner, { shared: true });
    for (const ask of [seen(form, stranger), keep(form, stranger), change(form, id, stranger, { name: 'X' }), remove(form, id, stranger)])
      await expect(ask).rejects.toEqual(notAllowed('read submissions of this form'));
    const elsewhere = aUser({ instanceId: newId(), workspaceId, roles: { [workspaceId]: 'owner' } });
    await expect(seen(form, elsewhere)).rejects.toEqual(refused('not_found'));
  });

  it('of its own is none that a service account has', async () => {
    await expect(keep(await aForm(), robot)).rejects.toEqual(
      refused('bad_request', 'shared: must be true, as a service account has no presets of its own'),
    );
  });

  it('stays as it is while the form is in the trash', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner);
    await service.client.trashForm(callAs(owner), { id: form });
    await expect(change(form, id, owner, { name: 'X' })).rejects.toEqual(refused('bad_request'));
    expect(await names(form, owner)).toEqual(['New']);
  });
});

describe('the export presets of a form', () => {
  it('have different names, but for those of different people, and stand by name, the shared ones first', async () => {
    const form = await aForm();
    for (const as of [viewer, editor]) await keep(form, as, { name: 'b' });
    const shared = await keep(form, editor, { name: 'b', shared: true });
    await keep(form, editor, { name: 'A', shared: true });
    const taken = refused('bad_request', 'name: another preset of the form has this name');
    await expect(keep(form, viewer, { name: 'b' })).rejects.toEqual(taken);
    await expect(change(form, shared.id, editor, { shared: false })).rejects.toEqual(taken);
    const results = await Promise.allSettled([1, 2, 3].map(() => keep(form, viewer, { name: 'a' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await names(form, viewer)).toEqual(['A', 'b', 'a', 'b']);
  });

  it('are at most so many', async () => {
    const form = await aForm();
    for (let n = 0; n < maxExportPresets; n++) await keep(form, viewer, { name: `Preset ${n}` });
    await expect(keep(form, viewer, { name: 'One more' })).rejects.toEqual(
      refused('bad_request', 'name: there are already 20 presets, the maximum'),
    );
    await keep(form, editor, { name: 'Room for others' });
  });

  it('that are shared are in a copy of it in the same workspace; those of people are not', async () => {
    const form = await aForm();
    await keep(form, owner, { name: 'Shared', shared: true });
    await keep(form, owner, { name: 'Own' });
    const copy = await service.client.duplicateForm(callAs(owner), { id: form });
    const [first, ...rest] = await seen(copy.id, owner);
    expect(first).toMatchObject({ name: 'Shared' });
    expect(fileOf(first)).toEqual(csv);
    expect(rest).toEqual([]);
    const home = newId();
    const guest = aUser({ instanceId, workspaceId: home, roles: { [home]: 'owner' } });
    await service.db('form_grant').insert({ form_id: form, user_id: guest.id, role: 'editor', created_at: clock.now() });
    const elsewhere = await service.client.duplicateForm(callAs(guest), { id: form });
    expect(await names(elsewhere.id, guest)).toEqual([]);
  });

  it('are erased with it, also by a version that knows nothing of them', async () => {
    const [form, other] = [await aForm(), await aForm()];
    for (const id of [form, other]) await keep(id, owner, { shared: true });
    await service.client.trashForm(callAs(owner), { id: form });
    await service.client.eraseForm(callAs(owner), { id: form });
    await rowsOf(service.db, 'delete from draft where form_id = ?', [other]);
    await rowsOf(service.db, 'delete from form where id = ?', [other]);
    expect(await rowsOf(service.db, 'select id from export_preset where form_id = any(?::uuid[])', [[form, other]])).toEqual([]);
  });

  it('are changed on the record if they are shared, without their names', async () => {
    const form = await aForm();
    const { id } = await keep(form, owner, { name: 'Of Ada', shared: true });
    await change(form, id, owner, { name: 'Of Grace' });
    await remove(form, id, owner);
    await keep(form, owner, { name: 'Own' });
    const rows = await rowsOf<{ body: string }>(
      service.db,
      `select body from outbox where type = 'audit.recorded' and form_id = ? order by id`,
      [form],
    );
    const deeds = rows.map(({ body }) => JSON.parse(body) as { action: string; target: object; details?: object });
    expect(
      deeds.filter(({ action }) => action.startsWith('export_preset.')).map(({ action, target, details }) => [action, target, details]),
    ).toEqual([
      ['export_preset.created', { kind: 'export_preset', id }, undefined],
      ['export_preset.updated', { kind: 'export_preset', id }, { changed: ['name'] }],
      ['export_preset.deleted', { kind: 'export_preset', id }, undefined],
    ]);
  });
});
