import { tallyOf, type Tally } from '@sheaf/events';
import { rowsOf, type Database } from '@sheaf/postgres';

// For operators who look for what is missing between services: see `npm run sheaf -- reconcile`.

/** How far the clock of an id may be from the moment that was recorded beside it. */
const slack = `interval '10 seconds'`;

/** How many rows a statement reads, so that it ends in time on a busy machine, too. */
const rowsAtOnce = 5_000;
const { minute, tally } = tallyOf('form_id', 'occurred_at');

/**
 * The next events in the order of their ids: the announcements of submissions among them that were made before a moment, by minutes.
 * @returns the last one that was read; null if no more are after it
 */
export async function talliedEvents(
  db: Database,
  { after, before }: { after: string; before: Date },
): Promise<{ read: number; last: string | null; tallies: Tally[] }> {
  const [row] = await rowsOf<{ read: number; last: string | null; tallies: Tally[] | null }>(
    db,
    `with page as materialized (
       select id, type, form_id, occurred_at from event
        where id > cast(:after as uuid) and id < first_id(cast(:before as timestamptz) + ${slack}) order by id limit ${rowsAtOnce}
     ), tallied as (
       select ${tally} as tally from page where type = 'submission.created' and occurred_at < :before group by ${minute}
     )
     select (select count(*) from page) as read,
            (select case when count(*) = ${rowsAtOnce} then (select id from page order by id desc limit 1) end from page) as last,
            (select json_agg(tally) from tallied) as tallies`,
    { after, before },
  );
  if (!row) throw new Error('the slice of events has no row');
  return { ...row, tallies: row.tallies ?? [] };
}

export interface KnownAnnouncement {
  id: string;
  form_id: string;
  occurred_at: Date;
}

/**
 * The events `submission.created` of these minutes. Ids grow with time, so only those of the minutes are read, which costs as much as happened in them.
 * @param minutes the first moments of the minutes
 */
export const announcementsOf = (db: Database, minutes: readonly Date[]): Promise<KnownAnnouncement[]> =>
  rowsOf(
    db,
    `select e.id, e.form_id, e.occurred_at
       from unnest(cast(? as timestamptz[])) as given (minute)
      cross join lateral (
        select id, form_id, occurred_at from event
         where id >= first_id(given.minute - ${slack}) and id < first_id(given.minute + interval '1 minute' + ${slack})
           and type = 'submission.created' and occurred_at >= given.minute and occurred_at < given.minute + interval '1 minute') as e`,
    [[...minutes]],
  );

/** The events of which these submissions have deliveries. No delivery is older than the announcement. */
export const eventsNaming = (
  db: Database,
  submissions: readonly { id: string; at: Date }[],
): Promise<{ submission_id: string; event_id: string }[]> =>
  rowsOf(
    db,
    `select given.id as submission_id, d.event_id
       from unnest(cast(? as uuid[]), cast(? as timestamptz[])) as given (id, at)
      cross join lateral (select event_id from delivery where submission_id = given.id and id >= first_id(given.at - ${slack})) as d`,
    [submissions.map(({ id }) => id), submissions.map(({ at }) => at)],
  );

/** A copy of a subscription. */
export interface KnownSubscription {
  id: string;
  state: string;
  revision: number;
  /** Whether `hooks` has not confirmed that it ended. */
  waiting: boolean;
}

const columns = `id, state, revision,
  exists (select from outbox o where o.subject = cast(s.id as text) and o.type = 'subscription.gone') as waiting`;

/** All copies of subscriptions after one, in the order of their ids. */
export const copiesAfter = (db: Database, after: string, limit: number): Promise<KnownSubscription[]> =>
  rowsOf(db, `select ${columns} from subscription s where id > cast(? as uuid) order by id limit ?`, [after, limit]);

export const copiesAmong = (db: Database, ids: readonly string[]): Promise<KnownSubscription[]> =>
  rowsOf(db, `select ${columns} from subscription s where id = any(cast(? as uuid[])) order by id`, [[...ids]]);
