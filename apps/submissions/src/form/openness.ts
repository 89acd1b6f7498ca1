import type { PublishedForm } from './forms-view';

/** Whether the form takes submissions now, its limit aside. At `closesAt` it is already closed. */
export function isOpen({ status, opensAt, closesAt }: Pick<PublishedForm, 'status' | 'opensAt' | 'closesAt'>, now: Date): boolean {
  if (status !== 'active') return false;
  if (opensAt && now < opensAt) return false;
  return !(closesAt && now >= closesAt);
}
