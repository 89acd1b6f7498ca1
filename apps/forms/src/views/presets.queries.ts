import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface PresetRow {
  id: string;
  form_id: string;
  /** The person whose own it is; null for one that is shared. */
  owner_id: string | null;
  name: string;
  /** JSON text. */
  file: string;
  created_at: Date;
  updated_at: Date;
}

/** The shared presets of a form by name, and then those of a person. */
export const presetsSeenBy = (db: Database, formId: string, personId: string): Promise<PresetRow[]> =>
  rowsOf<PresetRow>(
    db,
    `select * from export_preset where form_id = ? and (owner_id is null or owner_id = ?)
      order by owner_id nulls first, lower(name), id`,
    [formId, personId],
  );

export async function insertPresets(trx: Transaction, presets: readonly PresetRow[]): Promise<void> {
  if (presets.length > 0) await trx('export_preset').insert([...presets]);
}

export async function updatePreset(trx: Transaction, { id, ...changes }: PresetRow): Promise<void> {
  await trx('export_preset').where({ id }).update(changes);
}

export async function deletePreset(trx: Transaction, id: string): Promise<void> {
  await trx('export_preset').where({ id }).delete();
}
