import type { Deps } from './deps';
import * as credentials from './credentials/credentials.queries';
import { daysAfter } from './days-after';
import * as invitations from './members/invitations.queries';
import type { QuarantineSettings } from './workspace/slug-quarantine';
import { deleteVacated } from './workspace/vacated-slugs.queries';

/** A statement removes at most as many rows, so that none of them holds locks for long. */
const atOnce = 1_000;

/** Removes the sessions and invitations that are worth nothing any more, and the notes of slugs that are reserved no longer. Several processes may do it at once. @returns how many. */
export async function sweep({ db, clock, settings }: { settings: QuarantineSettings } & Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  const now = clock.now();
  let removed = 0;
  const work = [
    (limit: number) => credentials.deleteDeadSessions(db, now, limit),
    (limit: number) => invitations.deleteExpiredInvitations(db, now, limit),
    (limit: number) => deleteVacated(db, daysAfter(now, -settings.SLUG_QUARANTINE_DAYS), limit),
  ];
  for (const some of work) {
    // Until one finds nothing, not until one is short: two processes that share what there is are both short, and more may be left.
    for (let batch = atOnce; batch > 0 && stopping?.aborted !== true; removed += batch) batch = await some(atOnce);
  }
  return removed;
}
