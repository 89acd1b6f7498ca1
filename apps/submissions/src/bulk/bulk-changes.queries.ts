import type { BulkAction } from '@sheaf/contracts';
import { databaseTime, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { ItemBefore } from './actions';

export interface BulkChangeRow {
  id: string;
  instance_id: string;
  workspace_id: string;
  form_id: string;
  caller_kind: string;
  caller_id: string;
  action: BulkAction;
  new_status: string | null;
  new_assignee: string | null;
  undoes: string | null;
  state: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
  reason: string | null;
  total: number | null;
  done: number;
  changed: number;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date;
}

export type NewBulkChange = Omit<BulkChangeRow, 'state' | 'reason' | 'total' | 'done' | 'changed' | 'finished_at'> & {
  /** JSON, as the next two. */
  doer: string;
  access: string;
  sought: string;
  /** The number that a process must know to look its submissions up. */
  needs: number;
};

const shown = `id, instance_id, workspace_id, form_id, caller_kind, caller_id, action, new_status, new_assignee, undoes, state, reason, total, done,
  changed, created_at, finished_at, expires_at`;

const isUnfinished = `state in ('waiting', 'running')`;

/** Unfinished bulk changes of a form and its workspace. Others that are being asked for wait until this transaction ends. */
export async function countUnfinished(
  trx: Transaction,
  { workspaceId, formId }: { workspaceId: string; formId: string },
): Promise<{ form: number; workspace: number }> {
  await rowsOf(trx, `select pg_advisory_xact_lock(hashtext('bulk changes'), hashtext(?))`, [workspaceId]);
  const [row] = await rowsOf<{ form: number; workspace: number }>(
    trx,
    `select count(*) filter (where form_id = :formId) as form, count(*) as workspace from bulk_change where workspace_id = :workspaceId and ${isUnfinished}`,
    { workspaceId, formId },
  );
  return row ?? { form: 0, workspace: 0 };
}

export const insert = (trx: Transaction, row: NewBulkChange): Promise<unknown> =>
  trx('bulk_change').insert({ ...row, state: 'waiting', turn_at: row.created_at });

export const listOf = (db: Database, formId: string): Promise<BulkChangeRow[]> =>
  rowsOf(db, `select ${shown} from bulk_change where form_id = ? order by created_at desc, id desc limit 100`, [formId]);

export async function find(db: Database, formId: string, id: string): Promise<BulkChangeRow | undefined> {
  const [row] = await rowsOf<BulkChangeRow>(db, `select ${shown} from bulk_change where form_id = ? and id = ?`, [formId, id]);
  return row;
}

/**
 * Locks a bulk change until this transaction ends. One that a process has waits for the end of its step, but not of its look-up: that holds the key by
 * the items that it adds, so none of the locks here may be on the key.
 */
export async function lock(trx: Transaction, formId: string, id: string): Promise<BulkChangeRow | undefined> {
  const [row] = await rowsOf<BulkChangeRow>(trx, `select ${shown} from bulk_change where form_id = ? and id = ? for no key update`, [
    formId,
    id,
  ]);
  return row;
}

/** Whether another one that takes it back is under way. */
export const isBeingUndone = async (trx: Transaction, id: string): Promise<boolean> =>
  (await rowsOf(trx, `select from bulk_change where undoes = ? and ${isUnfinished} limit 1`, [id])).length > 0;

/** Keeps a bulk change for another one that takes it back, which reads at each step what submissions had. */
export const keepFor = (trx: Transaction, id: string, expiresAt: Date): Promise<unknown> =>
  rowsOf(trx, 'update bulk_change set expires_at = greatest(expires_at, :expiresAt) where id = :id', { id, expiresAt });

/** All that it was made from goes; the items that it changed are kept for taking it back. */
const over = 'doer = null, access = null, sought = null, leased_until = null, finished_at = :now, expires_at = :expiresAt';

export interface End {
  state: 'done' | 'cancelled' | 'failed';
  reason?: string;
  now: Date;
  expiresAt: Date;
}

/** Ends a bulk change that is not over. */
export async function end(db: Database, id: string, { state, reason, now, expiresAt }: End): Promise<void> {
  const ended = await rowsOf(
    db,
    `update bulk_change set state = :state, reason = :reason, ${over} where id = :id and ${isUnfinished} returning 1`,
    { id, state, reason: reason ?? null, now, expiresAt },
  );
  if (ended.length > 0) await forgetUnchanged(db, id);
}

/** Deletes items that nothing was done to. Those that a transaction has which erases their submissions go with that: neither waits for the other. */
const forgetUnchanged = (db: Database, id: string): Promise<unknown> =>
  rowsOf(
    db,
    `delete from bulk_change_item where ctid = any(array(
       select ctid from bulk_change_item where bulk_change_id = :id and changed_at is null for update skip locked))`,
    { id },
  );

/** A bulk change that this process has. */
export interface Claimed extends BulkChangeRow {
  run_id: string;
  runs: number;
  /** JSON. */
  sought: string;
}

/**
 * Takes the one that nobody has, that this process can make, and that waits for the longest. Those of a form follow one another: a second one would look up its submissions in the
 * middle of the first. One that has looked them up goes first, whatever the clocks of those say that were asked.
 */
export async function claim(
  db: Database,
  { runId, moment, leaseMs, knows }: { runId: string; moment: Date | null; leaseMs: number; knows: number },
): Promise<Claimed | undefined> {
  const [row] = await rowsOf<Claimed>(
    db,
    `update bulk_change set state = 'running', run_id = :runId, runs = runs + 1, turn_at = ${databaseTime()},
            leased_until = ${databaseTime()} + :leaseMs * interval '1 millisecond'
      where id = (select id from bulk_change b where ${isUnfinished} and coalesce(leased_until, '-infinity') <= ${databaseTime()} and b.needs <= :knows
                     and not exists (select from bulk_change e where e.form_id = b.form_id and e.state in ('waiting', 'running')
                                        and (e.total is null, e.created_at, e.id) < (b.total is null, b.created_at, b.id))
                   order by turn_at, id limit 1 for update skip locked)
      returning ${shown}, run_id, runs, cast(sought as text) as sought`,
    { runId, moment, leaseMs, knows },
  );
  return row;
}

const isOurs = `id = :id and run_id = :runId and state = 'running'`;

const ofRun = ({ id, run_id: runId }: Pick<Claimed, 'id' | 'run_id'>) => ({ id, runId });

/** @returns whether this process still has it */
export async function renew(
  db: Database,
  claimed: Claimed,
  { moment, leaseMs }: { moment: Date | null; leaseMs: number },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `update bulk_change set leased_until = ${databaseTime()} + :leaseMs * interval '1 millisecond' where ${isOurs} returning 1`,
    { ...ofRun(claimed), moment, leaseMs },
  );
  return rows.length > 0;
}

