import type { Outcome } from '@sheaf/egress';
import type { Claim, Settlement, Why } from './attempt.queries';

/** 410 Gone: the subscriber wants no more deliveries. Anything but a 2xx is a failure, even a redirect (decisions, Hooks and delivery). */
export const isGone = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410;

type JudgedClaim = Pick<Claim, 'id' | 'subscription_id' | 'number' | 'attempts_before' | 'busy_until' | 'own_failures'>;

/**
 * Decides what the outcome of an attempt means for its delivery.
 * @param delaysMs the pause before each retry, counted from the failure.
 * @param at when the attempt ended.
 */
export function judge(claim: JudgedClaim, outcome: Outcome, delaysMs: readonly number[], at: Date): Settlement {
  const { id, subscription_id: subscriptionId, number, busy_until: lease } = claim;
  const { durationMs } = outcome;
  // Written out instead of spread because most deliveries end here; see docs/contributing/performance.md.
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300)
    return { id, subscriptionId, number, lease, durationMs, at, state: 'succeeded', status: outcome.status };

  const base = { id, subscriptionId, number, lease, durationMs, at };
  const why: Why = 'status' in outcome ? { status: outcome.status, error: 'status' } : { error: outcome.error, code: outcome.code };
  const delay = delaysMs[number - claim.attempts_before - 1];
  if (delay === undefined || isGone(outcome)) return { ...base, ...why, state: 'failed' };
  return { ...base, ...why, state: 'pending', pauseMs: delay };
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Releases an attempt after a fault on our side: nothing was sent, so nothing is counted. It is retried indefinitely, with growing pauses.
 */
export function release(claim: JudgedClaim, at: Date): Settlement {
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(claim.own_failures, 10), longestPauseMs);
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
