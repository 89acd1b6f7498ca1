import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { Lane, Look } from './lanes';

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

/** What a look at the queue found. */
export interface Found {
  claims: Claim[];
  /** The subscriptions that were looked at, and whether something of theirs is due still. A turn may have come up for nothing. */
  turns: { id: string; lane: Lane; behind: boolean }[];
  /** When something falls due in the lanes that have room, or an attempt may be lost; it may be due already, and held by somebody. */
  nextAt: Date | undefined;
  /** In which lanes something is due, also where there is no room. */
  waiting: Lane[];
}

/**
 * Begins attempts of what is due, as many as the lanes have room for, and says what is to be done next. Committed before anything is sent:
 * a process that dies in the middle has used the attempt up, and the delivery falls due again by itself. JetStream's `nak(delay)` with
 * `max_deliver` could not do that: killing the broker gave 84 of 400 events a fourth or fifth POST.
 *
 * Fair: the subscriptions whose turn came longest ago, first one delivery of each, then the second one, and so on, where what is under
 * way counts as already served. Only these subscriptions are touched; skipping through an index from one waiting subscription
 * to the next would be as fair, and a step for each of thousands of dead ones.
 *
 * It is several statements, and a function of the database (migration `0006_look`), as each trip there waits for its turn among all
 * processes: in five of them a subscription with a backlog got ten deliveries in as long as these took.
 */
export async function claimDue(
  db: Database,
  given: {
    now: Date;
    look: Pick<Look, 'lanes' | 'full' | 'busy'>;
    /** How long an attempt can be under way. */
    leaseMs: number;
    retryDelaysMs: readonly number[];
  },
): Promise<Found> {
  const { now, look } = given;
  const busyUntil = new Date(now.getTime() + given.leaseMs);
  const [row] = await rowsOf<{
    claims: (Omit<Claim, 'busy_until' | 'occurred_at'> & { occurred_at: string })[] | null;
    turns: Found['turns'] | null;
    next_at: Date | null;
    waiting: Lane[];
  }>(
    db,
    `select claims, turns, next_at, waiting
       from look_for_due(:now, :busy_until, cast(:delays as int[]), :interrupted, cast(:lanes as jsonb),
                         cast(:full as uuid[]), cast(:busy_ids as uuid[]), cast(:busy_counts as int[]))`,
    {
      now,
      busy_until: busyUntil,
      delays: [...given.retryDelaysMs],
      interrupted,
      lanes: JSON.stringify(look.lanes),
      full: [...look.full],
      busy_ids: look.busy.map(({ id }) => id),
      busy_counts: look.busy.map(({ taken }) => taken),
    },
  );
  return {
    claims: (row?.claims ?? []).map((claim) => ({ ...claim, busy_until: busyUntil, occurred_at: new Date(claim.occurred_at) })),
    turns: row?.turns ?? [],
    nextAt: row?.next_at ?? undefined,
    waiting: row?.waiting ?? [],
  };
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

/** Settles attempts: all of them in one statement, a function of the database (migration `0008_settle`), unless several are of one delivery. */
export async function settle(db: Database, settlements: readonly Settlement[]): Promise<void> {
  await callUp(db, settlements.flatMap((one) => ('next' in one ? [{ id: one.subscriptionId, at: one.next }] : [])));
  for (let left = settlements; left.length > 0; ) {
    const news = new Map<string, Settlement>();
    // A process that stood still may have two attempts of a delivery to settle.
    const others: Settlement[] = [];
    for (const one of left) {
      if (news.has(one.id)) others.push(one);
      else news.set(one.id, one);
    }
    await rowsOf(db, 'select settle_attempts(cast(? as jsonb))', [JSON.stringify(Object.fromEntries(news))]);
    left = others;
  }
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
