import type { Deps } from './deps';
import * as credentials from './credentials/credentials.queries';
import { daysAfter } from './days-after';
import * as invitations from './members/invitations.queries';
import * as links from './sessions/sign-in-links.queries';
import type { QuarantineSettings } from './workspace/slug-quarantine';
import { deleteVacated } from './workspace/vacated-slugs.queries';

/** Rows per statement, so that no statement holds locks for long. */
const batchSize = 1_000;

/**
 * Removes expired sessions, invitations, sign-in links and slug reservations. Several processes may do this at once.
 * @returns the number of removed rows.
 */
export async function sweep(
  { db, clock, settings }: { settings: QuarantineSettings } & Pick<Deps, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const now = clock.now();
  let removed = 0;
  const work = [
    (limit: number) => credentials.deleteDeadSessions(db, now, limit),
    (limit: number) => invitations.deleteExpiredInvitations(db, now, limit),
    (limit: number) => links.deleteExpiredLinks(db, now, limit),
    (limit: number) => deleteVacated(db, daysAfter(now, -settings.SLUG_QUARANTINE_DAYS), limit),
  ];
  for (const removeSome of work) {
    // Stops at an empty batch, not at a short one: two processes that share the rows both get short batches while rows are left.
    for (let batch = batchSize; batch > 0 && stopping?.aborted !== true; removed += batch) batch = await removeSome(batchSize);
  }
  return removed;
}
