import { mayRemove, removeSome } from './audit-log.queries';
import type { Deps } from '../deps';
import { daysAfter } from '../days-after';

type Needed = Pick<Deps, 'db' | 'clock'> & { settings: Pick<Deps['settings'], 'AUDIT_LOG_DAYS'> };

/** A transaction removes at most as many entries, so that nobody waits long for the counters. */
const atOnce = 1_000;

/** Removes the entries of the audit log that are too old, unless another copy of the service is at it. @returns how many. */
export async function removeOldEntries({ db, clock, settings }: Needed, signal?: AbortSignal): Promise<number> {
  const before = daysAfter(clock.now(), -settings.AUDIT_LOG_DAYS);
  let removed = 0;
  for (;;) {
    const some = await db.transaction(async (trx) => ((await mayRemove(trx)) ? removeSome(trx, before, atOnce) : 0));
    removed += some;
    if (some < atOnce || signal?.aborted === true) return removed;
  }
}
