import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { FormQueue } from '../form-queue';
import { addBlocks, deleteBlocks, hasUncovered, lockForm, inconsistentLists, longUncovered } from './blocks.queries';

// A replica whose clock is behind may still insert among younger submissions. Those are counted as well, but it costs more.
const minAgeMs = 60_000;
// The form takes no submissions while its blocks are created, which takes a few milliseconds.
const maxBlocksAtOnce = 4;
const maxChecked = 10_000;

/** A page behind so many uncovered submissions takes some milliseconds. */
const maxUncovered = 50_000;

/** Creates blocks for lists that are read far from the start. */
export const listBlocks = ({ db, clock, log }: { db: Database; clock: Clock; log: Log }): FormQueue =>
  new FormQueue('creating list blocks', log, async (formId, stopping) => {
    const before = new Date(clock.now().getTime() - minAgeMs);
    if (!(await hasUncovered(db, formId, before))) return;

    let added: number;
    do {
      added = await db.transaction(async (trx) => ((await lockForm(trx, formId)) ? addBlocks(trx, formId, before, maxBlocksAtOnce) : 0));
    } while (added === maxBlocksAtOnce && !stopping.aborted);

    const lists = await inconsistentLists(db, formId, maxChecked);
    if (lists.length === 0) return;
    log.error({ formId, lists }, 'list blocks do not add up to the counts of the form, creating them again');
    await db.transaction(async (trx) => {
      if (await lockForm(trx, formId)) await deleteBlocks(trx, formId);
    });
  });

/**
 * Asks for the blocks of lists that have grown long. The first to read one far from its start would otherwise go through all of it: beyond some
 * million submissions that takes longer than a request may, and holds up everybody else's reads meanwhile.
 */
export async function coverLongLists(
  { db, blocks }: { db: Database; blocks: Pick<FormQueue, 'request'> },
  uncovered = maxUncovered,
): Promise<void> {
  for (const formId of await longUncovered(db, uncovered)) blocks.request(formId);
}
