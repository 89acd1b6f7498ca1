import type { paymentStates } from '@sheaf/contracts';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { lockOwned, type OwnedSubmission } from '../submission/submissions.queries';

export type PaymentState = (typeof paymentStates)[number];

export interface PaymentRow {
  id: string;
  submission_id: string;
  form_id: string;
  amount: number;
  currency: string;
  description: string;
  /** The address to which the respondent goes from the checkout; null for where the settings say. */
  return_url: string | null;
  state: PaymentState;
  session_id: string | null;
  url: string | null;
  reference: string | null;
  created_at: Date;
  paid_at: Date | null;
}

export async function insertPayment(trx: Transaction, payment: PaymentRow): Promise<void> {
  await trx('payment').insert(payment);
}

export async function paymentOf(db: Database, submissionId: string): Promise<PaymentRow | undefined> {
  const [row] = await rowsOf<PaymentRow>(db, 'select * from payment where submission_id = ?', [submissionId]);
  return row;
}

/** Locks the submission and its payment until this transaction ends, in the same order as all other code. */
export async function lockWithPayment(
  trx: Transaction,
  submissionId: string,
): Promise<{ submission: OwnedSubmission; payment: PaymentRow } | undefined> {
  const submission = await lockOwned(trx, submissionId);
  const [payment] = await rowsOf<PaymentRow>(trx, 'select * from payment where submission_id = ? for update', [submissionId]);
  return submission && payment && { submission, payment };
}

/** Records a checkout, unless another request has done so or its time is over. @returns the current payment */
export async function openCheckout(db: Database, id: string, checkout: { sessionId: string; url: string }): Promise<PaymentRow> {
  await db('payment')
    .where({ id, state: 'requires_checkout' })
    .update({ state: 'open', session_id: checkout.sessionId, url: checkout.url });
  const [row] = await rowsOf<PaymentRow>(db, 'select * from payment where id = ?', [id]);
  if (!row) throw new Error(`the payment ${id} is gone`);
  return row;
}

export async function updatePayment(trx: Transaction, id: string, changes: Partial<PaymentRow>): Promise<void> {
  await trx('payment').where({ id }).update(changes);
}

/** Submissions whose checkout was never created, oldest first. */
export async function withoutCheckout(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ submission_id: string }>(
    db,
    `select submission_id from payment where state = 'requires_checkout' and created_at < ? order by created_at limit ?`,
    [before, limit],
  );
  return rows.map(({ submission_id }) => submission_id);
}

/**
 * Claims the single announcement of each submission.
 * @returns the ids without those that were announced before or must not be: while a payment is due, while it is spam, or while it is in the
 * trash, if it was moved there before it was announced. Those of an import without events are never announced.
 */
export async function claimAnnouncements(trx: Transaction, ids: readonly string[], at: Date): Promise<string[]> {
  const taken = await rowsOf<{ id: string }>(
    trx,
    `update submission s set announced_at = :at
      where s.id = any(cast(:ids as uuid[])) and s.announced_at is null and s.deleted_at is null and s.spam_at is null and s.import_id is null
        and not exists (select from payment p where p.submission_id = s.id and p.state <> 'paid')
     returning s.id`,
    { ids: [...ids], at },
  );
  return taken.map(({ id }) => id);
}
