import { rowsOf, type Database } from '@sheaf/postgres';

export interface HealthRow {
  id: string;
  /** Since when all attempts have failed; null if the last one succeeded or there was none. */
  failing_since: Date | null;
  last_status: number | null;
  /** Why no answer arrived; null if one did. */
  last_error: string | null;
  last_code: string | null;
  last_delivered_at: Date | null;
  /** How many of its deliveries were skipped and not sent since, up to a bound, and the oldest of them. */
  skipped: number;
  skipped_from: string | null;
  /** How many events its filter has kept from it. */
  withheld_count: number;
  withheld_at: Date | null;
}

/** The most skipped deliveries of a subscription that are counted. */
const mostSkipped = 1_000;

/**
 * How subscriptions fare. For each of them it reads its turn and, at the end of an index, its newest delivery of a state, or a bounded number of its
 * oldest skipped ones. The turn is written apart
 * from the delivery, so a delivery that failed within a minute before `failing_since` may have begun it; an earlier one has been followed by a success.
 */
export const healthOf = (db: Database, ids: readonly string[]): Promise<HealthRow[]> =>
  rowsOf<HealthRow>(
    db,
    `select s.id, t.failing_since, last.status as last_status, last.error as last_error, last.code as last_code, delivered.settled_at as last_delivered_at,
            skipped.count as skipped, skipped.first as skipped_from,
            coalesce(cast(copy.withheld_count as float8), 0) as withheld_count, copy.withheld_at
       from unnest(cast(:ids as uuid[])) as s (id)
       left join subscription copy on copy.id = s.id
       left join turn t on t.subscription_id = s.id
       left join lateral (
         select d.settled_at from delivery d where d.subscription_id = s.id and d.state = 'succeeded' order by d.id desc limit 1
       ) as delivered on true
       left join lateral (
         select d.id, d.settled_at from delivery d
          where t.failing_since is not null and d.subscription_id = s.id and d.state = 'failed' order by d.id desc limit 1
       ) as failed on failed.settled_at > t.failing_since - interval '1 minute'
       left join lateral (
         select a.status, case when a.status is null then a.error end as error, a.code from attempt a where a.delivery_id = failed.id order by a.number desc limit 1
       ) as last on true
      cross join lateral (
         select cast(count(*) as int) as count, (array_agg(oldest.id))[1] as first
           from (select d.id from delivery d where d.subscription_id = s.id and d.state = 'skipped' order by d.id limit :mostSkipped) as oldest
       ) as skipped`,
    { ids: [...ids], mostSkipped },
  );
