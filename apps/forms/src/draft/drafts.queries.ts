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

/**
 * Replaces a draft. Its pictures count as used until now: *Undo* may bring them back.
 * @returns the new draft; undefined if the stored revision differs from the given one
 */
export async function replaceDraft(
  trx: Transaction,
  base: { form_id: string; revision: number },
  { fields, payment }: Pick<DraftRow, 'fields' | 'payment'>,
  now: Date,
): Promise<DraftRow | undefined> {
  const [row] = await rowsOf<DraftRow>(
    trx,
    `with pictures as (
       update form_picture p set used_at = :now from draft d
        where p.form_id = :form_id and not p.is_published and d.form_id = p.form_id and position(p.id in d.fields) > 0)
     update draft set fields = :fields, payment = :payment, revision = revision + 1, updated_at = :now
      where form_id = :form_id and revision = :revision
     returning form_id, fields, payment, revision, updated_at`,
    { fields, payment, now, ...base },
  );
  return row;
}
