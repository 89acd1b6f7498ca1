import type { Payload, RetrySchedule, WebhookOptions } from '@sheaf/contracts';
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
  /** Null for none; undefined if an earlier version of `hooks` does not tell. */
  options: WebhookOptions | null | undefined;
}

/** The events that a subscription `s` listens to; null if they are not known. */
export const eventsOfCopy = 'case when s.events_revision = s.revision then s.events end';
/** The retry schedule of a subscription `s`; null for that of a platform, and if it is not known. */
export const retryOfCopy = 'case when s.retry_revision = s.revision then s.retry end';

/** The options of a subscription `s`; null for none, and if they are not known. */
export const optionsOfCopy = 'case when s.options_revision = s.revision then s.options end';

/** Whether deliveries to the subscription of this id are sent in batches; null, which a delivery of its own has, for no. */
export const isBatched = (id: string): string =>
  `(select true from subscription s where s.id = ${id} and ${optionsOfCopy} -> 'batch' is not null)`;

export const hasOptions = 's.options is not null and s.options_revision = s.revision';

/** The state of a subscription `s`. The column `state` is what processes of the version before go by: one with options is inactive to them. */
export const stateOfCopy = 'case when s.options_revision = s.revision then s.options_state else s.state end';

/** Whether a row tells options, also that there are none; and whether they are known of the one that it meets. */
const told = '(excluded.revision > s.revision or excluded.options_revision is not null)';
const known = 'coalesce(s.options_revision = s.revision, false)';

/**
 * Updates our copies from newer rows, or with events, a retry schedule or options that were not known. It locks all of them until the end of the transaction, even unchanged ones,
 * in id order.
 */
export async function upsertCopies(db: Database, rows: readonly SubscriptionRow[]): Promise<void> {
  // As JSON, because a list of values may have at most 65,535 of them.
  await rowsOf(
    db,
    `insert into subscription as s (id, instance_id, form_id, url, state, revision, payload, link_origin, events, events_revision, retry, retry_revision,
                                    options, options_state, options_revision)
     select distinct on (id) id, instance_id, form_id, url, case when options is null or state = 'deleted' then state else 'inactive' end, revision, payload, link_origin,
            events, revision, retry, revision, options, state, case when knows_options then revision end
       from jsonb_to_recordset(cast(? as jsonb))
         as changes (id uuid, instance_id uuid, form_id uuid, url text, state text, revision integer, payload text, link_origin text, events text[], retry text,
                     options jsonb, knows_options boolean)
      order by id, revision desc
     on conflict (id) do update set url = excluded.url, revision = excluded.revision, payload = excluded.payload, link_origin = excluded.link_origin,
                                    events = case when excluded.revision > s.revision then excluded.events else coalesce(excluded.events, ${eventsOfCopy}) end,
                                    events_revision = excluded.revision,
                                    retry = case when excluded.revision > s.revision then excluded.retry else coalesce(excluded.retry, ${retryOfCopy}) end,
                                    retry_revision = excluded.revision,
                                    options = case when ${told} then excluded.options else s.options end,
                                    options_revision = case when ${told} then excluded.options_revision else s.options_revision end,
                                    -- After a 410 the state is newer here.
                                    options_state = case when excluded.revision > s.revision or (${told} and excluded.options is not null and not ${known})
                                                         then excluded.options_state when ${known} then s.options_state else s.state end,
                                    state = case when excluded.revision > s.revision or (${told} and excluded.options is not null) then excluded.state else s.state end
      where excluded.revision > s.revision
         or (excluded.revision = s.revision
             and (excluded.events is not null and ${eventsOfCopy} is null or excluded.retry is not null and ${retryOfCopy} is null or ${told} and not ${known}))`,
    [JSON.stringify(rows.map((row) => ({ ...row, knows_options: row.options !== undefined })))],
  );
}

/** Switches our copy off if it still has the revision that was called. @returns whether it did. */
export async function deactivateCopy(trx: Transaction, gone: { id: string; revision: number }): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `update subscription s set state = 'inactive', options_state = 'inactive'
      where s.id = :id and s.revision = :revision and ${stateOfCopy} = 'active' returning 1`,
    gone,
  );
  return rows.length > 0;
}

/** Like `deactivateCopy`, if no attempt has succeeded for this many days. */
export async function deactivateFailing(
  trx: Transaction,
  clock: Clock,
  failing: { id: string; revision: number; days: number },
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `update subscription s set state = 'inactive', options_state = 'inactive'
      where s.id = :id and s.revision = :revision and ${stateOfCopy} = 'active'
        and exists (select from turn t where t.subscription_id = :id and t.failing_since <= ${databaseTime()} - cast(:days as int) * interval '1 day')
     returning 1`,
    { ...failing, moment: momentOf(clock) },
  );
  return rows.length > 0;
}

/** The subscriptions among these that are not active. */
export async function inactiveAmong(trx: Transaction, ids: string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    trx,
    `select s.id from subscription s where s.id = any(?::uuid[]) and ${stateOfCopy} <> 'active'`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
