import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** Why a subscription's pending deliveries were cancelled: it answered 410, it failed for too long, or somebody ended it. */
export type EndReason = 'gone' | 'failing' | 'ended';

/** A subscription that ended, and the place in the queue up to which its deliveries must still be cancelled. */
export interface Ending {
  subscription_id: string;
  upto: string;
  reason: EndReason;
}

/** How many deliveries one statement cancels. */
export const cancelBatchSize = 1_000;

/**
 * Cancels the deliveries of subscriptions that end in this transaction, up to a bound, and leaves a mark for the rest. The caller must have
 * locked the subscriptions, so that nothing is queued for them meanwhile.
 */
export async function endSubscriptions(
  trx: Transaction,
  clock: Clock,
  subscriptionIds: readonly string[],
  reason: EndReason,
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await cancelBatch(trx, clock, subscriptionIds, reason);
  await rowsOf(
    trx,
    `insert into ending as e (subscription_id, upto, reason)
     select s.id, (select last_value from queue_place), :reason from unnest(cast(:ids as uuid[])) as s (id)
      where exists (select from queue q where q.subscription_id = s.id) order by s.id
     on conflict (subscription_id) do update set upto = excluded.upto`,
    { ids: [...subscriptionIds], reason },
  );
}

export const openEndings = (db: Database, limit: number): Promise<Ending[]> =>
  rowsOf<Ending>(db, 'select subscription_id, upto, reason from ending order by subscription_id limit ?', [limit]);

/** Cancels the next deliveries of an ending and leaves locked ones to their holders. @returns how many were cancelled. */
export const cancelNext = (db: Database, clock: Clock, { subscription_id: id, reason, upto }: Ending): Promise<number> =>
  cancelBatch(db, clock, [id], reason, upto);

async function cancelBatch(
  db: Database,
  clock: Clock,
  ids: readonly string[],
  reason: EndReason,
  upto: string | null = null,
): Promise<number> {
  const rows = await rowsOf(
    db,
    `with locked as materialized (
       select q.delivery_id from unnest(cast(:ids as uuid[])) as s (id)
        cross join lateral (
          select delivery_id from queue
           where subscription_id = s.id and (cast(:upto as bigint) is null or coalesce(place, 0) <= cast(:upto as bigint))
           order by next_attempt_at, delivery_id limit :limit for update skip locked
        ) as q limit :limit
     ),
     ended as (
       delete from queue q where q.delivery_id = any(array(select delivery_id from locked)) returning q.delivery_id, q.attempts
     )
     update delivery d set state = 'cancelled', reason = :reason, attempts = ended.attempts, settled_at = ${databaseTime()}
       from ended where d.id = ended.delivery_id returning d.id`,
    { ids: [...ids], upto, limit: cancelBatchSize, reason, moment: momentOf(clock) },
  );
  return rows.length;
}

/** Removes the mark if nothing is left to cancel. @returns whether nothing is left. */
export async function finishEnding(trx: Transaction, { subscription_id: id, upto }: Ending): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `delete from ending e where e.subscription_id = :id and e.upto = :upto
        and not exists (select from queue q where q.subscription_id = :id and coalesce(q.place, 0) <= e.upto) returning 1`,
    { id, upto },
  );
  return rows.length > 0;
}
