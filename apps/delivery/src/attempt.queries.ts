import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { lanes, type Lane, type Look } from './lanes';

/** An attempt that was begun: counted, and sure to count as lost unless it is settled in time. */
export interface Claim {
  /** The delivery. */
  id: string;
  /** 1 for the first attempt. */
  number: number;
  /** How many of them were made before the delivery was sent anew by somebody's wish. */
  attempts_before: number;
  /** Until when the attempt is ours. */
  busy_until: Date;
  own_failures: number;
  lane: Lane;
  event_id: string;
  subscription_id: string;
  form_id: string;
  url: string;
  revision: number;
  instance_id: string;
  type: string;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
}

/** What an attempt counts as until it is settled. */
export const interrupted = 'interrupted';

/**
 * Begins attempts of what is due, as many as the lanes have room for. Committed before anything is sent: a process that dies in the
 * middle has used the attempt up, and the delivery falls due again by itself. JetStream's `nak(delay)` with `max_deliver` could not do
 * that: killing the broker gave 84 of 400 events a fourth or fifth POST.
 *
 * Fair: the subscriptions whose turn came longest ago, first one delivery of each, then the second one, and so on, where what is under
 * way counts as already served. Only these subscriptions are touched; skipping through an index from one waiting subscription
 * to the next would be as fair, and a step for each of thousands of dead ones.
 * @returns `turns`: how many subscriptions were looked at; a turn may have come up for nothing.
 */
export async function claimDue(
  db: Database,
  given: {
    now: Date;
    look: Look;
    /** How long an attempt can be under way. */
    leaseMs: number;
    retryDelaysMs: readonly number[];
  },
): Promise<{ claims: Claim[]; turns: number }> {
  const { now, look } = given;
  if (look.lanes.length === 0) return { claims: [], turns: 0 };
  return db.transaction(async (trx) => {
    const turns = await takeTurns(trx, { now, look });
    const { asking, lanes } = look.ask(turns);
    if (turns.length === 0) return { claims: [], turns: 0 };

    // A statement of its own, as it has to see what was planned before the turns were ours.
    const claims = await rowsOf<Claim>(
      trx,
      `with candidate as materialized (
         select due.*, a.lane
           from jsonb_to_recordset(cast(:asking as jsonb)) as a (id uuid, lane text, taken integer, most integer)
           join subscription s on s.id = a.id and s.state = 'active'
          cross join lateral (
            select q.delivery_id, q.next_attempt_at, a.taken + row_number() over (order by q.next_attempt_at, q.delivery_id) as place
              from queue q
             where q.subscription_id = a.id and q.next_attempt_at <= :now
             order by q.next_attempt_at, q.delivery_id
             limit greatest(a.most - a.taken, 0)
          ) as due
       ),
       chosen as (
         select ranked.* from (select *, row_number() over (partition by lane order by place, next_attempt_at, delivery_id) as rank from candidate) as ranked
           join jsonb_to_recordset(cast(:lanes as jsonb)) as l (lane text, free integer) on l.lane = ranked.lane and ranked.rank <= l.free
       ),
       locked as materialized (
         select q.delivery_id from queue q where q.delivery_id in (select delivery_id from chosen) and q.next_attempt_at <= :now for update skip locked
       ),
       claimed as (
         update queue q
            set attempts = q.attempts + 1,
                busy_until = cast(:now as timestamptz) + :lease_ms * interval '1 millisecond',
                next_attempt_at = cast(:now as timestamptz)
                  + (:lease_ms + (cast(:delays as int[]))[q.attempts - q.attempts_before + 1]) * interval '1 millisecond'
           from locked
          where q.delivery_id = locked.delivery_id
         returning q.*
       ),
       logged as (
         insert into attempt (delivery_id, number, started_at, error)
         select delivery_id, attempts, cast(:now as timestamptz), :interrupted from claimed
       )
       select c.delivery_id as id, c.attempts as number, c.attempts_before, c.busy_until, c.own_failures, chosen.lane,
              c.event_id, c.subscription_id, e.form_id, s.url, s.revision, e.instance_id, e.type, e.occurred_at, e.body, e.traceparent
         from claimed c
         join chosen on chosen.delivery_id = c.delivery_id
         join event e on e.id = c.event_id
         join subscription s on s.id = c.subscription_id
        order by chosen.place, c.delivery_id`,
      {
        now,
        asking: JSON.stringify(asking),
        lanes: JSON.stringify(lanes),
        lease_ms: given.leaseMs,
        interrupted,
        delays: [...given.retryDelaysMs],
      },
    );
    await setTurns(trx, asking.map(({ id }) => id), now);
    return { claims, turns: turns.length };
  });
}

