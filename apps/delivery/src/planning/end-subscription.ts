import type { SubscriptionGone } from '@sheaf/contracts';
import type { Outcome } from '@sheaf/egress';
import { record, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import { settle, type Claim, type Settlement } from '../attempts/attempt.queries';
import type { Deps } from '../deps';
import { endSubscriptions, forgetFailures } from './endings.queries';
import { isGone } from '../attempts/retry';
import { deactivateCopy, deactivateFailing } from './subscriptions.queries';

const dayMs = 86_400_000;

/** Whether an attempt ends its subscription: it answered 410, or another delivery failed after days of nothing but failures. */
export function endingBy(
  { failing_for_ms: failingForMs, failed_ago_ms: failedAgoMs }: Claim,
  outcome: Outcome,
  { state }: Settlement,
  { SUBSCRIPTION_FAILING_DAYS: days }: Pick<Deps['settings'], 'SUBSCRIPTION_FAILING_DAYS'>,
): 'gone' | 'failing' | undefined {
  if (isGone(outcome)) return 'gone';
  if (state !== 'failed' || days === 0 || failingForMs === null || failedAgoMs === null) return undefined;
  return failingForMs >= days * dayMs && failedAgoMs < days * dayMs ? 'failing' : undefined;
}

/** Settles the attempt, switches the subscription off, cancels its pending deliveries and tells `hooks`, in one transaction. */
export function settleEnding(
  { clock, outbox, settings, log }: Pick<Deps, 'clock' | 'outbox' | 'settings' | 'log'>,
  claim: Claim,
  settlement: Settlement,
  reason: 'gone' | 'failing',
): Promise<void> {
  const { subscription_id: id, revision } = claim;
  return outbox.transaction(async (trx) => {
    // A subscription that was renewed since this attempt has another revision and stays active.
    const ended =
      reason === 'gone'
        ? await deactivateCopy(trx, { id, revision })
        : await deactivateFailing(trx, clock, { id, revision, days: settings.SUBSCRIPTION_FAILING_DAYS });
    if (ended) await forgetFailures(trx, [id]);
    await settle(trx, clock, [settlement]);
    if (!ended) return;
    await endSubscriptions(trx, clock, [id], reason);
    await record(trx, subscriptionGone(claim, reason, settlement));
    log.warn({ subscriptionId: id, formId: claim.form_id, instanceId: claim.instance_id, reason }, 'switched off a subscription');
  });
}

function subscriptionGone(
  { subscription_id: id, revision, instance_id, form_id, traceparent }: Claim,
  reason: 'gone' | 'failing',
  settlement: Settlement,
): DomainEvent {
  const body: z.output<typeof SubscriptionGone> = {
    id,
    revision,
    reason,
    detail: reason === 'failing' ? failureOf(settlement) : undefined,
  };
  return {
    id: newId(),
    type: 'subscription.gone',
    instanceId: instance_id,
    subject: id,
    formId: form_id,
    occurredAt: settlement.at,
    body: JSON.stringify(body),
    trace: traceparent ?? undefined,
  };
}

/** How the last attempt failed, as people read it: `HTTP 500`, or the name of an error and its code. */
export function failureOf(settlement: Settlement): string | undefined {
  if (settlement.state !== 'failed') return undefined;
  const { status, error, code } = settlement;
  if (status !== undefined) return `HTTP ${status}`;
  return code === undefined ? error : `${error} (${code})`;
}
