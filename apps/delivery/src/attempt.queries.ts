import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** An attempt that was begun: counted, and sure to count as lost unless it is settled in time. */
export interface Claim {
  /** The delivery. */
  id: string;
  /** 1 for the first attempt. */
  number: number;
  event_id: string;
  subscription_id: string;
  form_id: string;
  url: string;
  revision: number;
  instance_id: string;
  type: string;
  occurred_at: Date;
  body: string;
}

/** What an attempt counts as until it is settled. */
export const interrupted = 'interrupted';

/**
 * Begins attempts of what is due, `free` at most, of active subscriptions only. Committed before anything is sent: a process that dies
 * in the middle has used the attempt up, and the delivery falls due again by itself. JetStream's `nak(delay)` with `max_deliver`
 * could not do that: killing the broker gave 84 of 400 events a fourth or fifth POST.
 *
 * Fair: first the one that waits longest of every subscription, then the second one of every subscription, and so on, where what is under way
 * (`busy`) counts as already served; so a long queue for one takes nothing from the others. The subscriptions that have something
 * pending are found by skipping through the index, a step for each, however many deliveries each of them has waiting.
 */
export async function claimDue(
  db: Database,
  given: {
    now: Date;
    free: number;
    perSubscription: number;
    busy: ReadonlyMap<string, number>;
    /** How long an attempt can be under way. */
    leaseMs: number;
    retryDelaysMs: readonly number[];
  },
): Promise<Claim[]> {
  return rowsOf<Claim>(
    db,
    `with recursive waiting as (
       (select subscription_id from delivery where state = 'pending' order by subscription_id limit 1)
       union all
       select (select d.subscription_id from delivery d
                where d.state = 'pending' and d.subscription_id > w.subscription_id order by d.subscription_id limit 1)
         from waiting w where w.subscription_id is not null
     ),
     candidate as materialized (
       select due.id
         from waiting w
         join subscription s on s.id = w.subscription_id and s.state = 'active'
         left join unnest(cast(:busy_ids as uuid[]), cast(:busy_counts as int[])) as busy (id, taken) on busy.id = s.id
        cross join lateral (
          select d.id, d.next_attempt_at, coalesce(busy.taken, 0) + row_number() over (order by d.next_attempt_at, d.id) as place
            from delivery d
           where d.subscription_id = s.id and d.state = 'pending' and d.next_attempt_at <= :now
           order by d.next_attempt_at, d.id
           limit greatest(:per_subscription - coalesce(busy.taken, 0), 0)
        ) as due
        order by due.place, due.next_attempt_at, due.id
        limit :free
     ),
     locked as materialized (
       select d.id from delivery d
        where d.id in (select id from candidate) and d.state = 'pending' and d.next_attempt_at <= :now
          for update skip locked
     ),
     claimed as (
       update delivery d
          set attempts = d.attempts + 1,
              busy_until = cast(:now as timestamptz) + :lease_ms * interval '1 millisecond',
              next_attempt_at = cast(:now as timestamptz) + (:lease_ms + (cast(:delays as int[]))[d.attempts + 1]) * interval '1 millisecond'
         from locked
        where d.id = locked.id
       returning d.*
     ),
     logged as (
       insert into attempt (delivery_id, number, started_at, error)
       select id, attempts, cast(:now as timestamptz), :interrupted from claimed
     )
     select c.id, c.attempts as number, c.event_id, c.subscription_id, c.form_id, s.url, s.revision, e.instance_id, e.type, e.occurred_at, e.body
       from claimed c join event e on e.id = c.event_id join subscription s on s.id = c.subscription_id
      order by c.id`,
    {
      now: given.now,
      free: given.free,
      per_subscription: given.perSubscription,
      busy_ids: [...given.busy.keys()],
      busy_counts: [...given.busy.values()],
      lease_ms: given.leaseMs,
      interrupted,
      delays: [...given.retryDelaysMs],
    },
  );
}

export type Settlement = { id: string; number: number; durationMs: number; at: Date } & (
  | { state: 'succeeded'; status: number }
  /** Another attempt is due at `next`. */
  | { state: 'pending'; next: Date; status?: number; error?: string }
  | { state: 'failed'; status?: number; error?: string }
);

/** What became of an attempt, for the log. */
export async function recordAttempt(trx: Transaction, { id, number, durationMs, ...rest }: Settlement): Promise<void> {
  await trx('attempt')
    .where({ delivery_id: id, number })
    .update({ duration_ms: durationMs, status: rest.status ?? null, error: ('error' in rest ? rest.error : undefined) ?? null });
}

/**
 * Settles the delivery, if that attempt still is its latest one. One that was cancelled meanwhile stays that, unless it has
 * arrived nevertheless.
 */
export async function settle(trx: Transaction, settlement: Settlement): Promise<void> {
  const { id, number, state, at } = settlement;
  await trx('delivery')
    .where({ id, attempts: number })
    .whereIn('state', state === 'succeeded' ? ['pending', 'cancelled'] : ['pending'])
    .update({
      state,
      busy_until: null,
      next_attempt_at: state === 'pending' ? settlement.next : null,
      settled_at: state === 'pending' ? null : at,
    });
}

/**
 * Settles a delivery as failed and cancels everything else that is pending for its subscription, in one statement: locking all rows before
 * any of them is counted is what keeps two of these from waiting for each other.
 */
export async function settleAsGone(trx: Transaction, given: { id: string; number: number; subscriptionId: string; at: Date }): Promise<void> {
  await trx.raw(
    `update delivery
        set state = case when id = :id then 'failed' else 'cancelled' end,
            busy_until = case when id = :id then null else busy_until end,
            next_attempt_at = null,
            settled_at = :at
      where subscription_id = :subscription_id and state = 'pending' and (id <> :id or attempts = :number)`,
    { id: given.id, number: given.number, subscription_id: given.subscriptionId, at: given.at },
  );
}

const sweepSize = 1_000;

/** Fails those whose last attempt was lost together with the process that made it. @returns their ids. */
export async function failLost(db: Database, now: Date): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `update delivery set state = 'failed', busy_until = null, settled_at = :now
      where id in (
        select id from delivery
         where state = 'pending' and next_attempt_at is null and busy_until <= :now
         order by id limit :limit for update skip locked)
      returning id`,
    { now, limit: sweepSize },
  );
  return rows.map(({ id }) => id);
}

/** When the next thing falls due after now, for whoever sleeps until then. */
export async function nextDue(db: Database, now: Date): Promise<Date | undefined> {
  const [row] = await rowsOf<{ at: Date | null }>(
    db,
    `select least(
       (select min(next_attempt_at) from delivery where state = 'pending' and next_attempt_at > :now),
       (select min(busy_until) from delivery where state = 'pending' and next_attempt_at is null and busy_until > :now)
     ) as at`,
    { now },
  );
  return row?.at ?? undefined;
}
