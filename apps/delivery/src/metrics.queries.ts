import { rowsOf, type Database } from '@sheaf/postgres';

const countedAtMost = 100_000;

/** What waits. It is found by the turns of its subscriptions, as nothing falls due before the turn. */
export async function queueAt(db: Database, now: Date): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await rowsOf<{ due: number; oldest: Date | null }>(
    db,
    `with up as materialized (select subscription_id from turn where due_at <= :now)
     select (select count(*) from (
              select from up cross join lateral (select from queue q where q.subscription_id = up.subscription_id and q.next_attempt_at <= :now) as due limit :bound
            ) as bounded) as due,
            (select min(oldest.next_attempt_at) from up cross join lateral (
              select q.next_attempt_at from queue q where q.subscription_id = up.subscription_id and q.next_attempt_at <= :now order by q.next_attempt_at limit 1
            ) as oldest) as oldest`,
    { now, bound: countedAtMost },
  );
  return { due: row?.due ?? 0, oldestSeconds: row?.oldest ? (now.getTime() - row.oldest.getTime()) / 1_000 : 0 };
}
