import type { Payload, RetrySchedule, WebhookOptions } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import { interrupted } from '../attempts/claims.queries';
import type { Lane } from '../subscriptions/lanes';
import { isOfBackup, restoredReason } from '../restored/restored.queries';
import { eventsOfCopy, retryOfCopy, optionsOfCopy, stateOfCopy } from '../subscriptions/subscriptions.queries';

export interface EventRow {
  id: string;
  type: string;
  instance_id: string;
  form_id: string;
  /** Only its deliveries have it; null for a change of several submissions. */
  submission_id: string | null;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
  /** The request that caused the event. */
  request_id: string | null;
  /** The subscriptions whose filters keep it from them, and which part of each. */
  withheld?: readonly { id: string; part: string }[] | undefined;
}

export interface NewDelivery {
  id: string;
  event_id: string;
  subscription_id: string;
  submission_id: string | null;
}

/** How many deliveries of a subscription may begin at once if it waits in this lane. */
export interface Room {
  id: string;
  lane: Lane;
  room: number;
}

/** A planned delivery, whether its first attempt is claimed, and its subscription's data. */
export interface MadeDelivery extends Omit<NewDelivery, 'submission_id'> {
  begun: boolean;
  /** Its instance has used up its budget, so no look takes it before its turn. */
  held: boolean;
  url: string;
  revision: number;
  payload: Payload;
  link_origin: string | null;
  retry: RetrySchedule | null;
  options: WebhookOptions | null;
  /** Null if nothing was ever planned for the subscription. */
  lane: Lane | null;
  failing_for_ms: number | null;
  failed_ago_ms: number | null;
}

// Rows are passed as JSON, because a list of values may have at most 65,535 of them. They are sorted, because two processes may get the
// same events.
const newEvents = `select * from json_to_recordset(cast(:events as json))
    as e (id uuid, type text, instance_id uuid, form_id uuid, occurred_at timestamptz, body text, traceparent text, request_id text, withheld jsonb) order by id`;

/** Records events without listeners as planned, and stores nothing more of them. */
export async function noteEvents(db: Database, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return;
  await rowsOf(
    db,
    `insert into event (id, type, instance_id, form_id, occurred_at, body, request_id)
     select id, type, instance_id, form_id, occurred_at, '', request_id from (${newEvents}) as given
     on conflict (id) do nothing`,
    { events: JSON.stringify(events.map((event) => ({ ...event, body: '' }))) },
  );
}

/**
 * 1. planning, reported, copies, comparison: the moments, what `hooks` returned, our copies of the subscriptions, locked, and whether
 * they are outdated.
 * 2. added, wanted: the events that were not stored before, and their deliveries, with whether the subscription is active and they fit into its
 * backlog.
 * 3. stored, made: the log of all deliveries, and those to be sent.
 * 4. turns, queued: the turns, locked, and which deliveries begin at once.
 * 5. waiting, logged, scheduled: the queue, the first attempts, and when the turns come up.
 */
