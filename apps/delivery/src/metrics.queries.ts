import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';

const maxCounted = 100_000;

/** Counts due deliveries by going through the subscriptions' turns, because nothing falls due before its turn. */
export async function measureQueue(db: Database, clock: Clock): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await rowsOf<{ due: number; oldest_seconds: number | null }>(
    db,
    `with up as materialized (select subscription_id from turn where due_at <= ${databaseTime()})
     select (select count(*) from (
              select from up cross join lateral (select from queue q where q.subscription_id = up.subscription_id and q.next_attempt_at <= ${databaseTime()}) as due limit :bound
            ) as bounded) as due,
            (select cast(extract(epoch from ${databaseTime()} - min(oldest.next_attempt_at)) as float8) from up cross join lateral (
              select q.next_attempt_at from queue q where q.subscription_id = up.subscription_id and q.next_attempt_at <= ${databaseTime()} order by q.next_attempt_at limit 1
            ) as oldest) as oldest_seconds`,
    { moment: momentOf(clock), bound: maxCounted },
  );
  return { due: row?.due ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
}
