import { Problem } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as payments from './payments.queries';

/**
 * How long a payment may go without a checkout. Stripe remembers an idempotency key for 24 hours: later, a second checkout could come
 * of it.
 */
export const checkoutWithinMs = 12 * 3_600_000;

export const notSetUp = (): Problem => Problem.forbidden('This form collects a payment, and payments are not set up here.');

/**
 * Where a respondent pays for a submission, undefined once they cannot any more. The checkout is made here if that has not been done: when it fails the
 * submission stays, and the same request with the same `Idempotency-Key` comes by here again.
 * @throws Problem `unavailable` while the provider is away.
 */
export async function paymentUrl(deps: Deps, instanceId: string, submissionId: string): Promise<string | undefined> {
  const { db, clock } = deps;
  const payment = await payments.paymentOf(db, submissionId);
  if (payment?.state === 'open') return payment.url ?? undefined;
  if (payment?.state !== 'requires_checkout' || clock.now().getTime() - payment.created_at.getTime() >= checkoutWithinMs) return undefined;
  if (!deps.payments) throw notSetUp();

  // Outside of any transaction: Stripe may take its time, and must not hold our row locks.
  const checkout = await deps.payments.provider.openCheckout(payment, instanceId);
  const now = await payments.openCheckout(db, payment.id, checkout);
  return now.state === 'open' ? (now.url ?? undefined) : undefined;
}
