import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { FormQueue } from '../form-queue';
import { blockSize, fillBlock, hasLooseEntries } from './blocks.queries';
import { isAnythingWaiting, lockIndex, read, takeOld, takePending, tryLockIndex, write } from './index.queries';
import { indexStateOf, takeReindexed } from './reindex.queries';
import { prepareNext } from './sort-keys';
import { entryOf } from './terms';

/** Submissions that one transaction indexes: the process does nothing else meanwhile for a few milliseconds. */
const batchSize = 200;
/** Bytes of answers that are in memory at a time. */
const maxBytes = 4_194_304;
/** The pause after each batch of submissions from before there was an index, or it was switched on. They are not urgent, and may be millions. */
const pauseMs = 20;
// A replica whose clock is behind may still insert among younger submissions; a block of them would grow.
const minAgeMs = 60_000;

/**
 * Indexes the submissions that wait for it, and prepares the orders that somebody has asked for. In one process at a time; the others find
 * nothing to do.
 */
export async function indexWaiting({ db }: { db: Database }, stopping: AbortSignal): Promise<void> {
  if (!(await isAnythingWaiting(db))) return;
  let isMore: boolean;
  do {
    const kind = await indexBatch(db, nextBatch);
    if (kind === 'old') await sleep(pauseMs);
    isMore = kind !== 'none' || (await prepareNext(db));
  } while (isMore && !stopping.aborted);
}

type Batch = { kind: 'new' | 'old'; ids: string[] } | { kind: 'none' };

const indexBatch = (db: Database, next: (trx: Transaction) => Promise<Batch>): Promise<Batch['kind']> =>
  db.transaction(async (trx) => {
    if (!(await tryLockIndex(trx))) return 'none';
    const batch = await next(trx);
    await indexAll(trx, batch.kind === 'none' ? [] : batch.ids);
    return batch.kind;
  });

async function newBatch(trx: Transaction): Promise<Batch> {
  const waiting = await takePending(trx, batchSize);
  return waiting.length > 0 ? { kind: 'new', ids: waiting } : { kind: 'none' };
}

async function nextBatch(trx: Transaction): Promise<Batch> {
  const batch = await newBatch(trx);
  if (batch.kind !== 'none') return batch;
  const old = (await takeOld(trx, batchSize)) ?? (await takeReindexed(trx, batchSize));
  return old ? { kind: 'old', ids: old } : { kind: 'none' };
}

async function indexAll(trx: Transaction, ids: readonly string[]): Promise<void> {
  for (let remaining = ids; remaining.length > 0;) {
    const sources = await read(trx, remaining, maxBytes);
    const last = sources.at(-1);
    // The rest has been erased meanwhile, or its form is not searchable.
    if (!last) return;
    await write(
      trx,
      sources.map((source) => ({ ...source, entry: entryOf(JSON.parse(source.data) as Record<string, unknown>) })),
    );
    remaining = remaining.slice(remaining.indexOf(last.id) + 1);
  }
}

/** Fills the blocks of forms that are searched. A form that nobody searches needs none. */
export const searchBlocks = ({ db, clock, log, size = blockSize }: { db: Database; clock: Clock; log: Log; size?: number }): FormQueue =>
  new FormQueue('indexing a form for searches', log, async (formId, stopping) => {
    const before = new Date(clock.now().getTime() - minAgeMs);
    if (!(await hasLooseEntries(db, formId, before))) return;
    let filled: boolean;
    do {
      // Those who index only try the lock, and would hardly get it while a form with a million is filled.
      while (!stopping.aborted && (await indexBatch(db, newBatch)) === 'new');
      filled = await db.transaction(async (trx) => {
        await lockIndex(trx);
        // Old submissions would come between those of a block.
        const { isComplete } = await indexStateOf(trx, formId);
        return isComplete ? fillBlock(trx, formId, before, size) : false;
      });
    } while (filled && !stopping.aborted);
  });