/** Gives it back. @param after when somebody may take it; at once if null @param counts whether it was an attempt that failed */
export const giveBack = (db: Database, claimed: Claimed, { after, counts }: { after: Date | null; counts: boolean }): Promise<unknown> =>
  rowsOf(db, `update bulk_change set leased_until = :after, runs = greatest(0, runs - :given) where ${isOurs}`, {
    ...ofRun(claimed),
    after,
    given: counts ? 0 : 1,
  });

/** Ends a bulk change unless this process has lost it. */
export async function endOurs(db: Database, claimed: Claimed, { state, reason, now, expiresAt }: End): Promise<void> {
  const ended = await rowsOf(db, `update bulk_change set state = :state, reason = :reason, ${over} where ${isOurs} returning 1`, {
    ...ofRun(claimed),
    state,
    reason: reason ?? null,
    now,
    expiresAt,
  });
  if (ended.length > 0) await forgetUnchanged(db, claimed.id);
}

/** Whether this process has it, and nobody has looked up its submissions yet. */
export const isToLookUp = async (trx: Transaction, claimed: Claimed): Promise<boolean> =>
  (await rowsOf(trx, `select from bulk_change where ${isOurs} and total is null`, ofRun(claimed))).length > 0;

/** Forgets the submissions that an attempt before has looked up. */
export const clearItems = (trx: Transaction, id: string): Promise<unknown> =>
  rowsOf(trx, 'delete from bulk_change_item where bulk_change_id = ?', [id]);

/** Adds submissions in this order. */
export const addItems = (trx: Transaction, id: string, { ids, after }: { ids: readonly string[]; after: number }): Promise<unknown> =>
  rowsOf(
    trx,
    `insert into bulk_change_item (bulk_change_id, number, submission_id)
     select :id, :after + place, submission_id from unnest(cast(:ids as uuid[])) with ordinality as found (submission_id, place)`,
    { id, ids: [...ids], after },
  );

const since = { spam: 'spam_at', trash: 'deleted_at' } as const;
const inPlace = { spam: 'spam_at is not null and deleted_at is null', trash: 'deleted_at is not null' } as const;

/** Adds what was spam or in the trash before a time, as far as the limit. @returns how many */
export async function addPlace(
  trx: Transaction,
  id: string,
  { formId, place, before, limit }: { formId: string; place: 'spam' | 'trash'; before: Date; limit: number },
): Promise<number> {
  const rows = await rowsOf<{ added: number }>(
    trx,
    `with added as (
       insert into bulk_change_item (bulk_change_id, number, submission_id)
       select :id, row_number() over (order by since desc, id desc), id
         from (select id, ${since[place]} as since from submission where form_id = :formId and ${inPlace[place]} and ${since[place]} <= :before
                order by ${since[place]} desc, id desc limit :limit) as found
       returning 1
     )
     select count(*) as added from added`,
    { id, formId, before, limit },
  );
  return rows[0]?.added ?? 0;
}

