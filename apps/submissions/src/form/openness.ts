import type { ClosedReason } from '@sheaf/contracts';
import type { PublishedForm } from './forms-view';

type Openness = Pick<PublishedForm, 'status' | 'opensAt' | 'closesAt'>;

/** Why the form takes no submissions now, its limit and payment aside; undefined while it is open. At `closesAt` it is already closed. */
export function closedBecause({ status, opensAt, closesAt }: Openness, now: Date): ClosedReason | undefined {
  if (status !== 'active') return 'disabled';
  if (opensAt && now < opensAt) return 'not_yet_open';
  return closesAt && now >= closesAt ? 'closed' : undefined;
}

export const isOpen = (form: Openness, now: Date): boolean => closedBecause(form, now) === undefined;
