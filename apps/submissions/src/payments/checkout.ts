import { Problem } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as payments from './payments.queries';

/**
 * How long a payment may remain without a checkout. Stripe remembers an idempotency key for 24 hours; after that, a retry could create a
 * second checkout.
 */
export const checkoutWithinMs = 12 * 3_600_000;

export const paymentsNotSetUp = (): Problem => Problem.forbidden('This form collects a payment, but payments are not set up here.');

/**
 * The URL where a respondent pays for a submission; undefined once they can no longer pay. Creates the checkout if there is none yet. If
 * that fails, the submission is kept, and repeating the request with the same `Idempotency-Key` tries again.
 * @throws Problem `unavailable` while the provider is unreachable.
 */
export async function paymentUrl(deps: Deps, instanceId: string, submissionId: string): Promise<string | undefined> {
  const { db, clock } = deps;
  const payment = await payments.paymentOf(db, submissionId);
  if (payment?.state === 'open') return payment.url ?? undefined;
  if (payment?.state !== 'requires_checkout' || clock.now().getTime() - payment.created_at.getTime() >= checkoutWithinMs) return undefined;
  if (!deps.payments) throw paymentsNotSetUp();

  // Outside any transaction: Stripe may be slow and must not hold our row locks.
  const checkout = await deps.payments.provider.openCheckout(payment, instanceId);
  const now = await payments.openCheckout(db, payment.id, checkout);
  return now.state === 'open' ? (now.url ?? undefined) : undefined;
}
