import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** How long a form keeps its submissions. A form without a row keeps all of them. */
export interface KeepingRow {
  /** Nothing of the form may be erased. */
  legal_hold: boolean;
  /** Days after which each is erased; null for never. */
  trash_days: number | null;
  submissions_days: number | null;
  files_days: number | null;
}

const forEver: KeepingRow = { legal_hold: false, trash_days: null, submissions_days: null, files_days: null };

export async function keepingOf(db: Database, formId: string): Promise<KeepingRow> {
  const [row] = await rowsOf<KeepingRow>(
    db,
    'select legal_hold, trash_days, submissions_days, files_days from form_keeping where form_id = ?',
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
