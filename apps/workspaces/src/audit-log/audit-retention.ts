import { tryLockRemoval, removeSome } from './audit-log.queries';
import type { Deps } from '../deps';
import { daysAfter } from '../days-after';

type RetentionDeps = Pick<Deps, 'db' | 'clock'> & { settings: Pick<Deps['settings'], 'AUDIT_LOG_DAYS'> };

/** Entries per transaction, so that the counters are never locked for long. */
const batchSize = 1_000;

/** Removes old audit log entries, unless another process is doing so. @returns the number of removed entries. */
export async function removeOldEntries({ db, clock, settings }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const before = daysAfter(clock.now(), -settings.AUDIT_LOG_DAYS);
  let removed = 0;
  for (;;) {
    const some = await db.transaction(async (trx) => ((await tryLockRemoval(trx)) ? removeSome(trx, before, batchSize) : 0));
    removed += some;
    if (some < batchSize || signal?.aborted === true) return removed;
  }
}
