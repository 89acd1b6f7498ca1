import type { Deps } from './deps';
import * as credentials from './credentials.queries';
import * as people from './people.queries';

/** A statement removes at most as many rows, so that none of them holds locks for long. */
const atOnce = 1_000;

/** Removes the sessions and invitations that are worth nothing any more. Several processes may do it at once. @returns how many. */
export async function sweep({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  const now = clock.now();
  let removed = 0;
  for (const some of [credentials.deleteDeadSessions, people.deleteExpiredInvitations]) {
    // Until one finds nothing, not until one is short: two processes that share what there is are both short, and more may be left.
    for (let batch = atOnce; batch > 0 && stopping?.aborted !== true; removed += batch) batch = await some(db, now, atOnce);
  }
  return removed;
}
