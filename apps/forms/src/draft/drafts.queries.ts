import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { DraftRow } from '../rows';

export async function insertDraft(trx: Transaction, draft: DraftRow): Promise<void> {
  await trx('draft').insert(draft);
}

export async function draftOf(db: Database, formId: string): Promise<DraftRow> {
  const [row] = await rowsOf<DraftRow>(db, 'select form_id, fields, payment, revision, updated_at from draft where form_id = ?', [formId]);
  if (!row) throw new Error(`the form ${formId} has no draft`);
  return row;
}

/** @returns the new draft; undefined if the stored revision differs from the given one. */
export async function replaceDraft(
  trx: Transaction,
  base: { form_id: string; revision: number },
  { fields, payment }: Pick<DraftRow, 'fields' | 'payment'>,
  now: Date,
): Promise<DraftRow | undefined> {
  const [row] = await rowsOf<DraftRow>(
    trx,
    `update draft set fields = ?, payment = ?, revision = revision + 1, updated_at = ? where form_id = ? and revision = ?
     returning form_id, fields, payment, revision, updated_at`,
    [fields, payment, now, base.form_id, base.revision],
  );
  return row;
}
