import type { Outcome } from '@sheaf/egress';
import type { Deps } from '../deps';
import type { EndReason } from '../subscriptions/endings.queries';
import type { Lane } from '../subscriptions/lanes';
import { longestRetryAfterMs, pausesOf } from '../subscriptions/retry-schedule';
import type { Claim } from './claims.queries';
import type { Posted } from './posted';
import type { Settlement, Why } from './settlements.queries';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The consequences of an attempt: for its delivery, and for the subscription. */
export interface Verdict {
  settlement: Settlement;
  /** The lane in which the subscription waits from now on. */
  lane: Lane;
  /** Whether the attempt failed, if that is worth recording for the subscription. */
  failed?: boolean | undefined;
  /** Why the subscription ends with this attempt, if it does. */
  ending?: EndingReason | undefined;
}

export type EndingReason = Exclude<EndReason, 'ended'>;

type JudgingSettings = Pick<Deps['settings'], 'RETRY_DELAYS_MS' | 'DELIVERY_SLOW_MS' | 'SUBSCRIPTION_FAILING_DAYS'>;

/** @param at when the attempt ended. */
export function judge({ claim, result }: Posted, settings: JudgingSettings, at: Date): Verdict {
  if ('fault' in result) return { settlement: release(claim, at), lane: claim.lane };
  const { outcome, headers } = result;
  const settlement = settlementOf(claim, outcome, settings.RETRY_DELAYS_MS, at);
  settlement.headers = headers;
  settlement.connection = outcome.connection;
  const ending = endingBy(claim, outcome, settlement, settings);
  if (ending) return { settlement, lane: claim.lane, ending };
  const lane = laneAfter(claim.lane, outcome, settings.DELIVERY_SLOW_MS);
  const failed = settlement.state !== 'succeeded';
  return { settlement, lane, failed: isWorthRecording(claim, failed) ? failed : undefined };
}

// A failure is written when it begins or ends, and hourly while it lasts, so hardly any attempt needs a write.
const isWorthRecording = (claim: Claim, failed: boolean): boolean =>
  failed ? claim.failed_ago_ms === null || claim.failed_ago_ms >= hourMs : claim.failed_ago_ms !== null;

/**
 * The lane after an attempt. A connection that fails at once delays nobody and changes nothing. Any fast answer moves a subscription out of
 * the unproven lane, but only a fast success moves it out of the slow lane.
 */
export function laneAfter(lane: Lane, outcome: Outcome, slowMs: number): Lane {
  if (outcome.durationMs >= slowMs || ('error' in outcome && outcome.error === 'timeout')) return 'slow';
  if (!('status' in outcome)) return lane;
  if (lane === 'slow') return outcome.status >= 200 && outcome.status < 300 ? 'quick' : 'slow';
  return 'quick';
}

/** 410 Gone: the subscriber wants no more deliveries. Anything but a 2xx is a failure, even a redirect (decisions, Hooks and delivery). */
const isGone = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410;

/** Whether an attempt ends its subscription: it answered 410, or another delivery failed after days of nothing but failures. */
function endingBy(
  { failing_for_ms: failingForMs, failed_ago_ms: failedAgoMs }: Claim,
  outcome: Outcome,
  { state }: Settlement,
  { SUBSCRIPTION_FAILING_DAYS: days }: Pick<Deps['settings'], 'SUBSCRIPTION_FAILING_DAYS'>,
): EndingReason | undefined {
  if (isGone(outcome)) return 'gone';
  if (state !== 'failed' || days === 0 || failingForMs === null || failedAgoMs === null) return undefined;
  return failingForMs >= days * dayMs && failedAgoMs < days * dayMs ? 'failing' : undefined;
}

type JudgedClaim = Pick<Claim, 'id' | 'subscription_id' | 'number' | 'attempts_before' | 'busy_until' | 'own_failures' | 'retry'>;

/**
 * The consequence of an attempt's outcome for its delivery.
 * @param delaysMs the pause before each retry of the standard schedule, counted from the failure.
 * @param at when the attempt ended.
 */
export function settlementOf(claim: JudgedClaim, outcome: Outcome, delaysMs: readonly number[], at: Date): Settlement {
  const { id, subscription_id: subscriptionId, number, busy_until: lease } = claim;
  const { durationMs } = outcome;
  // Written out instead of spread because most deliveries end here; see docs/contributing/performance.md.
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300)
    return { id, subscriptionId, number, lease, durationMs, at, state: 'succeeded', status: outcome.status };

  const base = { id, subscriptionId, number, lease, durationMs, at };
  const why: Why = 'status' in outcome ? { status: outcome.status, error: 'status' } : { error: outcome.error, code: outcome.code };
  const delay = pausesOf(claim.retry, delaysMs)[number - claim.attempts_before - 1];
  if (delay === undefined || isGone(outcome)) return { ...base, ...why, state: 'failed' };
  return { ...base, ...why, state: 'pending', pauseMs: Math.max(delay, requestedPauseMs(claim, outcome)) };
}

/**
 * The pause that the subscriber asked for (`Retry-After`), within a bound. It only ever makes the schedule's pause longer. The contract has fixed
 * pauses, so the subscriptions of platforms keep them.
 */
const requestedPauseMs = ({ retry }: JudgedClaim, outcome: Outcome): number =>
  retry === null || 'error' in outcome ? 0 : Math.min(outcome.retryAfterMs ?? 0, longestRetryAfterMs);

/** The consequence of a filter that keeps the event from its webhook by now: as if the attempt had never begun, and no other one follows. */
export const withdraw = (claim: JudgedClaim, at: Date): Settlement => ({
  id: claim.id,
  subscriptionId: claim.subscription_id,
  number: claim.number,
  lease: claim.busy_until,
  durationMs: 0,
  at,
  state: 'cancelled',
  reason: 'filtered',
});

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

const growingPauseMs = ({ own_failures: failures }: JudgedClaim): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures, 10), longestPauseMs);

/**
 * Releases an attempt after a fault on our side: nothing was sent, so nothing is counted. It is retried indefinitely, with growing pauses.
 * @param pauseMs 0 if nothing has failed.
 */
export function release(claim: JudgedClaim, at: Date, pauseMs = growingPauseMs(claim)): Settlement {
  return {
    id: claim.id,
    subscriptionId: claim.subscription_id,
    number: claim.number,
    lease: claim.busy_until,
    durationMs: 0,
    at,
    state: 'released',
    pauseMs,
  };
}
