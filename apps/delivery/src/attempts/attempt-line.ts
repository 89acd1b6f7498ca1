import type { Outcome } from '@sheaf/egress';
import { traceNames } from '@sheaf/kernel';
import type { Claim, Settlement } from './attempt.queries';

/** One log line describes the whole attempt. */
export const logFields = (claim: Claim, settlement: Settlement, outcome?: Outcome) => ({
  deliveryId: claim.id,
  attempt: claim.number,
  state: settlement.state,
  nextAttemptAt: 'pauseMs' in settlement ? new Date(settlement.at.getTime() + settlement.pauseMs) : undefined,
  eventId: claim.event_id,
  event: claim.type,
  subscriptionId: claim.subscription_id,
  formId: claim.form_id,
  instanceId: claim.instance_id,
  lane: claim.lane,
  host: new URL(claim.url).host,
  status: outcome && 'status' in outcome ? outcome.status : undefined,
  error: outcome && 'error' in outcome ? outcome.error : undefined,
  code: outcome && 'code' in outcome ? outcome.code : undefined,
  durationMs: outcome?.durationMs,
  ...traceNames(claim.traceparent ?? undefined),
});

/** The outcome's label in the metrics. */
export const outcomeLabel = (outcome: Outcome): string => ('status' in outcome ? `${Math.floor(outcome.status / 100)}xx` : outcome.error);
