import type { Database } from '@sheaf/postgres';
import { noteRestored, settlePassedOver, settlePending } from './restored.queries';

/**
 * Holds back all that may have been sent already: after the moment of the backup, the system that was lost went on for a while, and nobody
 * knows what it sent. A delivery that was pending in the backup may have had its three POSTs since then, and an event that was not planned
 * may have been planned and sent under an id that was lost. Both are in the log as failed, and a person decides whether to send them again.
 *
 * Run it before `delivery` starts on the restored database. It can be repeated.
 * @param at when it was restored: no event of the backup is younger
 * @returns how many deliveries were pending
 */
export async function recordRestore(db: Database, at: Date): Promise<number> {
  await noteRestored(db, at);
  let held = await settlePassedOver(db, at);
  for (;;) {
    const settled = await settlePending(db, at);
    if (settled === 0) return held;
    held += settled;
  }
}
