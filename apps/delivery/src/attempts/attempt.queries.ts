import type { AttemptError, Payload } from '@sheaf/contracts';
import type { Excerpt } from '@sheaf/egress';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import type { Lane, Look } from './lanes';

/** An attempt that has begun: already counted, and recorded as lost unless it is settled in time. */
export interface Claim {
  /** The delivery's id. */
  id: string;
  /** 1 for the first attempt. */
  number: number;
  /** The number of attempts made before the delivery was last redelivered. */
  attempts_before: number;
  /** When the lease ends: the attempt is ours until then. */
  busy_until: Date;
  own_failures: number;
  lane: Lane;
  /** How long all attempts to the subscription have failed, and how long ago the last one failed. Null after a success. */
  failing_for_ms: number | null;
  failed_ago_ms: number | null;
  event_id: string;
  subscription_id: string;
  form_id: string;
  url: string;
  revision: number;
  instance_id: string;
  type: string;
  occurred_at: Date;
  /** As the event has it. */
  body: string;
  traceparent: string | null;
  payload: Payload;
  /** The origin of links in named payloads. */
  link_origin: string | null;
}

/** The recorded error of an attempt until it is settled. */
export const interrupted: AttemptError = 'interrupted';

// How soon to look again at turns whose instance has used up its budget.
const holdMs = 1_000;

/** The result of a look at the queue. */
export interface LookResult {
  claims: Claim[];
  /** The subscriptions examined, and whether each still has something due. A turn may have come up with nothing to send. */
  turns: { id: string; lane: Lane; behind: boolean }[];
  /**
   * How soon something falls due, or an attempt may be lost, in the lanes with room. 0 if it is due already but held by another process.
   */
  nextInMs: number | undefined;
  /** The lanes in which something is due, including those without room. */
  waiting: Lane[];
}

/**
 * Begins due attempts, as many as the lanes have room for, and reports what to do next. The claim is committed before anything is sent: if
 * the process dies midway, the attempt is used up, and the delivery falls due again on its own. JetStream's `nak(delay)` with `max_deliver`
 * could not do that: killing the broker gave 84 of 400 events a fourth or fifth POST.
 *
 * Claims are fair: they start with the subscriptions whose turn came longest ago and take one delivery of each, then a second one, and so
 * on. Attempts in flight count as already served. Only these subscriptions are touched. Skipping through an index from one waiting
 * subscription to the next would be just as fair, but it would take a step for each of thousands of dead ones.
 *
 * All of its statements run in a database function (`look-for-due.sql.ts`), because each round trip competes with those of all processes:
 * with five round trips, a subscription with a backlog got only ten deliveries in the time they took.
 */
export async function claimDue(
  db: Database,
  options: {
    clock: Clock;
    look: Pick<Look, 'lanes' | 'full' | 'busy'>;
    /** The instances that have used up their budget; their turns are held for a while. */
    spent?: readonly string[];
    /** The longest time an attempt can be in flight. */
    leaseMs: number;
    retryDelaysMs: readonly number[];
  },
): Promise<LookResult> {
  const { look } = options;
  const [row] = await rowsOf<{
    claims: (Omit<Claim, 'busy_until' | 'occurred_at'> & { occurred_at: string })[] | null;
    turns: LookResult['turns'] | null;
    next_in_ms: number | null;
    waiting: Lane[];
    busy_until: Date;
  }>(
    db,
    `select claims, turns, waiting, until as busy_until, cast(extract(epoch from next_at - at) * 1000 as float8) as next_in_ms
       from (select ${databaseTime()} as at) as looked
      cross join lateral (select at + cast(:lease_ms as int) * interval '1 millisecond' as until) as lease
      cross join lateral look_for_due(at, until, cast(:delays as int[]), :interrupted, cast(:lanes as jsonb),
                                      cast(:full as uuid[]), cast(:busy_ids as uuid[]), cast(:busy_counts as int[]),
                                      cast(:spent as uuid[]), ${holdMs})`,
    {
      moment: momentOf(options.clock),
      lease_ms: options.leaseMs,
      delays: [...options.retryDelaysMs],
      interrupted,
      lanes: JSON.stringify(look.lanes),
      full: [...look.full],
      busy_ids: look.busy.map(({ id }) => id),
      busy_counts: look.busy.map(({ taken }) => taken),
      spent: [...(options.spent ?? [])],
    },
  );
  if (!row) throw new Error('The look returned no row.');
  return {
    claims: (row.claims ?? []).map((claim) => ({ ...claim, busy_until: row.busy_until, occurred_at: new Date(claim.occurred_at) })),
    turns: row.turns ?? [],
    nextInMs: row.next_in_ms === null ? undefined : Math.max(0, row.next_in_ms),
    waiting: row.waiting,
  };
}

