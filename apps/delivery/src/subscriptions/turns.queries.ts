import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { Lane } from './lanes';

/**
 * Brings each subscription's turn forward to when its next delivery falls due. Call it before changing counters: turns are always locked
 * first.
 */
export async function bringTurnsForward(db: Database, clock: Clock, turns: readonly { id: string; inMs: number }[]): Promise<void> {
  if (turns.length === 0) return;
  await rowsOf(
    db,
    `insert into turn as t (subscription_id, due_at)
     select w.id, ${databaseTime()} + min(w.in_ms) * interval '1 millisecond'
       from jsonb_to_recordset(cast(:turns as jsonb)) as w (id uuid, in_ms float8) group by w.id order by w.id
     on conflict (subscription_id) do update set due_at = least(t.due_at, excluded.due_at)
      where t.due_at is null or t.due_at > excluded.due_at`,
    { moment: momentOf(clock), turns: JSON.stringify(turns.map(({ id, inMs }) => ({ id, in_ms: inMs }))) },
  );
}

/** A change in a subscription's state: the lane it waits in, and whether its last attempt failed. */
export interface TurnChange {
  lane?: Lane;
  failed?: boolean;
}

/** A subscription counts as failing since its first failure, unless it had none for `failingDays` since: a few that are far apart prove little. */
export async function updateTurns(
  db: Database,
  clock: Clock,
  changes: ReadonlyMap<string, TurnChange>,
  failingDays: number,
): Promise<void> {
  if (changes.size === 0) return;
  await rowsOf(
    db,
    `with change as (select * from jsonb_to_recordset(cast(:changes as jsonb)) as c (id uuid, lane text, failed boolean)),
     locked as materialized (
       select t.subscription_id, change.lane, change.failed, coalesce(t.failed_at > ${databaseTime()} - cast(:failingDays as int) * interval '1 day', false) as continues
         from turn t join change on change.id = t.subscription_id
        where t.lane <> change.lane or change.failed is not null order by 1 for no key update of t
     )
     update turn t
        set lane = coalesce(locked.lane, t.lane),
            failing_since = case when locked.failed is null or (locked.failed and locked.continues) then t.failing_since when locked.failed then ${databaseTime()} end,
            failed_at = case when locked.failed is null then t.failed_at when locked.failed then ${databaseTime()} end
       from locked where t.subscription_id = locked.subscription_id`,
    { changes: JSON.stringify([...changes].map(([id, change]) => ({ id, ...change }))), failingDays, moment: momentOf(clock) },
  );
}

/** A subscription that was reactivated or changed gets the full time again before it counts as failing for too long. */
export async function forgetFailures(trx: Transaction, subscriptionIds: readonly string[]): Promise<void> {
  await rowsOf(
    trx,
    `with locked as materialized (
       select subscription_id from turn where subscription_id = any(cast(:ids as uuid[])) and failed_at is not null order by subscription_id for no key update
     )
     update turn set failing_since = null, failed_at = null where subscription_id = any(array(select subscription_id from locked))`,
    { ids: [...subscriptionIds] },
  );
}
