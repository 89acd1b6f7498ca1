import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from '@sheaf/runtime';
import type { Deps } from './deps';
import { forgetKeys } from './submissions.queries';

const everyMs = 3_600_000;
const batchSize = 1_000;
const dayMs = 86_400_000;

/** Forgets the idempotency keys that are older than so many days, a batch at a time. Several processes may do it at once. @returns how many. */
export async function forgetOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, days: number): Promise<number> {
  const before = new Date(clock.now().getTime() - days * dayMs);
  let forgotten = 0;
  for (let batch = batchSize; batch === batchSize; forgotten += batch) batch = await forgetKeys(db, before, batchSize);
  return forgotten;
}

/** Does so every hour until the process stops. */
export function startForgettingKeys(own: Process, deps: Pick<Deps, 'db' | 'clock'>, days: number): void {
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      await forgetOldKeys(deps, days).catch((error: unknown) => own.log.warn({ err: error }, 'old idempotency keys are kept for now'));
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const done = run();
  own.onStop('idempotency keys', async () => {
    stopped.abort();
    await done;
  });
}