/**
 * Brings each subscription's turn forward to when its next delivery falls due. Call it before changing counters: turns are always locked
 * first.
 */
export async function bringTurnsForward(db: Database, clock: Clock, turns: readonly { id: string; inMs: number }[]): Promise<void> {
  if (turns.length === 0) return;
  await rowsOf(
    db,
    `insert into turn as t (subscription_id, due_at)
     select w.id, ${databaseTime()} + min(w.in_ms) * interval '1 millisecond'
       from jsonb_to_recordset(cast(:turns as jsonb)) as w (id uuid, in_ms float8) group by w.id order by w.id
     on conflict (subscription_id) do update set due_at = least(t.due_at, excluded.due_at)
      where t.due_at is null or t.due_at > excluded.due_at`,
    { moment: momentOf(clock), turns: JSON.stringify(turns.map(({ id, inMs }) => ({ id, in_ms: inMs }))) },
  );
}

/** A change in a subscription's state: the lane it waits in, and whether its last attempt failed. */
export interface TurnChange {
  lane?: Lane;
  failed?: boolean;
}

/** A subscription counts as failing since its first failure, unless it had none for `failingDays` since: a few that are far apart prove little. */
export async function updateTurns(
  db: Database,
  clock: Clock,
  changes: ReadonlyMap<string, TurnChange>,
  failingDays: number,
): Promise<void> {
  if (changes.size === 0) return;
  await rowsOf(
    db,
    `with change as (select * from jsonb_to_recordset(cast(:changes as jsonb)) as c (id uuid, lane text, failed boolean)),
     locked as materialized (
       select t.subscription_id, change.lane, change.failed, coalesce(t.failed_at > ${databaseTime()} - cast(:failingDays as int) * interval '1 day', false) as continues
         from turn t join change on change.id = t.subscription_id
        where t.lane <> change.lane or change.failed is not null order by 1 for no key update of t
     )
     update turn t
        set lane = coalesce(locked.lane, t.lane),
            failing_since = case when locked.failed is null or (locked.failed and locked.continues) then t.failing_since when locked.failed then ${databaseTime()} end,
            failed_at = case when locked.failed is null then t.failed_at when locked.failed then ${databaseTime()} end
       from locked where t.subscription_id = locked.subscription_id`,
    { changes: JSON.stringify([...changes].map(([id, change]) => ({ id, ...change }))), failingDays, moment: momentOf(clock) },
  );
}

/** Why an attempt failed. `code` explains the error further: `CERT_HAS_EXPIRED` for `tls`. */
export interface Why {
  status?: number;
  error?: AttemptError;
  code?: string | undefined;
}

