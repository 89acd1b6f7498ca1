import { setInterval } from 'node:timers';
import { maxBulkSubmissions } from '@sheaf/contracts';
import { newId, Problem } from '@sheaf/kernel';
import { momentOf, rowsOf, type Transaction } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { findAll } from '../search/find-all';
import { knownNeeds } from '../search/needs';
import { exactRefusal } from '../exact/refusals';
import { changeLocked, type DueChange } from '../submission/change-many';
import type { Doer, SubmissionChange } from '../submission/change-one';
import { lockMany, type SubmissionState } from '../submission/submissions.queries';
import { backOf, beforeOf, changeOf, placeOf, reachesTrash, type ItemBefore } from './actions';
import type { Sought } from './bulk-changes';
import * as queries from './bulk-changes.queries';
import type { Claimed, Current, Item } from './bulk-changes.queries';
import { failed, keptMs, maxTokenAgeMs } from './entitlement';
import { forgetStandings } from './entitlement.queries';

/** Longer than a database that fails over is away. */
const leaseMs = 60_000;
const renewMs = 5_000;
/** After an outage, and after a failure that may pass. */
const pauseMs = 30_000;
/** A step that so many processes died in, or that failed so often, is not tried once more. */
const maxRuns = 5;
/** Submissions that one transaction changes. Respondents of the form wait for it. */
const atOnce = 200;
/** Then another bulk change has its turn. */
const stepsInTurn = 25;
const deletedAtOnce = 5_000;

type RunDeps = Pick<Deps, 'db' | 'clock' | 'outbox' | 'searchBlocks'> & { log: Log };

class Lost extends Error {}
class Stopping extends Error {}
class TooMany extends Error {}

/**
 * Makes the bulk changes that wait, in turns. Each step changes some submissions and notes how far it has come in one transaction, so a process that
 * dies leaves whole steps, and another one goes on once its lease is over. @returns how many are over
 */
export async function runBulkChanges(deps: RunDeps, stopping: AbortSignal): Promise<number> {
  let over = 0;
  while (!stopping.aborted) {
    const claimed = await queries.claim(deps.db, { runId: newId(), moment: momentOf(deps.clock), leaseMs, knows: knownNeeds });
    if (!claimed) break;
    if (await run(deps, claimed, stopping)) over += 1;
  }
  return over;
}

/** @returns whether it is done */
async function run(deps: RunDeps, claimed: Claimed, stopping: AbortSignal): Promise<boolean> {
  const { db, clock, log } = deps;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    queries.renew(db, claimed, { moment: momentOf(clock), leaseMs }).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => log.warn({ err: error, bulkChange: claimed.id }, 'renewing a bulk change failed, will retry'),
    );
  }, renewMs);
  try {
    if (claimed.runs > maxRuns) throw new Error(`${maxRuns} processes ended in the same step`);
    if (claimed.total === null) {
      const total = await lookUp(deps, claimed, { stopping, lost: lost.signal });
      if (!(await queries.setTotal(db, claimed, total))) throw new Lost();
    }
    for (let step = 0; step < stepsInTurn && !stopping.aborted; step++) if (await isLast(deps, claimed)) return true;
    await queries.giveBack(db, claimed, { after: null, counts: false });
  } catch (error) {
    await settle(deps, claimed, error);
  } finally {
    clearInterval(renewing);
  }
  return false;
}

async function settle({ db, clock, log }: RunDeps, claimed: Claimed, error: unknown): Promise<void> {
  const now = clock.now();
  const later = new Date(now.getTime() + pauseMs);
  if (error instanceof Lost) return;
  if (error instanceof Stopping) return void (await queries.giveBack(db, claimed, { after: null, counts: false }));
  if (error instanceof TooMany) return queries.endOurs(db, claimed, failed('too_many', now));
  const { code } = Problem.from(error);
  if (code === 'bad_request') return queries.endOurs(db, claimed, failed('not_searchable', now));
  log.warn({ err: error, bulkChange: claimed.id, runs: claimed.runs }, 'a bulk change failed');
  if (code === 'unavailable') return void (await queries.giveBack(db, claimed, { after: later, counts: false }));
  await (claimed.runs >= maxRuns
    ? queries.endOurs(db, claimed, failed('failed', now))
    : queries.giveBack(db, claimed, { after: later, counts: true }));
}

/**
 * Notes all submissions before the first is changed: a change may take them out of what was sought. One snapshot has them all as they are at one
 * moment. One that lost its lease meanwhile leaves nothing. @returns how many
 */
const lookUp = (deps: RunDeps, claimed: Claimed, signals: Signals): Promise<number> =>
  deps.db.transaction(
    async (trx) => {
      if (!(await queries.isToLookUp(trx, claimed))) throw new Lost();
      await queries.clearItems(trx, claimed.id);
      const count = await addSought(trx, deps, claimed, signals);
      // Beside the transaction, whose snapshot is older.
      if (!(await queries.renew(deps.db, claimed, { moment: momentOf(deps.clock), leaseMs }))) throw new Lost();
      return count;
    },
    { isolationLevel: 'repeatable read' },
  );

interface Signals {
  stopping: AbortSignal;
  /** Another process has it, or it is over. */
  lost: AbortSignal;
}

async function addSought(
  trx: Transaction,
  { searchBlocks }: RunDeps,
  { id, form_id: formId, sought: json }: Claimed,
  { stopping, lost }: Signals,
): Promise<number> {
  const sought = JSON.parse(json) as Sought;
  if (sought.place === 'changed') return queries.addChanged(trx, id, sought.by);
  if (sought.place !== 'list')
    return fitting(
      await queries.addPlace(trx, id, { formId, place: sought.place, before: new Date(sought.before), limit: maxBulkSubmissions + 1 }),
    );
  let count = 0;
  for await (const ids of findAll({ db: trx, searchBlocks }, sought.conditions, sought.filter)) {
    if (stopping.aborted) throw new Stopping();
    if (lost.aborted) throw new Lost();
    await queries.addItems(trx, id, { ids, after: count });
    count = fitting(count + ids.length);
  }
  return count;
}