/** Holds the turns that came up longest ago in each lane. Whoever plans for one of these subscriptions waits for us, or we pass it over. */
async function takeTurns(
  trx: Transaction,
  { now, look: { lanes, full } }: { now: Date; look: Look },
): Promise<{ subscription_id: string; lane: Lane }[]> {
  return rowsOf(
    trx,
    `select taken.subscription_id, taken.lane
       from jsonb_to_recordset(cast(:lanes as jsonb)) as l (lane text, free integer)
      cross join lateral (
        select t.subscription_id, t.lane from turn t
         where t.lane = l.lane and t.due_at <= :now and t.subscription_id <> all(cast(:full as uuid[]))
         order by t.due_at limit l.free for no key update skip locked
      ) as taken`,
    { now, lanes: JSON.stringify(lanes), full: [...full] },
  );
}

/** Puts those that were looked at behind all others, or to when something of theirs falls due. */
async function setTurns(trx: Transaction, ids: string[], now: Date): Promise<void> {
  await rowsOf(
    trx,
    `update turn t set due_at = case when n.next is null then null else greatest(n.next, :now) end
       from (select s.id, (select min(q.next_attempt_at) from queue q where q.subscription_id = s.id and s.state = 'active') as next
               from subscription s where s.id = any(cast(:ids as uuid[]))) as n
      where t.subscription_id = n.id`,
    { ids, now },
  );
}

/** Something of these subscriptions falls due then, or already now. Called before anything that changes the counters: everybody locks turns first. */
export async function callUp(db: Database, wanted: readonly { id: string; at: Date; lane?: Lane | undefined }[]): Promise<void> {
  if (wanted.length === 0) return;
  await rowsOf(
    db,
    `insert into turn as t (subscription_id, due_at, lane)
     select w.id, min(w.at), coalesce(max(w.lane), 'unproven')
       from jsonb_to_recordset(cast(? as jsonb)) as w (id uuid, at timestamptz, lane text) group by w.id order by w.id
     on conflict (subscription_id) do update set due_at = least(t.due_at, excluded.due_at)
      where t.due_at is null or t.due_at > excluded.due_at`,
    [JSON.stringify(wanted.map(({ id, at, lane }) => ({ id, at, lane })))],
  );
}

/** Moves subscriptions to another lane. */
export async function changeLanes(db: Database, changes: ReadonlyMap<string, Lane>): Promise<void> {
  if (changes.size === 0) return;
  await rowsOf(
    db,
    `with news as (select * from jsonb_to_recordset(cast(? as jsonb)) as n (id uuid, lane text)),
     held as materialized (
       select t.subscription_id, news.lane from turn t join news on news.id = t.subscription_id where t.lane <> news.lane order by 1 for no key update of t
     )
     update turn t set lane = held.lane from held where t.subscription_id = held.subscription_id`,
    [JSON.stringify([...changes].map(([id, lane]) => ({ id, lane })))],
  );
}

/** What became of an attempt. It counts only as long as the attempt is still ours, that is until `lease`. */
export type Settlement = { id: string; subscriptionId: string; number: number; lease: Date; durationMs: number; at: Date } & (
  | { state: 'succeeded'; status: number }
  /** Another attempt is due at `next`. */
  | { state: 'pending'; next: Date; status?: number; error?: string }
  | { state: 'failed'; status?: number; error?: string }
  /** Nothing was sent through a fault of ours: as if the attempt had not been begun, and it is due again at `next`. */
  | { state: 'released'; next: Date }
);

/**
 * Settles attempts. In a transaction of its own if each of them ended its delivery; else the turns are called up first, as everybody locks
 * turns before counters.
 */
export const settleAll = (db: Database, settlements: readonly Settlement[]): Promise<void> =>
  settlements.some((one) => 'next' in one) ? db.transaction((trx) => settle(trx, settlements)) : settle(db, settlements);

/**
 * Settles attempts, all of them in one statement. One that was cancelled meanwhile stays that, unless it has arrived nevertheless; what
 * became of an attempt stands in the log in any case.
 */
