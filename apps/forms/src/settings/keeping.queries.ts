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

/** @returns the number of this change of the form's keeping */
export async function saveKeeping(trx: Transaction, formId: string, row: KeepingRow): Promise<number> {
  const [saved] = await rowsOf<{ revision: number }>(
    trx,
    `insert into form_keeping (form_id, legal_hold, trash_days, submissions_days, files_days, searchable, revision)
     values (:formId, :legal_hold, :trash_days, :submissions_days, :files_days, :searchable, 1)
     on conflict (form_id) do update
        set (legal_hold, trash_days, submissions_days, files_days, searchable, revision) =
            (excluded.legal_hold, excluded.trash_days, excluded.submissions_days, excluded.files_days, excluded.searchable, form_keeping.revision + 1)
     returning revision`,
    { formId, ...row },
  );
  if (!saved) throw new Error('the keeping of a form was not saved');
  return saved.revision;
}
