import { OwnFailure, type Outcome } from '@sheaf/egress';
import { traceNames } from '@sheaf/kernel';
import type { Deps } from '../deps';
import type { Claim } from './claims.queries';
import { sentOf, type Posted } from './posted';
import type { Settlement } from './settlements.queries';

export type ReportDeps = Pick<Deps, 'metrics' | 'log'>;

/** Counts a settled attempt, and logs it. */
export function report({ metrics, log }: ReportDeps, posted: Posted, settlement: Settlement): void {
  const { result } = posted;
  if ('fault' in result) {
    const stage = result.fault instanceof OwnFailure ? result.fault.stage : 'prepare';
    metrics.attempts.inc({ outcome: `own_${stage}` });
    log.error({ err: result.fault, stage, ...logFields(posted, settlement) }, 'attempt failed on our side, nothing was sent');
  } else {
    metrics.attempts.inc({ outcome: outcomeLabel(result.outcome) });
    log.info(logFields(posted, settlement, result.outcome), 'attempt');
  }
}

/** One log line describes the whole attempt. */
const logFields = ({ claim, ...posted }: Posted, settlement: Settlement, outcome?: Outcome) => ({
  deliveryId: claim.id,
  ...(claim.batch && batchFields(claim.batch, sentOf({ claim, ...posted }))),
  attempt: claim.number,
  state: settlement.state,
  nextAttemptAt: 'pauseMs' in settlement ? new Date(settlement.at.getTime() + settlement.pauseMs) : undefined,
  eventId: claim.event_id,
  requestId: claim.request_id ?? undefined,
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

const batchFields = ({ id }: { id: string }, sent: readonly Claim[]) => ({
  batchId: id,
  deliveryIds: sent.map((one) => one.id),
  requestIds: [...new Set(sent.flatMap((one) => one.request_id ?? []))],
});

/** The outcome's label in the metrics. */
const outcomeLabel = (outcome: Outcome): string => ('status' in outcome ? `${Math.floor(outcome.status / 100)}xx` : outcome.error);
