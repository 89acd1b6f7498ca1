import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** How long a form keeps its submissions. A form without a row keeps all of them, and can be searched. */
export interface KeepingRow {
  /** Nothing of the form may be erased. */
  legal_hold: boolean;
  /** Days after which each is erased; null for never. */
  trash_days: number | null;
  submissions_days: number | null;
  files_days: number | null;
  /** Whether the answers can be searched. */
  searchable: boolean;
}

const forEver: KeepingRow = { legal_hold: false, trash_days: null, submissions_days: null, files_days: null, searchable: true };

export async function keepingOf(db: Database, formId: string): Promise<KeepingRow> {
  const [row] = await rowsOf<KeepingRow>(
    db,
    'select legal_hold, trash_days, submissions_days, files_days, searchable from form_keeping where form_id = ?',
    [formId],
  );
  return row ?? forEver;
}

export async function saveKeeping(trx: Transaction, formId: string, row: KeepingRow): Promise<void> {
  await trx('form_keeping')
    .insert({ form_id: formId, ...row })
    .onConflict('form_id')
    .merge();
}
