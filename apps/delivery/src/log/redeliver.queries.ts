import type { WebhookOptions } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { eventsOfCopy, isBatched, optionsOfCopy, stateOfCopy } from '../subscriptions/subscriptions.queries';
import { bringTurnsForward } from '../subscriptions/turns.queries';

/** Deliveries of a form between two ids, both inclusive. */
export interface DeliveryRange {
  formId: string;
  first: string;
  last: string;
  state: string | undefined;
  /** Why they failed or were cancelled. */
  reason: string | undefined;
  subscriptionId: string | undefined;
  /** The events of which nothing may be sent. */
  withheld: readonly string[];
  /** Only those that have ended before, so that what was sent again since then is left out. */
  endedBefore?: string | undefined;
}

/**
 * Locks the active subscriptions that have deliveries of a form, which therefore stay active until the end of the transaction. The counters
 * know those that listen to more than this form.
 */
export const lockActive = (
  trx: Transaction,
  formId: string,
  subscriptionId: string | undefined,
): Promise<{ id: string; events: string[] | null; options: WebhookOptions | null }[]> =>
  rowsOf(
    trx,
    `select id, ${eventsOfCopy} as events, ${optionsOfCopy} as options from subscription s
      where s.id in (select id from subscription where form_id = :form union all select subscription_id from delivery_count where form_id = :form)
        and ${stateOfCopy} = 'active' and s.id = coalesce(cast(:id as uuid), s.id)
      order by s.id for share of s`,
    { form: formId, id: subscriptionId ?? null },
  );

// The body of an erased submission's event is empty: there is nothing to send any more.
const isSendable = `not exists (
  select from event e join subscription s on s.id = d.subscription_id
   where e.id = d.event_id and (e.body = '' or e.type <> all(${eventsOfCopy}) or e.type = any(cast(:withheld as text[]))))`;
/** SQL for the deliveries of a range. One subscription or state is named as such, so that an index in the order of the ids has it. */
const settledIn = ({ state }: DeliveryRange, subscriptions: readonly string[]) =>
  `${isSendable} and d.form_id = :form_id and d.id between :first and :last and ${state === undefined ? `d.state <> 'pending'` : 'd.state = :state'}
  and (cast(:reason as text) is null or d.reason = cast(:reason as text))
  and (cast(:ended_before as timestamptz) is null or d.settled_at is null or d.settled_at < cast(:ended_before as timestamptz))
  and ${subscriptions.length === 1 ? 'd.subscription_id = cast(:subscription as uuid)' : 'd.subscription_id = any(cast(:subscriptions as uuid[]))'}`;

const bindings = ({ formId, first, last, state, reason, withheld, endedBefore }: DeliveryRange, subscriptions: readonly string[]) => ({
  form_id: formId,
  first,
  last,
  ...(state === undefined ? {} : { state }),
  reason: reason ?? null,
  ended_before: endedBefore ?? null,
  ...(subscriptions.length === 1 ? { subscription: subscriptions[0] ?? null } : { subscriptions: [...subscriptions] }),
  withheld: [...withheld],
});

/** The deliveries of these subscriptions that wait, by the counters. */
export async function countWaiting(db: Database, subscriptions: readonly string[]): Promise<number> {
  const [row] = await rowsOf<{ sum: string | null }>(
    db,
    `select sum(count) as sum from delivery_count where subscription_id = any(cast(? as uuid[])) and state = 'pending'`,
    [[...subscriptions]],
  );
  return Number(row?.sum ?? 0);
}

/** The time of the database, whose clock says when deliveries ended. */
export async function timeOf(db: Database, clock: Clock): Promise<Date> {
  const [row] = await rowsOf<{ now: Date }>(db, `select ${databaseTime()} as now`, { moment: momentOf(clock) });
  return row?.now ?? clock.now();
}

/** Counts the matching deliveries, up to a bound. */
export async function countSettled(db: Database, range: DeliveryRange, subscriptions: readonly string[], bound: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `select count(*) from (select from delivery d where ${settledIn(range, subscriptions)} limit :bound) as bounded`,
    {
      ...bindings(range, subscriptions),
      bound,
    },
  );
  return row?.count ?? 0;
}

/** Queues settled deliveries again, oldest first, due at once and with a full set of attempts. @returns their ids, in order. */
export async function requeue(
  trx: Transaction,
  range: DeliveryRange,
  { clock, subscriptions, limit }: { clock: Clock; subscriptions: readonly string[]; limit: number },
): Promise<string[]> {
  // First, because turns are always locked before counters. For subscriptions without matching deliveries, the look finds nothing.
  await bringTurnsForward(
    trx,
    clock,
    subscriptions.map((id) => ({ id, inMs: 0 })),
  );
  const rows = await rowsOf<{ id: string }>(
    trx,
    `with chosen as materialized (
       select d.id, d.event_id, d.subscription_id, d.attempts from delivery d where ${settledIn(range, subscriptions)} order by d.id limit :limit for update
     ),
     again as (
       update delivery d set state = 'pending', settled_at = null, reason = null from chosen where d.id = chosen.id and d.id between :first and :last
     ),
     queued as (
       insert into queue (delivery_id, subscription_id, event_id, attempts, attempts_before, next_attempt_at, batched)
       select id, subscription_id, event_id, attempts, attempts, ${databaseTime()}, ${isBatched('chosen.subscription_id')} from chosen
     )
     select id from chosen order by id`,
    { ...bindings(range, subscriptions), limit, moment: momentOf(clock) },
  );
  return rows.map(({ id }) => id);
}