const planned = ({ withheld, batches }: { withheld: boolean; batches: boolean }) => `
  with planning as materialized (
    select at, at + cast(:lease_ms as int) * interval '1 millisecond' as busy_until,
           at + (cast(:lease_ms as int) + cast(:delay_ms as int)) * interval '1 millisecond' as next_attempt_at
      from (select ${databaseTime()} as at) as now
  ),
  reported as materialized (
    select * from json_to_recordset(cast(:reported as json)) as r (id uuid, revision integer, retry text, knows_options boolean)
  ),
  copies as materialized (
    select s.id, ${stateOfCopy} as state, s.revision, s.url, s.payload, s.link_origin, ${retryOfCopy} as retry, ${eventsOfCopy} as events, ${optionsOfCopy} as options,
           coalesce(s.options_revision = s.revision, false) as knows_options
      from subscription s where s.id in (select id from reported) order by s.id for no key update of s
  ),
  comparison as materialized (
    select count(*) filter (where copies.id is null or copies.revision < reported.revision
                                  or (copies.revision = reported.revision and reported.retry is not null and copies.retry is null)
                                  or (copies.revision = reported.revision and reported.knows_options and not copies.knows_options)) > 0 as outdated
      from reported left join copies on copies.id = reported.id
  ),
  added as (
    insert into event (id, type, instance_id, form_id, occurred_at, body, traceparent, request_id, withheld)
    select id, type, instance_id, form_id, occurred_at, body, traceparent, request_id, withheld from comparison cross join (${newEvents}) as given where not comparison.outdated
    on conflict (id) do nothing returning id, form_id, type, occurred_at, withheld
  ),${withheld ? counted : ''}
  wanted as materialized (
    select w.*, added.form_id, copies.state = 'active' as active, ${isOfBackup('added.occurred_at')} as of_backup,
           copies.state = 'active' and not ${isOfBackup('added.occurred_at')} and coalesce(c.count, 0) + row_number() over (partition by w.subscription_id order by w.id) <= :backlog as fits
      from json_to_recordset(cast(:deliveries as json)) as w (id uuid, event_id uuid, subscription_id uuid, submission_id uuid)
      join added on added.id = w.event_id
      -- Our copy may be newer than what \`hooks\` returned.
      join copies on copies.id = w.subscription_id and copies.state <> 'deleted' and (copies.events is null or added.type = any(copies.events))
      left join delivery_count c on c.form_id = added.form_id and c.subscription_id = w.subscription_id and c.state = 'pending'
  ),
  stored as (
    insert into delivery (id, event_id, subscription_id, form_id, submission_id, state, attempts, created_at, settled_at, reason)
    select id, event_id, subscription_id, form_id, submission_id, case when fits then 'pending' when active then 'failed' else 'skipped' end, 0, at,
           case when not fits then at end, case when active and not fits then case when of_backup then '${restoredReason}' else 'backlog_full' end end
      from planning cross join wanted
  ),
  made as materialized (
    select id, event_id, subscription_id from wanted where fits
  ),
  turns as materialized (
    select t.subscription_id, t.lane, t.due_at, t.held, t.failing_since, t.failed_at from turn t
     where t.subscription_id in (select subscription_id from made) order by t.subscription_id for no key update of t
  ),
  queued as materialized (
    select made.*, turns.lane, turns.due_at, coalesce(turns.held, false) as held,${batches ? gathering : ''}
           extract(epoch from planning.at - turns.failing_since) * 1000 as failing_for_ms, extract(epoch from planning.at - turns.failed_at) * 1000 as failed_ago_ms,
           coalesce(
             turns.lane = r.lane and row_number() over (partition by made.subscription_id order by made.id) <= r.room
             and not turns.held${batches ? ` and ${batchOf} is null` : ''}
             -- Locking the turn may have taken a while.
             and coalesce(turns.due_at > planning.at + (clock_timestamp() - statement_timestamp()), true),
             false) as begun
      from planning cross join made
      left join turns on turns.subscription_id = made.subscription_id
      left join json_to_recordset(cast(:rooms as json)) as r (id uuid, lane text, room integer) on r.id = made.subscription_id${batches ? gathered : ''}
  ),
  waiting as (
    insert into queue (delivery_id, subscription_id, event_id, attempts, next_attempt_at, busy_until${batches ? ', batched' : ''})
    select id, subscription_id, event_id,
           case when begun then 1 else 0 end,
           case when begun then planning.next_attempt_at else ${batches ? "planning.at + coalesce(waits_s, 0) * interval '1 second'" : 'planning.at'} end,
           case when begun then planning.busy_until end${batches ? ', case when batched then true end' : ''}
      from planning cross join queued
    returning delivery_id, subscription_id, next_attempt_at
  ),
  logged as (
    insert into attempt (delivery_id, number, started_at, error, url)
    select q.id, 1, planning.at, :interrupted, copies.url from planning cross join queued q join copies on copies.id = q.subscription_id where q.begun
  ),
  scheduled as (
    insert into turn as t (subscription_id, due_at)
    select w.subscription_id, min(w.next_attempt_at) from waiting w left join turns on turns.subscription_id = w.subscription_id
     group by w.subscription_id
    having min(w.next_attempt_at) < coalesce(min(turns.due_at), 'infinity') and not coalesce(bool_or(turns.held), false)
     order by w.subscription_id
    on conflict (subscription_id) do update set due_at = least(t.due_at, excluded.due_at)
  )
  select (select json_agg(json_build_object('id', q.id, 'event_id', q.event_id, 'subscription_id', q.subscription_id, 'begun', q.begun, 'held', q.held${batches ? ' or coalesce(q.waits_s, 0) > 0' : ''},
                                            'url', copies.url, 'revision', copies.revision, 'payload', copies.payload, 'link_origin', copies.link_origin, 'retry', copies.retry,
                                            'options', copies.options, 'lane', q.lane,
                                            'failing_for_ms', q.failing_for_ms, 'failed_ago_ms', q.failed_ago_ms) order by q.id)
            from queued q join copies on copies.id = q.subscription_id) as made,
         (select json_agg(d) from (select subscription_id as id, count(*) as count from wanted where active and not fits and not of_backup group by 1) as d) as dropped,
         comparison.outdated, planning.busy_until
    from comparison cross join planning`;

