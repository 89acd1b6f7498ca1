import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The first time is long enough for the caches and connections that a process opens right after its start. V8 returns the memory of the
 * young generation only if little was allocated in the seconds before, so a start on a busy machine needs the second.
 */
const afterMs = [5_000, 30_000];

/**
 * Collects the garbage left over from startup. An idle process allocates too little to trigger V8's next full collection, so it would
 * keep that memory for hours. See docs/decisions/0018-small-processes.md for the figures.
 */
export function collectStartGarbage(): void {
  for (const ms of afterMs) setTimeout(collectGarbage, ms).unref();
}

export function collectGarbage(): void {
  // The function exists only in contexts that are created after the flag was set, which spares every process a flag on its command line.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
