import { batchBounds } from '@sheaf/contracts';
import { laterPausesOf } from '../subscriptions/retry-schedule';
import { eventsOfCopy, retryOfCopy, hasOptions, optionsOfCopy, stateOfCopy } from '../subscriptions/subscriptions.queries';

/** The most batches that a look claims, so that their bodies fit into a response and into the caller's memory. */
const mostBatches = 16;

/**
 * Looks for due deliveries, in one round trip, and begins as many attempts as the lanes have room for. Only `claimDue` calls it. Each of
 * its statements sees everything that was committed before it began, because the function is volatile and all transactions are READ
 * COMMITTED.
 *
 * Queries about single deliveries and turns name them in an array instead of joining the tables: if the queue was nearly empty at its last
 * vacuum, PostgreSQL assumes that joining all of it costs nothing.
 *
 * Deliveries of events that their subscription does not listen to any more are cancelled instead: its address may have changed since, by somebody who
 * may not read what they carry.
 *
 * A delivery that is sent in a batch counts as one that is due, for its whole batch, once in a look for each subscription. If its batch is not closed
 * yet, that is closed here, with what has been queued by then: closing and claiming are one commit, so no process can die between them. All deliveries
 * of a closed batch are claimed together or not at all. That is a statement of its own, which a look without batches does not have.
 */
