import { columnOf, keyOfColumn, maxExportPresets, type ExportPresetFile } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, newId, type Client } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { loadForm, lockForm, type LoadedForm } from '../form/load-form';
import { keysOfAllVersions } from '../publishing/versions.queries';
import * as presets from './presets.queries';
import type { PresetRow } from './presets.queries';
import { authorizeToChange, changedAt, deedOf, lockKept, ownerOf, refuseStale, refuseTooMany } from './sharing';

interface Content {
  name: string;
  shared: boolean;
  file: ExportPresetFile;
}

/** Absent properties stay as they are. */
type Patch = { [Part in keyof Content]?: Content[Part] | undefined } & {
  /** The change is wanted only if the last one was then. */
  if_updated_at?: string | undefined;
};

const most = { kind: 'preset', most: maxExportPresets } as const;

export interface SeenPreset extends PresetRow {
  /** The keys among its columns that no version of the form has. */
  missing: string[];
}

/** The shared presets of a form, and those of the caller. */
export async function listPresets({ db }: Pick<Deps, 'db'>, caller: Client, { formId }: { formId: string }): Promise<SeenPreset[]> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read submissions of this form');
  return seen(db, form.id, await presets.presetsSeenBy(db, form.id, caller.id));
}

export async function createPreset(deps: Deps, asked: Asked<Client>, wanted: Content & { formId: string }): Promise<SeenPreset> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const loaded = await lockForm(trx, caller, wanted.formId);
    const ownerId = await ownerOf(trx, caller, wanted.shared, 'preset');
    authorizeToChange(loaded, ownerId);
    refuseTooMany(await presetsBeside(trx, caller, loaded, ownerId), wanted.name, most);
    const now = deps.clock.now();
    const preset: PresetRow = {
      id: newId(),
      form_id: loaded.form.id,
      owner_id: ownerId,
      name: wanted.name,
      file: JSON.stringify(wanted.file),
      created_at: now,
      updated_at: now,
    };
    await presets.insertPresets(trx, [preset]);
    if (ownerId === null) await record(trx, audited(asked, deedOf('export_preset', 'export_preset.created', loaded, preset), now));
    return seenOne(trx, preset);
  });
}

/** @throws Problem `conflict` if it has changed since `if_updated_at` */
export async function updatePreset(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, patch: { if_updated_at: expected, ...patch } }: { formId: string; id: string; patch: Patch },
): Promise<SeenPreset> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { kept: preset, loaded } = await lockKept(trx, caller, { formId, id }, 'preset', presets.presetsSeenBy);
    refuseStale(preset, expected, 'preset');
    const { name = preset.name, file, shared = preset.owner_id === null } = patch;
    const ownerId = await ownerOf(trx, caller, shared, 'preset');
    if (ownerId !== preset.owner_id) authorizeToChange(loaded, ownerId);
    if (Object.keys(patch).length === 0) return seenOne(trx, preset);
    const beside = await presetsBeside(trx, caller, loaded, ownerId);
    refuseTooMany(
      beside.filter((other) => other.id !== preset.id),
      name,
      most,
    );
    const now = deps.clock.now();
    const after: PresetRow = {
      ...preset,
      name,
      owner_id: ownerId,
      file: file ? JSON.stringify(file) : preset.file,
      updated_at: changedAt(preset, now),
    };
    await presets.updatePreset(trx, after);
    if (preset.owner_id === null || ownerId === null)
      await record(
        trx,
        audited(asked, deedOf('export_preset', 'export_preset.updated', loaded, preset, { changed: Object.keys(patch) }), now),
      );
    return seenOne(trx, after);
  });
}

export async function deletePreset(deps: Deps, asked: Asked<Client>, wanted: { formId: string; id: string }): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    const { kept: preset, loaded } = await lockKept(trx, asked.caller, wanted, 'preset', presets.presetsSeenBy);
    await presets.deletePreset(trx, preset.id);
    if (preset.owner_id === null)
      await record(trx, audited(asked, deedOf('export_preset', 'export_preset.deleted', loaded, preset), deps.clock.now()));
  });
}

/** The shared presets of a form, for a copy of it. */
export async function copySharedPresets(
  trx: Transaction,
  { from, to, by, at }: { from: string; to: string; by: Client; at: Date },
): Promise<void> {
  const shared = (await presets.presetsSeenBy(trx, from, by.id)).filter(({ owner_id }) => owner_id === null);
  await presets.insertPresets(
    trx,
    shared.map((preset) => ({ ...preset, id: newId(), form_id: to, created_at: at, updated_at: at })),
  );
}

/** The keys are looked up only if a preset asks for some. */
async function seen(db: Database, formId: string, rows: readonly PresetRow[]): Promise<SeenPreset[]> {
  const asked = rows.map(({ file }) =>
    ((JSON.parse(file) as ExportPresetFile).columns ?? []).flatMap((name) => keyOfColumn(columnOf(name)) ?? []),
  );
  const known = new Set(asked.some((keys) => keys.length > 0) ? await keysOfAllVersions(db, formId) : []);
  return rows.map((row, index) => ({ ...row, missing: (asked[index] ?? []).filter((key) => !known.has(key)) }));
}

async function seenOne(trx: Transaction, row: PresetRow): Promise<SeenPreset> {
  const [preset] = await seen(trx, row.form_id, [row]);
  if (!preset) throw new Error('there is one for each row');
  return preset;
}

const presetsBeside = async (trx: Transaction, caller: Client, { form }: LoadedForm, ownerId: string | null): Promise<PresetRow[]> =>
  (await presets.presetsSeenBy(trx, form.id, caller.id)).filter(({ owner_id }) => owner_id === ownerId);