function fitting(count: number): number {
  if (count > maxBulkSubmissions) throw new TooMany();
  return count;
}

/** A step, with fewer submissions if the answers of that many are too large for one transaction. @returns whether it was the last one */
async function isLast(deps: RunDeps, claimed: Claimed): Promise<boolean> {
  for (let limit = atOnce; ; limit = Math.floor(limit / 2)) {
    try {
      return await deps.outbox.transaction((trx) => step(trx, deps, claimed, limit));
    } catch (error) {
      if (limit === 1 || error instanceof Lost || Problem.from(error).code !== 'bad_request') throw error;
    }
  }
}

async function step(trx: Transaction, { clock }: RunDeps, claimed: Claimed, limit: number): Promise<boolean> {
  const now = clock.now();
  const current = await queries.lockOurs(trx, claimed);
  if (!current) throw new Lost();
  const items = await queries.itemsAfter(trx, claimed.id, { after: current.done, limit });
  const last = items.at(-1);
  if (!last) {
    await queries.endOurs(trx, claimed, { state: 'done', now, expiresAt: new Date(now.getTime() + keptMs) });
    return true;
  }
  const changed = await changeItems(trx, claimed, current, items, now);
  await queries.noteChanged(trx, claimed.id, changed);
  await queries.noteStep(trx, claimed, { done: last.number, changed: changed.length });
  return false;
}

interface Changed {
  number: number;
  before: ItemBefore;
  at: Date;
}

/** Changes those that are due, and leaves those that are gone or have left their place. */
async function changeItems(trx: Transaction, claimed: Claimed, current: Current, items: readonly Item[], now: Date): Promise<Changed[]> {
  const { form_id: formId, action, undoes } = claimed;
  const doer = JSON.parse(current.doer) as Doer;
  const ids = items.map(({ submission_id: id }) => id);
  const locked = await lockMany(trx, formId, ids, { includeTrash: undoes !== null || reachesTrash(action) });
  // One that has become spam since has left the list.
  const rows = undoes === null && placeOf(action) === 'list' ? locked.filter(({ spam_at: since }) => since === null) : locked;
  const groups = undoes === null ? [{ rows, change: changeOf(claimed, doer) }] : await backwards(trx, claimed, doer, rows);
  const numbers = new Map(items.map(({ submission_id: id, number }) => [id, number]));
  const changes = groups.map(({ rows: some, change }) => ({ due: some.filter(change.isDue), change }));
  const made = await changePossible(trx, changes, (some) =>
    changeLocked(trx, doer, { workspaceId: current.workspace_id, formId, now }, some),
  );
  return made.map(({ row, at }) => ({ number: numbers.get(row.id) ?? 0, before: beforeOf(action, row), at }));
}

/** Changes all at once or, if there is no place for some of them any more, one by one, and leaves those. */
async function changePossible(
  trx: Transaction,
  changes: readonly DueChange[],
  change: (changes: readonly DueChange[]) => Promise<Date>,
): Promise<{ row: SubmissionState; at: Date }[]> {
  const attempt = async (some: readonly DueChange[]): Promise<Date | undefined> => {
    if (!some.some(({ change: { returns } }) => returns)) return change(some);
    // A refused statement would end the whole transaction.
    await rowsOf(trx, 'savepoint possible');
    try {
      const at = await change(some);
      await rowsOf(trx, 'release savepoint possible');
      return at;
    } catch (error) {
      if (!exactRefusal(error)) throw error;
      await rowsOf(trx, 'rollback to savepoint possible');
      await rowsOf(trx, 'release savepoint possible');
      return undefined;
    }
  };
  const together = await attempt(changes);
  if (together) return changes.flatMap(({ due }) => due.map((row) => ({ row, at: together })));
  const made: { row: SubmissionState; at: Date }[] = [];
  for (const { due, change: each } of changes)
    for (const row of due) {
      const at = await attempt([{ due: [row], change: each }]);
      if (at) made.push({ row, at });
    }
  return made;
}

interface Group {
  rows: SubmissionState[];
  change: SubmissionChange;
}

/** Those that nobody has changed since, by what they had before. */
async function backwards(trx: Transaction, { action, undoes }: Claimed, doer: Doer, rows: readonly SubmissionState[]): Promise<Group[]> {
  const ids = rows.map(({ id }) => id);
  const earlier = new Map((await queries.beforesOf(trx, undoes ?? '', ids)).map((item) => [item.submission_id, item]));
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const item = earlier.get(row.id);
    if (!item || row.changed_at?.getTime() !== item.changed_at.getTime()) continue;
    const key = JSON.stringify(item.before);
    const group = groups.get(key) ?? { rows: [], change: backOf(action, item.before, doer) };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Ends what takes too long, and deletes what nobody can take back any more. @returns how many were deleted */
export async function removeBulkChanges({ db, clock }: Pick<RunDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  await queries.endLate(db, { now, tooOld: new Date(now.getTime() - keptMs), expiresAt: new Date(now.getTime() + keptMs) });
  await db.transaction((trx) => forgetStandings(trx, new Date(now.getTime() - 2 * maxTokenAgeMs)));
  while (await queries.deleteItems(db, now, deletedAtOnce));
  return queries.deleteExpired(db, now);
}
