import type { Outcome } from '@sheaf/egress';
import type { Claim, Settlement } from './attempt.queries';

/** Gone: the subscriber wants no more of anything. Everything but a 2xx is a failure, a redirect too (decisions, Hooks and delivery). */
export const isGone = (outcome: Outcome): boolean => 'status' in outcome && outcome.status === 410;

/**
 * What the outcome of an attempt means for its delivery.
 * @param delaysMs the pause before each repetition, counted from the failure, which was at `at`.
 */
export function judge({ id, number }: Pick<Claim, 'id' | 'number'>, outcome: Outcome, delaysMs: readonly number[], at: Date): Settlement {
  const base = { id, number, durationMs: outcome.durationMs, at };
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return { ...base, state: 'succeeded', status: outcome.status };

  const why = 'status' in outcome ? { status: outcome.status, error: 'status' } : { error: outcome.error };
  const delay = delaysMs[number - 1];
  if (delay === undefined || isGone(outcome)) return { ...base, ...why, state: 'failed' };
  return { ...base, ...why, state: 'pending', next: new Date(at.getTime() + delay) };
}
