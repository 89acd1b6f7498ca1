import { isId, Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked, Call } from '@sheaf/rpc';
import { announce } from '../submission/announce';
import { checkoutWithinMs } from './checkout';
import type { Deps } from '../deps';
import type { CheckoutEvent } from './provider';
import * as payments from './payments.queries';
import type { PaymentRow } from './payments.queries';
import { letBeyond } from '../exact/exact.queries';
import * as submissions from '../submission/submissions.queries';
import type { OwnedSubmission } from '../submission/submissions.queries';

interface Locked {
  submission: OwnedSubmission;
  payment: PaymentRow;
}

/**
 * Handles an event from the payment provider. Events may arrive any number of times and in any order: each handler checks the payment's
 * state and does what is left to do. Irrelevant events are accepted as well, as resending them would not help.
 * @throws Problem `not_found` where payments are not configured, `bad_request` for bytes that the provider has not signed.
 */
export async function takePaymentEvent(deps: Deps, { call }: Asked, input: { body: Buffer; signature: string }): Promise<void> {
  if (!deps.payments) throw Problem.notFound('payment provider');
  const { provider, log } = deps.payments;
  const event = await provider.readEvent(input.body, input.signature, deps.clock.now());
  if (!event) return;

  const eventFields = { eventId: event.id, kind: event.kind, sessionId: event.sessionId, submissionId: event.submissionId };
  const { submissionId } = event;
  if (submissionId === undefined || !isId(submissionId)) return log.warn(eventFields, 'ignored a payment event for an unknown submission');

  await deps.outbox.transaction(async (trx) => {
    const locked = await payments.lockWithPayment(trx, submissionId);
    if (!locked) return log.warn(eventFields, 'ignored a payment event for an unknown submission');
    if (event.kind === 'paid')
      return completePayment(deps, trx, locked, { event, call }, () =>
        log.error(eventFields, 'a payment differs from the amount or currency due and completes nothing'),
      );

    // Only for the checkout that the respondent was sent to; another one may have been created and never handed out.
    if (event.sessionId !== locked.payment.session_id) return log.warn(eventFields, 'ignored a payment event for another checkout');
    if (event.kind === 'processing') {
      if (locked.payment.state === 'open') await payments.updatePayment(trx, locked.payment.id, { state: 'processing' });
      return;
    }
    await endUnpaid(trx, locked, { state: event.kind, at: deps.clock.now() });
  });
}

/** The money has arrived. It counts once, whatever happened to the payment before. */
async function completePayment(
  { clock }: Deps,
  trx: Transaction,
  { submission, payment }: Locked,
  { event, call }: { event: CheckoutEvent; call: Call },
  onMismatch: () => void,
): Promise<void> {
  if (payment.state === 'paid') return;
  if (event.amount !== payment.amount || event.currency !== payment.currency) return onMismatch();

  const now = clock.now();
  await payments.updatePayment(trx, payment.id, { state: 'paid', paid_at: now, reference: event.reference ?? null });
  // Keep a status that a person has set in the meantime. A freed place may be taken by now; a paid submission is accepted anyway.
  const status = submission.status === 'pending_payment' ? 'new' : submission.status;
  await letBeyond(trx, 'all');
  const paid = await submissions.change(trx, submission, { status, holds_place: true }, now);
  if (status !== submission.status) {
    // No person changed the status, so the history names the payment as the actor.
    await submissions.appendHistory(trx, [
      {
        submission_id: submission.id,
        from_status: submission.status,
        to_status: status,
        actor_kind: 'service',
        actor_id: payment.id,
        changed_at: now,
      },
    ]);
  }
  await announce(trx, paid, now, call);
}

/** The payment will not complete. The submission stays, but gives up its place unless somebody has accepted it without payment. */
async function endUnpaid(
  trx: Transaction,
  { submission, payment }: Locked,
  { state, at }: { state: 'failed' | 'expired'; at: Date },
): Promise<void> {
  if (payment.state === 'paid' || payment.state === 'failed' || payment.state === 'expired') return;
  await payments.updatePayment(trx, payment.id, { state });
  if (submission.status === 'pending_payment') await submissions.change(trx, submission, { holds_place: false }, at);
}

/** One transaction per submission, so that at most one form is locked at a time. */
const batchSize = 100;

/**
 * Expires submissions whose checkout was never created because the provider was unreachable and the respondent did not return: the provider
 * sends no event for those.
 * @returns how many
 */
export async function expireAbandoned(deps: Pick<Deps, 'db' | 'outbox' | 'clock'>): Promise<number> {
  const now = deps.clock.now();
  const before = new Date(now.getTime() - checkoutWithinMs);
  let expired = 0;
  for (const submissionId of await payments.withoutCheckout(deps.db, before, batchSize)) {
    await deps.outbox.transaction(async (trx) => {
      const locked = await payments.lockWithPayment(trx, submissionId);
      if (locked?.payment.state !== 'requires_checkout') return;
      await endUnpaid(trx, locked, { state: 'expired', at: now });
      expired++;
    });
  }
  return expired;
}
