import type { SubscriptionGone } from '@sheaf/contracts';
import { record, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { retryUntilSuccess } from '@sheaf/runtime';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { endSubscriptions } from '../subscriptions/endings.queries';
import { deactivateCopy, deactivateFailing } from '../subscriptions/subscriptions.queries';
import { forgetFailures } from '../subscriptions/turns.queries';
import type { Claim } from './claims.queries';
import type { EndingReason } from './judge';
import { settle, type Settlement } from './settlements.queries';
import { settlePatienceMs } from './settling';

export type EndingDeps = Pick<Deps, 'clock' | 'outbox' | 'settings' | 'log'>;

/** Settles the attempt, switches the subscription off, cancels its pending deliveries and tells `hooks`, in one transaction. */
export function settleEnding(deps: EndingDeps, claim: Claim, settlements: readonly Settlement[], reason: EndingReason): Promise<void> {
  return retryUntilSuccess('the database to settle an attempt', () => endAndSettle(deps, claim, settlements, reason), {
    log: deps.log,
    forMs: settlePatienceMs,
  });
}

function endAndSettle(
  { clock, outbox, settings, log }: EndingDeps,
  claim: Claim,
  settlements: readonly Settlement[],
  reason: EndingReason,
): Promise<void> {
  const { subscription_id: id, revision } = claim;
  const [settlement] = settlements;
  if (!settlement) return Promise.resolve();
  const gone = subscriptionGone(claim, reason, settlement);
  return outbox.transaction(async (trx) => {
    // A subscription that was renewed since this attempt has another revision and stays active.
    const ended =
      reason === 'gone'
        ? await deactivateCopy(trx, { id, revision })
        : await deactivateFailing(trx, clock, { id, revision, days: settings.SUBSCRIPTION_FAILING_DAYS });
    if (ended) await forgetFailures(trx, [id]);
    await settle(trx, clock, settlements);
    if (!ended) return;
    await endSubscriptions(trx, clock, [id], reason);
    await record(trx, gone);
    log.warn({ subscriptionId: id, formId: claim.form_id, instanceId: claim.instance_id, reason }, 'switched off a subscription');
  });
}

function subscriptionGone(
  { subscription_id: id, revision, instance_id, form_id, traceparent, request_id }: Claim,
  reason: EndingReason,
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
    requestId: request_id ?? undefined,
  };
}

/** How the last attempt failed, as people read it: `HTTP 500`, or the name of an error and its code. */
export function failureOf(settlement: Settlement): string | undefined {
  if (settlement.state !== 'failed') return undefined;
  const { status, error, code } = settlement;
  if (status !== undefined) return `HTTP ${status}`;
  return code === undefined ? error : `${error} (${code})`;
}