export async function settle(db: Database, settlements: readonly Settlement[]): Promise<void> {
  await callUp(db, settlements.flatMap((one) => ('next' in one ? [{ id: one.subscriptionId, at: one.next }] : [])));
  const ids = settlements.map(({ id }) => id).sort();
  await rowsOf(
    db,
    `with news as materialized (
       select * from jsonb_to_recordset(cast(:news as jsonb))
         as n (id uuid, number integer, lease timestamptz, state text, at timestamptz, next timestamptz, status integer, error text, duration_ms integer)
     ),
     ours as materialized (
       select q.delivery_id, news.* from queue q join news on news.id = q.delivery_id and news.number = q.attempts and news.lease = q.busy_until
        order by q.delivery_id for update of q
     ),
     again as (
       update queue q
          set attempts = case when o.state = 'released' then q.attempts - 1 else q.attempts end,
              own_failures = case when o.state = 'released' then q.own_failures + 1 else 0 end,
              next_attempt_at = o.next, busy_until = null
         from ours o where q.delivery_id = o.id and o.state in ('pending', 'released')
     ),
     done as (
       delete from queue q using ours o where q.delivery_id = o.id and o.state in ('succeeded', 'failed')
     ),
     unsent as (
       delete from attempt a using ours o where a.delivery_id = o.id and a.number = o.number and o.state = 'released' and a.delivery_id between :first and :last
     ),
     logged as (
       update attempt a set duration_ms = n.duration_ms, status = n.status, error = n.error
         from news n where a.delivery_id = n.id and a.number = n.number and n.state <> 'released' and a.delivery_id between :first and :last
     )
     update delivery d set state = n.state, attempts = n.number, settled_at = n.at
       from news n
      where d.id = n.id and d.id between :first and :last and (
        (n.state in ('succeeded', 'failed') and n.id in (select id from ours))
        or (n.state = 'succeeded' and d.state = 'cancelled' and d.attempts = n.number))`,
    { news: JSON.stringify(settlements.map((one) => ({ ...one, duration_ms: one.durationMs }))), first: ids[0] ?? null, last: ids.at(-1) ?? null },
  );
}

/** Ends what is pending for these subscriptions, in one statement that locks in order: two of them must not wait for each other. */
export async function cancelQueued(trx: Transaction, subscriptionIds: readonly string[], now: Date, failed?: { id: string; number: number }): Promise<void> {
  await rowsOf(
    trx,
    `with held as materialized (
       select delivery_id from queue where subscription_id = any(cast(:subscriptions as uuid[])) order by delivery_id for update
     ),
     ended as (
       delete from queue q using held where q.delivery_id = held.delivery_id returning q.delivery_id, q.attempts
     )
     update delivery d
        set state = case when d.id = :failed_id and ended.attempts = :failed_number then 'failed' else 'cancelled' end,
            attempts = ended.attempts, settled_at = :now
       from ended where d.id = ended.delivery_id`,
    { subscriptions: [...subscriptionIds], now, failed_id: failed?.id ?? null, failed_number: failed?.number ?? null },
  );
}

const sweepSize = 1_000;

/** Fails those whose last attempt was lost together with the process that made it. @returns their ids. */
export async function failLost(db: Database, now: Date): Promise<string[]> {
  const lost = await rowsOf<{ id: string }>(
    db,
    'select delivery_id as id from queue where next_attempt_at is null and busy_until <= :now order by busy_until limit :limit',
    { now, limit: sweepSize },
  );
  if (lost.length === 0) return [];
  const rows = await rowsOf<{ id: string }>(
    db,
    `with held as materialized (
       select delivery_id from queue
        where delivery_id = any(cast(:ids as uuid[])) and next_attempt_at is null and busy_until <= :now
        order by delivery_id for update skip locked
     ),
     ended as (
       delete from queue q using held where q.delivery_id = held.delivery_id returning q.delivery_id, q.attempts
     )
     update delivery d set state = 'failed', attempts = ended.attempts, settled_at = :now
       from ended where d.id = ended.delivery_id and d.id = any(cast(:ids as uuid[])) returning d.id`,
    { ids: lost.map(({ id }) => id), now },
  );
  return rows.map(({ id }) => id);
}

// How soon to look again at what is due and could not be had, as somebody held it.
const heldMs = 50;

/** When to look again at the lanes that have room, and at attempts that may be lost; and in which lanes something is due, also where there is no room. */
export async function nextDue(db: Database, { now, look: { lanes: open, full } }: { now: Date; look: Pick<Look, 'lanes' | 'full'> }): Promise<{ at: Date | undefined; waiting: Lane[] }> {
  const [row] = await rowsOf<{ at: Date | null; waiting: Lane[] }>(
    db,
    `select least(
       (select min(first.due_at) from unnest(cast(:open as text[])) as l (lane)
         cross join lateral (
           select case when t.due_at > :now then t.due_at else cast(:now as timestamptz) + :held_ms * interval '1 millisecond' end as due_at
             from turn t where t.lane = l.lane and t.due_at is not null and t.subscription_id <> all(cast(:full as uuid[]))
            order by t.due_at limit 1
         ) as first),
       (select min(busy_until) from queue where next_attempt_at is null and busy_until > :now)
     ) as at,
     array(
       select l.lane from unnest(cast(:lanes as text[])) as l (lane)
        where exists (select from turn t where t.lane = l.lane and t.due_at <= :now)
     ) as waiting`,
    { now, open: open.map(({ lane }) => lane), full: [...full], lanes: [...lanes], held_ms: heldMs },
  );
  return { at: row?.at ?? undefined, waiting: row?.waiting ?? [] };
}
