/** Deliveries that are due are watched; those that wait for their next attempt, perhaps for hours, are looked at now and then. */
const [watchedMs, waitingMs] = [2_000, 30_000];

interface Waiting {
  state: string;
  next_attempt_at?: string;
}

const isDue = ({ next_attempt_at: at }: Waiting) => at === undefined || Date.parse(at) - Date.now() < 10_000;

/** When to load a list of deliveries again: no event tells that one of them has ended. */
export function pollWhilePending(deliveries: readonly Waiting[] = []): number | false {
  const pending = deliveries.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return false;
  return pending.some(isDue) ? watchedMs : waitingMs;
}
