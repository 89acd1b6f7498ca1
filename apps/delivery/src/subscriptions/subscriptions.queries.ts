import type { Payload, RetrySchedule } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export type SubscriptionState = 'active' | 'inactive' | 'deleted';

/** This service's copy of a subscription. */
export interface SubscriptionRow {
  id: string;
  instance_id: string;
  /** Null if it listens to a workspace or to the whole instance. */
  form_id: string | null;
  url: string;
  state: SubscriptionState;
  revision: number;
  payload: Payload;
  /** The origin of links in named payloads. */
  link_origin: string | null;
  /** All events that it listens to; null if an earlier version of `hooks` does not tell. */
  events: string[] | null;
  /** Null for the subscription of a platform, and if an earlier version of `hooks` does not tell. */
  retry: RetrySchedule | null;
}

/** The events that a subscription `s` listens to; null if they are not known. */
export const eventsOfCopy = 'case when s.events_revision = s.revision then s.events end';
/** The retry schedule of a subscription `s`; null for that of a platform, and if it is not known. */
export const retryOfCopy = 'case when s.retry_revision = s.revision then s.retry end';

/**
 * Updates our copies from newer rows, or with events or a retry schedule that were not known. It locks all of them until the end of the transaction, even unchanged ones,
 * in id order.
 */
export async function upsertCopies(db: Database, rows: readonly SubscriptionRow[]): Promise<void> {
  // As JSON, because a list of values may have at most 65,535 of them.
  await rowsOf(
    db,
    `insert into subscription as s (id, instance_id, form_id, url, state, revision, payload, link_origin, events, events_revision, retry, retry_revision)
     select distinct on (id) id, instance_id, form_id, url, state, revision, payload, link_origin, events, revision, retry, revision
       from jsonb_to_recordset(cast(? as jsonb))
         as changes (id uuid, instance_id uuid, form_id uuid, url text, state text, revision integer, payload text, link_origin text, events text[], retry text)
      order by id, revision desc
     on conflict (id) do update set url = excluded.url, revision = excluded.revision, payload = excluded.payload, link_origin = excluded.link_origin,
                                    events = case when excluded.revision > s.revision then excluded.events else coalesce(excluded.events, ${eventsOfCopy}) end,
                                    events_revision = excluded.revision,
                                    retry = case when excluded.revision > s.revision then excluded.retry else coalesce(excluded.retry, ${retryOfCopy}) end,
                                    retry_revision = excluded.revision,
                                    -- After a 410 the state is newer here.
                                    state = case when excluded.revision > s.revision then excluded.state else s.state end
      where excluded.revision > s.revision
         or (excluded.revision = s.revision
             and (excluded.events is not null and ${eventsOfCopy} is null or excluded.retry is not null and ${retryOfCopy} is null))`,
    [JSON.stringify(rows)],
  );
}

/** Switches our copy off if it still has the revision that was called. @returns whether it did. */
export async function deactivateCopy(trx: Transaction, gone: { id: string; revision: number }): Promise<boolean> {
  return (
    (await trx<SubscriptionRow>('subscription')
      .where({ ...gone, state: 'active' })
      .update({ state: 'inactive' })) > 0
  );
}

/** Like `deactivateCopy`, if no attempt has succeeded for this many days. */
export async function deactivateFailing(
  trx: Transaction,
  clock: Clock,
  failing: { id: string; revision: number; days: number },
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `update subscription s set state = 'inactive'
      where s.id = :id and s.revision = :revision and s.state = 'active'
        and exists (select from turn t where t.subscription_id = :id and t.failing_since <= ${databaseTime()} - cast(:days as int) * interval '1 day')
     returning 1`,
    { ...failing, moment: momentOf(clock) },
  );
  return rows.length > 0;
}

/** The subscriptions among these that are not active. */
export async function inactiveAmong(trx: Transaction, ids: string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(trx, `select id from subscription where id = any(?::uuid[]) and state <> 'active'`, [ids]);
  return rows.map(({ id }) => id);
}
