import type { PublishedForm } from './forms-view';

/** Whether the form takes submissions at this moment, its limit aside. `closesAt` is the first moment at which it does not. */
export function isOpen({ status, opensAt, closesAt }: Pick<PublishedForm, 'status' | 'opensAt' | 'closesAt'>, now: Date): boolean {
  if (status !== 'active') return false;
  if (opensAt && now < opensAt) return false;
  return !(closesAt && now >= closesAt);
}