/** Adds those that another bulk change has changed, under their numbers. @returns the last number */
export async function addChanged(trx: Transaction, id: string, undoes: string): Promise<number> {
  const rows = await rowsOf<{ last: number }>(
    trx,
    `with added as (
       insert into bulk_change_item (bulk_change_id, number, submission_id)
       select :id, row_number() over (order by number), submission_id from bulk_change_item where bulk_change_id = :undoes and changed_at is not null
       returning number
     )
     select coalesce(max(number), 0) as last from added`,
    { id, undoes },
  );
  return rows[0]?.last ?? 0;
}

/** @returns whether this process still has it */
export const setTotal = async (db: Database, claimed: Claimed, total: number): Promise<boolean> =>
  (await rowsOf(db, `update bulk_change set total = :total where ${isOurs} returning 1`, { ...ofRun(claimed), total })).length > 0;

/** The state in which a step of a bulk change begins. */
export interface Current {
  /** JSON. */
  doer: string;
  workspace_id: string;
  done: number;
}

/** Locks the bulk change until this transaction ends. @returns undefined if this process has lost it */
export async function lockOurs(trx: Transaction, claimed: Claimed): Promise<Current | undefined> {
  const [row] = await rowsOf<Current>(
    trx,
    `select cast(doer as text) as doer, workspace_id, done from bulk_change where ${isOurs} for no key update`,
    ofRun(claimed),
  );
  return row;
}

export interface Item {
  number: number;
  submission_id: string;
}

export const itemsAfter = (trx: Transaction, id: string, { after, limit }: { after: number; limit: number }): Promise<Item[]> =>
  rowsOf(
    trx,
    'select number, submission_id from bulk_change_item where bulk_change_id = :id and number > :after order by number limit :limit',
    { id, after, limit },
  );

/** The facts that these submissions had before another bulk change, and its moment. */
export const beforesOf = (
  trx: Transaction,
  bulkChangeId: string,
  ids: readonly string[],
): Promise<{ submission_id: string; before: ItemBefore; changed_at: Date }[]> =>
  rowsOf(
    trx,
    `select i.submission_id, i.before, i.changed_at
       from unnest(cast(:ids as uuid[])) as wanted (id)
      cross join lateral (select submission_id, before, changed_at, bulk_change_id from bulk_change_item where submission_id = wanted.id offset 0) as i
      where i.bulk_change_id = :bulkChangeId and i.changed_at is not null`,
    { bulkChangeId, ids: [...ids] },
  );

/** Notes what submissions had before they were changed. */
export const noteChanged = (
  trx: Transaction,
  id: string,
  items: readonly { number: number; before: ItemBefore; at: Date }[],
): Promise<unknown> =>
  rowsOf(
    trx,
    `update bulk_change_item i set before = cast(noted.before as json), changed_at = noted.at
       from unnest(cast(:numbers as int[]), cast(:befores as text[]), cast(:times as timestamptz[])) as noted (number, before, at)
      where i.bulk_change_id = :id and i.number = noted.number`,
    {
      id,
      numbers: items.map(({ number }) => number),
      befores: items.map(({ before }) => JSON.stringify(before)),
      times: items.map(({ at }) => at.toISOString()),
    },
  );

/** It has come as far as `done`, and has changed so many more. */
export const noteStep = (trx: Transaction, claimed: Claimed, { done, changed }: { done: number; changed: number }): Promise<unknown> =>
  rowsOf(trx, `update bulk_change set done = :done, changed = changed + :changed, runs = 1 where ${isOurs}`, {
    ...ofRun(claimed),
    done,
    changed,
  });

/** Ends those that take too long. */
export async function endLate(db: Database, { now, tooOld, expiresAt }: { now: Date; tooOld: Date; expiresAt: Date }): Promise<void> {
  const ended = await rowsOf<{ id: string }>(
    db,
    `update bulk_change set state = 'failed', reason = 'took_too_long', ${over} where ${isUnfinished} and created_at <= :tooOld returning id`,
    { now, tooOld, expiresAt },
  );
  for (const { id } of ended) await forgetUnchanged(db, id);
}

/**
 * Deletes items of bulk changes that nobody can take back any more. The lock waits for somebody who is about to, and then reads the later end.
 * @returns whether there may be more
 */
export async function deleteItems(db: Database, now: Date, limit: number): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `delete from bulk_change_item where ctid = any(array(
       select i.ctid from bulk_change b join bulk_change_item i on i.bulk_change_id = b.id where b.expires_at <= :now
        limit :limit for no key update of b)) returning 1`,
    { now, limit },
  );
  return rows.length === limit;
}

export async function deleteExpired(db: Database, now: Date): Promise<number> {
  return (await rowsOf(db, 'delete from bulk_change where expires_at <= ? returning 1', [now])).length;
}
