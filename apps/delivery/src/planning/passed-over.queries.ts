import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { hasOptions, isBatched, stateOfCopy } from '../subscriptions/subscriptions.queries';

/** A delivery that was skipped although its subscription may be on. */
export interface PassedOver {
  delivery_id: string;
  subscription_id: string;
}

const known = 's.options_revision = s.revision';
// Its subscription is not told of any more: it stays skipped, and a person can send it.
const givenUp = `p.delivery_id < first_id(cast(now() as date) - 1)`;

/** Whether there are any. Usually there are none, and a look for them would take five statements to find that out. */
export const areAny = async (db: Database): Promise<boolean> => (await rowsOf(db, 'select from passed_over limit 1')).length > 0;

/** The events of those whose subscription's options are not known yet, as `hooks` can be asked about them. */
export const unknownTopics = (db: Database, limit: number): Promise<{ instance_id: string; form_id: string; event: string }[]> =>
  rowsOf(
    db,
    `select distinct e.instance_id, e.form_id, e.type as event
       from passed_over p
       join subscription s on s.id = p.subscription_id and s.state <> 'deleted' and ${known} is not true
       join delivery d on d.id = p.delivery_id
       join event e on e.id = d.event_id
      limit ?`,
    [limit],
  );

/** Locks the first of those that can be judged, but for those that another process has. */
export const lockJudgeable = (trx: Transaction, limit: number): Promise<PassedOver[]> =>
  rowsOf(
    trx,
    `select p.delivery_id, p.subscription_id from passed_over p
       left join subscription s on s.id = p.subscription_id
      where s.id is null or s.state = 'deleted' or ${known} or ${givenUp}
      order by p.delivery_id limit ? for update of p skip locked`,
    [limit],
  );

/** Locks the subscriptions among these that are on and have options, which therefore stay so until the end of the transaction. */
export const lockOn = async (trx: Transaction, ids: readonly string[]): Promise<string[]> =>
  (
    await rowsOf<{ id: string }>(
      trx,
      `select s.id from subscription s where s.id = any(cast(? as uuid[])) and ${hasOptions} and ${stateOfCopy} = 'active' order by s.id for share of s`,
      [[...ids]],
    )
  ).map(({ id }) => id);

/**
 * Queues these deliveries as if they had been planned now, in their order, if they are still skipped and their subscription was on when they were: that
 * is certain, or its revision is the same. All of them are forgotten.
 * @returns the ids of those that are queued
 */
export async function bringBack(
  trx: Transaction,
  clock: Clock,
  { deliveries, subscriptions }: { deliveries: readonly string[]; subscriptions: readonly string[] },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    trx,
    `with noted as (
       delete from passed_over where delivery_id = any(cast(:deliveries as uuid[])) returning *
     ),
     chosen as materialized (
       select d.id, d.event_id, d.subscription_id, d.attempts
         from noted n
         join subscription s on s.id = n.subscription_id and s.id = any(cast(:subscriptions as uuid[])) and (n.certain or n.revision = s.revision)
         join delivery d on d.id = n.delivery_id and d.id between :first and :last
        where d.state = 'skipped' and exists (select from event e where e.id = d.event_id and e.body <> '')
        order by d.id for update of d
     ),
     again as (
       update delivery d set state = 'pending', settled_at = null from chosen where d.id = chosen.id and d.id between :first and :last
     ),
     queued as (
       insert into queue (delivery_id, subscription_id, event_id, attempts, attempts_before, next_attempt_at, batched)
       select id, subscription_id, event_id, attempts, attempts, ${databaseTime()}, ${isBatched('chosen.subscription_id')} from chosen
     )
     select id from chosen order by id`,
    {
      deliveries: [...deliveries],
      subscriptions: [...subscriptions],
      first: deliveries[0] ?? '',
      last: deliveries.at(-1) ?? '',
      moment: momentOf(clock),
    },
  );
  return rows.map(({ id }) => id);
}
