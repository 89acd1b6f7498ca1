/**
 * Settles attempts, at most one per delivery: `{"<delivery>": {number, lease, state, reason, agoMs, pauseMs, status, error, code, durationMs, headers, response, connection, toldBy, inBatch, leavesBatch}}`.
 * A settlement counts as long as the attempt is still ours. A delivery cancelled meanwhile stays cancelled, unless the POST succeeded
 * anyway. The log records the outcome in any case. `released` means as if the attempt had never begun; so does
 * `cancelled`, after which no other one follows. `toldBy` and `inBatch`: the delivery of a batch that has the headers, the response and the connection,
 * and, with that one, all deliveries of the batch; `leavesBatch`: it waits for another batch. The processes' clocks may be wrong,
 * so they report how long ago an attempt ended and how long the pause after it is; the current time is the database's.
 *
 * It is a function so that its plan is cached: planning over the days of the log costs twice as much as settling an attempt. A cached plan
 * must be right however full the tables are, so nothing is joined: every row to read is named in an array, and its new values are looked
 * up. Only the days between the first id and the last are touched.
 */
export const settleAttempts = `
  create or replace function settle_attempts(news jsonb, moment timestamptz) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    ids constant uuid[] := array(select cast(key as uuid) from jsonb_object_keys(news) as key order by 1);
    first constant uuid := ids[1];
    last constant uuid := ids[cardinality(ids)];
  begin
    with ours as materialized (
      select q.delivery_id as id, news -> cast(q.delivery_id as text) ->> 'state' as state
        from queue q
       where q.delivery_id = any(ids)
         and q.attempts = cast(news -> cast(q.delivery_id as text) ->> 'number' as integer)
         and q.busy_until = cast(news -> cast(q.delivery_id as text) ->> 'lease' as timestamptz)
       order by q.delivery_id for update of q
    ),
    again as (
      update queue q
         set attempts = case when news -> cast(q.delivery_id as text) ->> 'state' = 'released' then q.attempts - 1 else q.attempts end,
             -- Without a pause nothing has failed: there was no place in its batch.
             own_failures = case when news -> cast(q.delivery_id as text) ->> 'state' = 'released'
               then q.own_failures + case when news -> cast(q.delivery_id as text) ->> 'pauseMs' = '0' then 0 else 1 end else 0 end,
             next_attempt_at = moment + (cast(news -> cast(q.delivery_id as text) ->> 'pauseMs' as float8) - cast(news -> cast(q.delivery_id as text) ->> 'agoMs' as float8)) * interval '1 millisecond',
             batch_id = case when news -> cast(q.delivery_id as text) -> 'leavesBatch' is null then q.batch_id end,
             busy_until = null
       where q.delivery_id = any(array(select id from ours where state in ('pending', 'released')))
    ),
    done as (
      delete from queue q where q.delivery_id = any(array(select id from ours where state in ('succeeded', 'failed', 'cancelled')))
    ),
    unsent as (
      delete from attempt a
       where a.delivery_id = any(array(select id from ours where state in ('released', 'cancelled'))) and a.delivery_id between first and last
         and a.number = cast(news -> cast(a.delivery_id as text) ->> 'number' as integer)
    ),
    logged as (
      update attempt a
         set duration_ms = cast(news -> cast(a.delivery_id as text) ->> 'durationMs' as integer),
             status = cast(news -> cast(a.delivery_id as text) ->> 'status' as integer),
             told_by = cast(news -> cast(a.delivery_id as text) ->> 'toldBy' as uuid),
             error = news -> cast(a.delivery_id as text) ->> 'error',
             code = news -> cast(a.delivery_id as text) ->> 'code',
             headers = cast(news -> cast(a.delivery_id as text) ->> 'headers' as json),
             -- No response to a change of several submissions is kept, because nothing would find it when one of them is erased.
             response = case when news -> cast(a.delivery_id as text) -> 'response' is not null and exists (
               select from delivery d
                where d.id = a.delivery_id and d.id between first and last and d.submission_id is not null
                  and not exists (select from erased e where e.target_id in (d.submission_id, d.form_id)))
               -- A response to a batch may repeat the answers of each of them.
               and (news -> cast(a.delivery_id as text) -> 'inBatch' is null or not exists (
                 select from delivery d
                  where d.id = any(array(select cast(other.id as uuid) from jsonb_array_elements_text(news -> cast(a.delivery_id as text) -> 'inBatch') as other (id)))
                    and (d.submission_id is null or exists (select from erased e where e.target_id in (d.submission_id, d.form_id)))))
               then cast(news -> cast(a.delivery_id as text) ->> 'response' as json) end,
             connection = cast(news -> cast(a.delivery_id as text) ->> 'connection' as json)
       where a.delivery_id = any(ids) and a.delivery_id between first and last
         and a.number = cast(news -> cast(a.delivery_id as text) ->> 'number' as integer)
         and news -> cast(a.delivery_id as text) ->> 'state' not in ('released', 'cancelled')
    )
    update delivery d
       set state = news -> cast(d.id as text) ->> 'state',
           reason = case when news -> cast(d.id as text) ->> 'state' = 'cancelled' then news -> cast(d.id as text) ->> 'reason' else d.reason end,
           attempts = cast(news -> cast(d.id as text) ->> 'number' as integer) - case when news -> cast(d.id as text) ->> 'state' = 'cancelled' then 1 else 0 end,
           settled_at = moment - cast(news -> cast(d.id as text) ->> 'agoMs' as float8) * interval '1 millisecond'
     where d.id = any(ids) and d.id between first and last and (
       d.id = any(array(select id from ours where state in ('succeeded', 'failed', 'cancelled')))
       or (d.state = 'cancelled' and news -> cast(d.id as text) ->> 'state' = 'succeeded'
           and d.attempts = cast(news -> cast(d.id as text) ->> 'number' as integer)));

    -- A response may repeat the answers of a submission whose erasure was noted after the statement before had begun; one that is noted later waits for
    -- the rows that are locked here. Such an erasure is not done yet, and hardly ever is there one.
    if jsonb_path_exists(news, '$.*.response') and exists (select from erased e where e.step <> 'done') then
      update attempt a set response = null
       where a.delivery_id between first and last and a.response is not null
         and a.delivery_id = any(array(
           select coalesce(cast(news -> cast(d.id as text) ->> 'toldBy' as uuid), d.id) from delivery d
            where d.id = any(ids) and d.id between first and last
              and exists (select from erased e where e.target_id in (d.submission_id, d.form_id))));
    end if;
  end
  $$;
`;
