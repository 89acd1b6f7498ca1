import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from '@sheaf/runtime';
import { mayRemove, removeSome } from './audit-log.queries';
import type { Deps } from './deps';
import { daysAfter } from './days-after';

type Needed = Pick<Deps, 'db' | 'clock'> & { settings: Pick<Deps['settings'], 'AUDIT_LOG_DAYS'> };

/** A transaction removes at most as many entries, so that nobody waits long for the counters. */
const atOnce = 1_000;
const everyMs = 60 * 60 * 1_000;

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

/** Does so every hour, for as long as the process runs. */
export function startAuditRetention(own: Process, deps: Needed): void {
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        const removed = await removeOldEntries(deps, stopped.signal);
        if (removed > 0) own.log.info({ removed }, 'old entries of the audit log were removed');
      } catch (error) {
        own.log.warn({ err: error }, 'old entries of the audit log wait to be removed');
      }
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const done = run();
  own.onStop('audit retention', async () => {
    stopped.abort();
    await done;
  });
}
