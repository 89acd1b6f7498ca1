import type { AttemptError, Payload, RetrySchedule, WebhookOptions } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database } from '@sheaf/postgres';
import type { Lane } from '../subscriptions/lanes';
import type { Look } from './slots';

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
  /** The request that caused the event. */
  request_id: string | null;
  payload: Payload;
  /** The origin of links in named payloads. */
  link_origin: string | null;
  /** Null for the subscription of a platform, and if it is not known. */
  retry: RetrySchedule | null;
  options: WebhookOptions | null;
  /** The batch in which it is sent first, with the others that follow. Absent for one that is sent singly. */
  batch?: { id: string; others: readonly Claim[] } | undefined;
}

// Time between the end of a POST and the moment its attempt counts as lost: enough to settle it in a slow database.
export const settleSlackMs = 5_000;

/** The lease: how long an attempt is ours after its claim. */
export const leaseMs = (settings: { DELIVERY_TIMEOUT_MS: number }): number => settings.DELIVERY_TIMEOUT_MS + settleSlackMs;

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
    /** Of the standard schedule; the others continue it. */
    retryDelaysMs: readonly number[];
  },
): Promise<LookResult> {
  const { look } = options;
  const [row] = await rowsOf<{
    claims: (Omit<Claim, 'busy_until' | 'occurred_at' | 'batch'> & { occurred_at: string; batch_id?: string })[] | null;
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
                                      cast(:spent as uuid[]), ${holdMs}, true)`,
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
    claims: inBatches(
      (row.claims ?? []).map((claim) => ({ ...claim, busy_until: row.busy_until, occurred_at: new Date(claim.occurred_at) })),
    ),
    turns: row.turns ?? [],
    nextInMs: row.next_in_ms === null ? undefined : Math.max(0, row.next_in_ms),
    waiting: row.waiting,
  };
}

/** The claims of a batch as one, which is made in one slot. */
function inBatches(claims: readonly (Claim & { batch_id?: string })[]): Claim[] {
  const batches = new Map<string, Claim[]>();
  const singly = claims.filter((claim) => {
    if (claim.batch_id === undefined) return true;
    batches.set(claim.batch_id, [...(batches.get(claim.batch_id) ?? []), claim]);
    return false;
  });
  return [...singly, ...[...batches].flatMap(([id, [first, ...others]]) => (first ? { ...first, batch: { id, others } } : []))];
}

/** All deliveries of a POST. */
export const membersOf = (claim: Claim): readonly Claim[] => (claim.batch ? [claim, ...claim.batch.others] : [claim]);

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