export const lookForDue = `
  create or replace function look_for_due(
    moment timestamptz,
    -- The end of the lease, the pauses after the first attempt, the second and so on in the standard schedule, and the recorded error until an attempt
    -- is settled.
    ours_until timestamptz, pauses_ms integer[], unsettled text,
    -- [{lane, free, most}]: how many attempts may begin in each lane, and how many may be in flight to one of its subscriptions.
    lanes jsonb,
    -- The subscriptions at their limit, and the number of attempts in flight to the others.
    full_ids uuid[], busy_ids uuid[], busy_counts integer[],
    -- The instances that have used up their budget, and how long their turns are held.
    spent_ids uuid[], hold_ms integer,
    -- Whether the caller knows options of webhooks. Otherwise it is not shown those that have some.
    knows_options boolean,
    -- The claimed attempts; the turns examined, as [{id, lane, behind}]; when the next turn comes up (or came up) in a lane with room;
    -- and the lanes in which a turn has come up.
    out claims json, out turns json, out next_at timestamptz, out waiting text[]
  ) language plpgsql as $$
  declare
    turn_ids uuid[];
    turn_lanes text[];
    failing_for float8[];
    failed_ago float8[];
    unheard_ids uuid[];
    batched_ids uuid[];
    batch_claims json;
    unheard_in_batches uuid[];
  begin
    -- Lock the turns that came up longest ago in each lane. Planning for these subscriptions waits for us; turns that planning has
    -- locked are skipped.
    select array_agg(taken.subscription_id), array_agg(taken.lane),
           array_agg(cast(extract(epoch from moment - taken.failing_since) * 1000 as float8)), array_agg(cast(extract(epoch from moment - taken.failed_at) * 1000 as float8))
      into turn_ids, turn_lanes, failing_for, failed_ago
      from jsonb_to_recordset(lanes) as l (lane text, free integer)
     cross join lateral (
       select t.subscription_id, t.lane, t.failing_since, t.failed_at from turn t
        where t.lane = l.lane and t.due_at <= moment and t.subscription_id <> all(full_ids)
          and (knows_options or not exists (select from subscription s where s.id = t.subscription_id and ${hasOptions}))
        order by t.due_at limit l.free for no key update skip locked
     ) as taken;

    if turn_ids is not null then
      -- A separate statement, because it must see everything planned before the turns were locked. With an older snapshot, the turns would
      -- be set according to what it contains, and no look would find the rest.
      with asking as materialized (
        select a.*, l.free, l.most, coalesce(b.taken, 0) as taken
          from unnest(turn_ids, turn_lanes, failing_for, failed_ago) as a (id, lane, failing_for_ms, failed_ago_ms)
          join jsonb_to_recordset(lanes) as l (lane text, free integer, most integer) on l.lane = a.lane
          left join unnest(busy_ids, busy_counts) as b (id, taken) on b.id = a.id
      ),
      candidate as materialized (
        select due.*, s.url, ${eventsOfCopy} as events, a.lane, a.free, a.failing_for_ms, a.failed_ago_ms
          from asking a
          -- A reactivated subscription waits until its earlier deliveries are cancelled.
          join subscription s on s.id = a.id and ${stateOfCopy} = 'active' and s.instance_id <> all(spent_ids) and not exists (select from ending where ending.subscription_id = s.id)
         cross join lateral (
           -- Outside the limit, which a window over a part of the rows would only reach once it had read all that are due.
           select first.*, case when first.batched then row_number() over (partition by first.batched order by first.place) end as place_among_batched from (
           select q.delivery_id, q.event_id, q.next_attempt_at, q.batched, a.taken + row_number() over (order by q.next_attempt_at, q.delivery_id) as place
             from queue q
            where q.subscription_id = a.id and q.next_attempt_at <= moment and (knows_options or q.batched is null)
            order by q.next_attempt_at, q.delivery_id
            limit greatest(a.most - a.taken, 0)
           ) as first
         ) as due
         where due.place_among_batched is null or due.place_among_batched = 1
      ),
      ranked as (
        select *, row_number() over (partition by lane order by place, next_attempt_at, delivery_id) as rank from candidate
      ),
      chosen as (
        -- A lane's bodies are bounded, so that they fit into a response and into the caller's memory. The next look claims the rest.
        select * from (
          select ranked.*, coalesce(e.type <> all(ranked.events), false) as is_unheard,
                 sum(octet_length(e.body)) over (partition by lane order by rank) - octet_length(e.body) as bytes_before
            from ranked join event e on e.id = ranked.event_id where ranked.rank <= ranked.free
        ) as sized
         where sized.bytes_before < 16 * 1024 * 1024
      ),
      locked as materialized (
        select q.delivery_id from queue q
         where q.delivery_id = any(array(select delivery_id from chosen where batched is null)) and q.next_attempt_at <= moment for update skip locked
      ),
      claimed as (
        update queue q
           set attempts = q.attempts + 1,
               busy_until = ours_until,
               next_attempt_at = ours_until + interval '1 millisecond'
                 * (pauses_ms || (select ${laterPausesOf(retryOfCopy)} from subscription s where s.id = q.subscription_id))[q.attempts - q.attempts_before + 1]
         where q.delivery_id = any(array(select locked.delivery_id from locked join chosen on chosen.delivery_id = locked.delivery_id where not is_unheard))
        returning q.*
      ),
      logged as (
        insert into attempt (delivery_id, number, started_at, error, url)
        select c.delivery_id, c.attempts, moment, unsettled, chosen.url from claimed c join chosen on chosen.delivery_id = c.delivery_id
      )
      select json_agg(
               json_build_object(
                 'id', c.delivery_id, 'number', c.attempts, 'attempts_before', c.attempts_before, 'own_failures', c.own_failures, 'lane', chosen.lane,
                 'failing_for_ms', chosen.failing_for_ms, 'failed_ago_ms', chosen.failed_ago_ms,
                 'event_id', c.event_id, 'subscription_id', c.subscription_id, 'form_id', e.form_id, 'url', chosen.url, 'revision', s.revision,
                 'instance_id', e.instance_id, 'type', e.type, 'occurred_at', e.occurred_at, 'body', e.body, 'traceparent', e.traceparent, 'request_id', e.request_id,
                 'payload', s.payload, 'link_origin', s.link_origin, 'retry', ${retryOfCopy}, 'options', ${optionsOfCopy})
               order by chosen.place, c.delivery_id),
             array(select locked.delivery_id from locked join chosen on chosen.delivery_id = locked.delivery_id where is_unheard),
             array(select delivery_id from chosen where batched)
        into claims, unheard_ids, batched_ids
        from claimed c
        join chosen on chosen.delivery_id = c.delivery_id
        join event e on e.id = c.event_id
        join subscription s on s.id = c.subscription_id;

      if batched_ids <> '{}' then
        with head as materialized (
          select q.subscription_id, q.batch_id is not null as is_closed, q.attempts - q.attempts_before as tried, a.lane, a.failing_for_ms, a.failed_ago_ms,
                 -- A version 7 UUID of now.
                 coalesce(q.batch_id, cast(left(cast(first_id(moment) as text), 14) || '7' || right(cast(gen_random_uuid() as text), 21) as uuid)) as batch_id,
                 coalesce(cast(${optionsOfCopy} #>> '{batch,max_events}' as integer), ${batchBounds.events.max}) as max_events
            from queue q
            join subscription s on s.id = q.subscription_id
            join unnest(turn_ids, turn_lanes, failing_for, failed_ago) as a (id, lane, failing_for_ms, failed_ago_ms) on a.id = q.subscription_id
           where q.delivery_id = any(batched_ids) and q.next_attempt_at <= moment
           order by q.next_attempt_at limit ${mostBatches}
        ),
        member as (
          select head.*, m.delivery_id, m.event_id, row_number() over (partition by head.batch_id order by m.place, m.delivery_id) as position
            from head cross join lateral (
              (select q.delivery_id, q.event_id, q.place from queue q where head.is_closed and q.batch_id = head.batch_id and q.next_attempt_at <= moment)
              union all
              (select q.delivery_id, q.event_id, q.place from queue q
                where not head.is_closed and q.subscription_id = head.subscription_id and q.batched and q.batch_id is null
                  -- Those that have left another batch have fewer attempts left, and one answer ends all of a batch alike.
                  and q.attempts - q.attempts_before = head.tried
                  -- An event waits for others without a pause only before its first attempt, and if nothing is wrong with it.
                  and (q.next_attempt_at <= moment or (head.tried = 0 and q.own_failures = 0))
                order by q.place limit head.max_events)
            ) as m
        ),
        fitting as materialized (
          select * from (
            select member.*, coalesce(e.type <> all(${eventsOfCopy}), false) as is_unheard,
                   sum(octet_length(e.body)) over (partition by member.batch_id order by member.position) as bytes
              from member join event e on e.id = member.event_id join subscription s on s.id = member.subscription_id
          ) as sized
           where sized.is_closed or sized.position = 1 or sized.bytes <= ${batchBounds.bytes}
        ),
        locked as materialized (
          select q.delivery_id from queue q where q.delivery_id = any(array(select delivery_id from fitting)) and q.next_attempt_at is not null
             for update skip locked
        ),
        whole as materialized (
          -- Others hold rows only for as long as it takes to cancel them, so the next look claims the batch.
          select f.batch_id from fitting f left join locked on locked.delivery_id = f.delivery_id group by f.batch_id having count(*) = count(locked.delivery_id)
        ),
        claimed as (
          update queue q
             set attempts = q.attempts + 1,
                 busy_until = ours_until,
                 batch_id = f.batch_id,
                 next_attempt_at = ours_until + interval '1 millisecond'
                   * (pauses_ms || (select ${laterPausesOf(retryOfCopy)} from subscription s where s.id = q.subscription_id))[q.attempts - q.attempts_before + 1]
            from fitting f
           where q.delivery_id = f.delivery_id and not f.is_unheard
             and q.delivery_id = any(array(select fitting.delivery_id from fitting where fitting.batch_id in (select whole.batch_id from whole)))
          returning q.*, f.lane, f.failing_for_ms, f.failed_ago_ms, f.position
        ),
        logged as (
          insert into attempt (delivery_id, number, started_at, error, url, batch_id)
          select c.delivery_id, c.attempts, moment, unsettled, s.url, c.batch_id from claimed c join subscription s on s.id = c.subscription_id
        )
        select json_agg(
                 json_build_object(
                   'id', c.delivery_id, 'number', c.attempts, 'attempts_before', c.attempts_before, 'own_failures', c.own_failures, 'lane', c.lane,
                   'failing_for_ms', c.failing_for_ms, 'failed_ago_ms', c.failed_ago_ms, 'batch_id', c.batch_id,
                   'event_id', c.event_id, 'subscription_id', c.subscription_id, 'form_id', e.form_id, 'url', s.url, 'revision', s.revision,
                   'instance_id', e.instance_id, 'type', e.type, 'occurred_at', e.occurred_at, 'body', e.body, 'traceparent', e.traceparent, 'request_id', e.request_id,
                   'payload', s.payload, 'link_origin', s.link_origin, 'retry', ${retryOfCopy}, 'options', ${optionsOfCopy})
                 order by c.batch_id, c.position),
               array(select f.delivery_id from fitting f where f.is_unheard and f.batch_id in (select whole.batch_id from whole))
          into batch_claims, unheard_in_batches
          from claimed c
          join event e on e.id = c.event_id
          join subscription s on s.id = c.subscription_id;
        if batch_claims is not null then
          claims := cast(coalesce(cast(claims as jsonb), '[]') || cast(batch_claims as jsonb) as json);
        end if;
        unheard_ids := unheard_ids || unheard_in_batches;
      end if;

      if unheard_ids <> '{}' then
        with ended as (
          delete from queue q where q.delivery_id = any(unheard_ids) returning q.delivery_id, q.attempts
        )
        update delivery d set state = 'cancelled', reason = 'event_removed', attempts = ended.attempts, settled_at = moment
          from ended where d.id = ended.delivery_id and d.id = any(unheard_ids);
      end if;

      -- Move the turns behind all others, or to when the subscription's next delivery falls due.
      with moved as (
        update turn t
           set due_at = case when n.next is null then null when n.held then greatest(n.next, moment + hold_ms * interval '1 millisecond') else greatest(n.next, moment) end,
               held = n.held and n.next is not null
          from (select s.id, s.instance_id = any(spent_ids) as held, (select min(q.next_attempt_at) from queue q where q.subscription_id = s.id and ${stateOfCopy} = 'active') as next
                  from subscription s where s.id = any(turn_ids) and not exists (select from ending where ending.subscription_id = s.id)
                union all
                select ending.subscription_id, false, null from ending where ending.subscription_id = any(turn_ids)) as n
         where t.subscription_id = n.id and t.subscription_id = any(turn_ids)
        returning t.subscription_id as id, t.lane, coalesce(t.due_at <= moment, false) as behind
      )
      select json_agg(moved) into turns from moved;
    end if;

    select least(
             (select min(first.due_at) from jsonb_to_recordset(lanes) as l (lane text, free integer)
               cross join lateral (
                 select t.due_at from turn t
                  where l.free > 0 and t.lane = l.lane and t.due_at is not null and t.subscription_id <> all(full_ids)
                    and (knows_options or not exists (select from subscription s where s.id = t.subscription_id and ${hasOptions}))
                  order by t.due_at limit 1
               ) as first),
             (select min(q.busy_until) from queue q where q.next_attempt_at is null and q.busy_until > moment)),
           array(
             select l.lane from jsonb_to_recordset(lanes) as l (lane text)
              where exists (select from turn t where t.lane = l.lane and t.due_at <= moment
                              and (knows_options or not exists (select from subscription s where s.id = t.subscription_id and ${hasOptions}))))
      into next_at, waiting;
  end
  $$;
`;