/** Counts the events that filters keep from their subscriptions, whose copies are locked. Only for batches that have some: most have none. */
const counted = `
  counted as (
    update subscription s set withheld_count = s.withheld_count + n.count, withheld_at = planning.at
      from planning cross join (select cast(w ->> 'id' as uuid) as id, count(*) as count from added cross join jsonb_array_elements(added.withheld) as w group by 1) as n
     where s.id = n.id
  ),`;

const batchOf = `copies.options -> 'batch'`;

/** Only for batches of events that are of webhooks with batches. The delivery that fills a batch is due at once, and then the look takes all of it. */
const gathering = `
           ${batchOf} is not null as batched,
           case when (gathered.count + row_number() over (partition by made.subscription_id order by made.id)) % cast(${batchOf} ->> 'max_events' as integer) <> 0
                then cast(${batchOf} ->> 'max_seconds' as integer) end as waits_s,`;
const gathered = `
      join copies on copies.id = made.subscription_id
     cross join lateral (
       select count(*) as count from (
         select from queue q where q.subscription_id = made.subscription_id and q.batched and q.batch_id is null limit cast(${batchOf} ->> 'max_events' as integer)
       ) as first
     ) as gathered`;

const statements = new Map(
  [true, false].flatMap((withheld) => [true, false].map((batches) => [`${withheld} ${batches}`, planned({ withheld, batches })] as const)),
);

/**
 * Stores the new events, creates their deliveries, and queues those to active subscriptions: due now, or with the first attempt begun
 * exactly as a claim would leave it, if there is room and nothing else of the subscription is waiting. It is one statement, and so one
 * transaction: here each round trip to the database costs more than the work itself.
 *
 * It locks our copies of the subscriptions first, so that the data returned about them is true at the commit; then the events, then the
 * turns, and last the counters, which a trigger writes at the end. Deliveries beyond a subscription's backlog are dropped: the log shows
 * them as failed, and they can be redelivered; so it does with those of events from before a restore. Those to inactive subscriptions are
 * only logged, as skipped.
 * @returns the deliveries in id order, and how many were dropped per subscription; or `outdated`, with nothing done, if one of our copies
 *   is older than `reported` or lacks a retry schedule that it has.
 */
export async function insertPlanned(
  db: Database,
  batch: {
    events: readonly EventRow[];
    deliveries: readonly NewDelivery[];
    reported: readonly { id: string; revision: number; retry: RetrySchedule | null; knows_options: boolean }[];
    rooms: readonly Room[];
    /** Whether one of the subscriptions may have batches. */
    batches: boolean;
    clock: Clock;
    /** How many deliveries of a subscription may be pending. */
    backlog: number;
    /** The longest time an attempt can be in flight. */
    leaseMs: number;
    /** The pause after that before the second attempt, if the first is lost. */
    delayMs: number | undefined;
  },
): Promise<{ made: MadeDelivery[]; dropped: { id: string; count: number }[]; outdated: boolean; busyUntil: Date }> {
  const [row] = await rowsOf<{
    made: MadeDelivery[] | null;
    dropped: { id: string; count: number }[] | null;
    outdated: boolean;
    busy_until: Date;
  }>(db, statements.get(`${batch.events.some(({ withheld }) => withheld !== undefined)} ${batch.batches}`) ?? '', {
    reported: JSON.stringify(batch.reported),
    events: JSON.stringify(batch.events),
    deliveries: JSON.stringify(batch.deliveries),
    rooms: JSON.stringify(batch.rooms),
    moment: momentOf(batch.clock),
    backlog: batch.backlog,
    lease_ms: batch.leaseMs,
    delay_ms: batch.delayMs ?? null,
    interrupted,
  });
  if (!row) throw new Error('The planning statement returned no row.');
  return { made: row.made ?? [], dropped: row.dropped ?? [], outdated: row.outdated, busyUntil: row.busy_until };
}
