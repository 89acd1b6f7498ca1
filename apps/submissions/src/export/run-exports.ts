import { setInterval } from 'node:timers';
import { newId, Problem } from '@sheaf/kernel';
import { momentOf } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { storageKey } from '../files/remove-files';
import { knownNeeds } from '../search/needs';
import * as queries from './exports.queries';
import type { Claimed } from './exports.queries';
import type { Plan } from './plan';
import { writeExport } from './write-export';

export const dayMs = 86_400_000;
/** Longer than a database that fails over is away. */
const leaseMs = 60_000;
const renewMs = 5_000;
/** After an outage, and after a failure that may pass. */
const pauseMs = 30_000;
/** An export at which so many processes died is not begun once more. */
const maxRuns = 5;
const candidates = 10;
const removedAtOnce = 100;
/** A process that sleeps for so long, and goes on writing then, leaves bytes behind. */
const removedAgainMs = 3_600_000;

type RunDeps = Pick<Deps, 'db' | 'clock' | 'files' | 'searchBlocks'>;

class TooLarge extends Error {}
class Lost extends Error {}

/**
 * Makes the exports that wait, one after another, so that a process has the memory of one. Those of a process that died are begun anew once its
 * lease is over. @returns how many are ready
 */
export async function runExports(deps: RunDeps, stopping: AbortSignal): Promise<number> {
  let made = 0;
  while (!stopping.aborted) {
    const claimed = await claimNext(deps);
    if (!claimed) break;
    if (await run(deps, claimed, stopping)) made += 1;
  }
  return made;
}

async function claimNext({ db, clock }: RunDeps): Promise<Claimed | undefined> {
  const moment = momentOf(clock);
  for (const candidate of await queries.waiting(db, { moment, knows: knownNeeds, limit: candidates })) {
    const claimed = await db.transaction((trx) => queries.claim(trx, candidate, { fileId: newId(), moment, leaseMs }));
    if (claimed) return claimed;
  }
  return undefined;
}

async function run(deps: RunDeps, claimed: Claimed, stopping: AbortSignal): Promise<boolean> {
  const { db, clock, files } = deps;
  const ending = new AbortController();
  const stop = () => ending.abort(new Lost('the process stops'));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const progress = { done: 0, size: 0 };
  const renewing = setInterval(() => {
    queries.renew(db, claimed, { done: progress.done, moment: momentOf(clock), leaseMs }).then(
      (isOurs) => {
        if (isOurs) return;
        // A storage that hangs would otherwise keep an erasure waiting for as long as it hangs.
        clearInterval(renewing);
        ending.abort(new Lost('it was cancelled, or something that it may have read was erased'));
      },
      (error: unknown) => files.log.warn({ err: error, export: claimed.export_id }, 'renewing an export failed, will retry'),
    );
  }, renewMs);
  try {
    if (claimed.runs > maxRuns) throw new Error(`${maxRuns} processes ended while they made it`);
    const plan = JSON.parse(claimed.plan) as Plan;
    const chunks = writeExport(deps, plan, clock.now(), (count) => (progress.done += count));
    const sized = upTo(files.exportMaxBytes, chunks, { ending, onBytes: (count) => (progress.size += count) });
    await files.storage.put(storageKey(claimed), sized);
    const now = clock.now();
    const isReady = await queries.finish(db, claimed, { ...progress, now, expiresAt: new Date(now.getTime() + dayMs) });
    if (!isReady) throw new Lost('it was cancelled, or something that it may have read was erased');
    return true;
  } catch (error) {
    await settle(deps, claimed, ending.signal.aborted ? ending.signal.reason : error);
    return false;
  } finally {
    clearInterval(renewing);
    stopping.removeEventListener('abort', stop);
  }
}

/** The storage reports each failure of `put` as an outage of its own, so `ending` keeps the reasons that are not. */
async function* upTo(
  maxBytes: number,
  chunks: AsyncIterable<Uint8Array>,
  { ending, onBytes }: { ending: AbortController; onBytes: (count: number) => number },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      ending.signal.throwIfAborted();
      if (onBytes(chunk.byteLength) > maxBytes) throw new TooLarge();
      yield chunk;
    }
  } catch (error) {
    ending.abort(error);
    throw error;
  }
}

/** Settles an export that was not made. Its bytes go in any case. */
async function settle({ db, clock, files }: RunDeps, claimed: Claimed, error: unknown): Promise<void> {
  const now = clock.now();
  const later = new Date(now.getTime() + pauseMs);
  const giveBack = (after: Date | null, counts: boolean) => db.transaction((trx) => queries.giveBack(trx, claimed, { after, counts }));
  const fail = (reason: string) =>
    db.transaction((trx) => queries.fail(trx, claimed, { reason, now, expiresAt: new Date(now.getTime() + dayMs) }));
  if (error instanceof Lost) return giveBack(null, false);
  if (error instanceof TooLarge) return fail('too_large');
  const { code } = Problem.from(error);
  if (code === 'bad_request') return fail('not_searchable');
  files.log.warn({ err: error, export: claimed.export_id, runs: claimed.runs }, 'an export in the background failed');
  if (code === 'unavailable') return giveBack(later, false);
  return claimed.runs >= maxRuns ? fail('failed') : giveBack(later, true);
}

/** Removes the bytes of exports that are over, cancelled or outdated. @returns how many */
export async function removeExports(deps: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  await db.transaction((trx) => queries.withdraw(trx, { now, tooOld: new Date(now.getTime() - dayMs) }));
  // Twice the time for which an export may be under way and ready.
  await queries.forgetErasures(db, new Date(now.getTime() - 4 * dayMs));
  let removed = 0;
  for (;;) {
    const count = await removeSome(deps);
    removed += count;
    if (count < removedAtOnce) return removed;
  }
}

/**
 * Takes back the exports of a form of which something was erased, with their bytes. @param whole if the form itself was
 * @returns whether none is left. A process that is making one learns of it within seconds, and writes until then
 * @throws what the storage throws: the erasure is not complete then
 */
export async function withdrawExports(deps: Pick<Deps, 'db' | 'clock' | 'files'>, formId: string, whole: boolean): Promise<boolean> {
  await deps.db.transaction((trx) => queries.withdrawOf(trx, formId, { whole }));
  while ((await removeSome(deps, formId)) === removedAtOnce);
  return !(await queries.areSomeWritten(deps.db, formId));
}

async function removeSome({ db, clock, files: { storage } }: Pick<Deps, 'db' | 'clock' | 'files'>, formId?: string): Promise<number> {
  const moment = momentOf(clock);
  const files = await queries.removable(db, moment, removedAtOnce, formId);
  for (const file of files) {
    await storage.remove(storageKey(file));
    await queries.noteRemoval(db, file.id, { moment, againMs: removedAgainMs });
  }
  return files.length;
}
