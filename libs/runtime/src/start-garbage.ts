import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Long enough for the caches and connections that a process opens right after its start. */
const afterMs = 5_000;

/**
 * Collects the garbage left over from startup, once. An idle process allocates too little to trigger V8's next full collection, so it would
 * keep that memory for hours. See docs/decisions/0018-small-processes.md for the figures.
 */
export function collectStartGarbage(): void {
  setTimeout(collectGarbage, afterMs).unref();
}

export function collectGarbage(): void {
  // The function exists only in contexts that are created after the flag was set, which spares every process a flag on its command line.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