/** The outcome of an attempt that ended `at`, by this process's clock. It counts only while the attempt is still ours, until `lease`. */
export type Settlement = {
  id: string;
  subscriptionId: string;
  number: number;
  lease: Date;
  durationMs: number;
  at: Date;
  headers?: Record<string, string>;
  /** What a response other than 2xx said. */
  response?: Excerpt | undefined;
} & (
  | { state: 'succeeded'; status: number }
  /** Another attempt is due after a pause. */
  | ({ state: 'pending'; pauseMs: number } & Why)
  | ({ state: 'failed' } & Why)
  /** Nothing was sent because of a fault on our side: as if the attempt had never begun. It is due again after a pause. */
  | { state: 'released'; pauseMs: number }
);

/**
 * Settles attempts. If any delivery needs another attempt, a transaction brings the turns forward first, because turns are always locked
 * before counters. Otherwise the one statement is its own transaction.
 */
export const settleAll = (db: Database, clock: Clock, settlements: readonly Settlement[]): Promise<void> =>
  settlements.some((one) => 'pauseMs' in one) ? db.transaction((trx) => settle(trx, clock, settlements)) : settle(db, clock, settlements);

// Written out instead of spread because every attempt passes here; see docs/contributing/performance.md.
const changeOf = (one: Settlement, agoMs: number) => ({
  number: one.number,
  lease: one.lease,
  state: one.state,
  durationMs: one.durationMs,
  agoMs,
  headers: one.headers,
  pauseMs: 'pauseMs' in one ? one.pauseMs : undefined,
  status: 'status' in one ? one.status : undefined,
  error: 'error' in one ? one.error : undefined,
  code: 'code' in one ? one.code : undefined,
  response: one.response,
});

/** Settles attempts with one call of a database function (`settle-attempts.sql.ts`), or with several if a delivery has more than one. */
export async function settle(db: Database, clock: Clock, settlements: readonly Settlement[]): Promise<void> {
  const now = clock.now().getTime();
  // A pause counts from the end of the attempt, and the database may have been away since then.
  const agoMs = ({ at }: Settlement) => Math.max(0, now - at.getTime());
  await bringTurnsForward(
    db,
    clock,
    settlements.flatMap((one) => ('pauseMs' in one ? [{ id: one.subscriptionId, inMs: one.pauseMs - agoMs(one) }] : [])),
  );
  for (let remaining = settlements; remaining.length > 0;) {
    const changes = new Map<string, unknown>();
    // A process that was suspended may have two attempts of a delivery to settle.
    const repeated: Settlement[] = [];
    for (const one of remaining) {
      if (changes.has(one.id)) repeated.push(one);
      else changes.set(one.id, changeOf(one, agoMs(one)));
    }
    await rowsOf(db, `select settle_attempts(cast(:changes as jsonb), ${databaseTime()})`, {
      changes: JSON.stringify(Object.fromEntries(changes)),
      moment: momentOf(clock),
    });
    remaining = repeated;
  }
}

const sweepSize = 1_000;

/** Fails the deliveries whose last attempt was lost when its process died. @returns their ids. */
export async function failLostDeliveries(db: Database, clock: Clock): Promise<string[]> {
  const moment = momentOf(clock);
  const lost = await rowsOf<{ id: string }>(
    db,
    `select delivery_id as id from queue where next_attempt_at is null and busy_until <= ${databaseTime()} order by busy_until limit :limit`,
    { moment, limit: sweepSize },
  );
  if (lost.length === 0) return [];
  const rows = await rowsOf<{ id: string }>(
    db,
    `with locked as materialized (
       select delivery_id from queue
        where delivery_id = any(cast(:ids as uuid[])) and next_attempt_at is null and busy_until <= ${databaseTime()}
        order by delivery_id for update skip locked
     ),
     ended as (
       delete from queue q using locked where q.delivery_id = locked.delivery_id returning q.delivery_id, q.attempts
     )
     update delivery d set state = 'failed', attempts = ended.attempts, settled_at = ${databaseTime()}
       from ended where d.id = ended.delivery_id and d.id = any(cast(:ids as uuid[])) returning d.id`,
    { ids: lost.map(({ id }) => id), moment },
  );
  return rows.map(({ id }) => id);
}
