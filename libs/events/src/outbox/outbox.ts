import type { DomainEventType } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, readOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { isKnown, type DomainEvent } from '../event';

interface OutboxRow {
  id: string;
  type: DomainEventType;
  instance_id: string;
  subject: string;
  form_id: string | null;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
  request_id: string | null;
  publications: number;
}

/** An event, and how often the broker has accepted it before. */
export interface Outgoing {
  event: DomainEvent;
  publications: number;
}

// A row is sent again only if the broker may have lost it. Under the same id, the broker's dedupe window would drop it.
export const messageIdOf = ({ event, publications }: Outgoing): string => `${event.id}.${publications}`;

/** How long relays leave an event to the process that recorded it. After that they assume that the process has died. */
export const graceMs = 5_000;

// All due times use the database's clock, which every copy of the service shares, so the events of a copy with a wrong clock are neither early
// nor late.
const later = (ms: string): string => `${databaseTime()} + cast(${ms} as int) * interval '1 millisecond'`;
export const afterGrace = later(String(graceMs));

/** The age of the oldest event. Ids increase over time, so the primary key finds it; min(occurred_at) would read all rows. */
export async function oldestSeconds(db: Database): Promise<number> {
  const [oldest] = await rowsOf<{ age: number }>(
    db,
    'select cast(extract(epoch from now() - occurred_at) as float8) as age from outbox order by id limit 1',
  );
  return oldest?.age ?? 0;
}

/**
 * The age of the oldest event that is due and was never published. It reads only the events that are longest due: behind so many that were published
 * and not confirmed, an outage of the broker is not the trouble.
 */
export async function oldestUnpublishedSeconds(db: Database): Promise<number> {
  const [oldest] = await rowsOf<{ age: number }>(
    db,
    `select cast(extract(epoch from now() - min(occurred_at)) as float8) as age
       from (select occurred_at, publications from outbox where publish_at <= now() order by publish_at, position limit 10000) as due
      where publications = 0`,
  );
  return oldest?.age ?? 0;
}

// If a table was nearly empty at its last vacuum, PostgreSQL considers all indexes equally good. So this condition must match only
// `outbox_subject`: it compares whole rows, because another index also contains the position. It also avoids a join, which could scan an
// index.
const sameSubject = (one: string, order: '<' | '>', other: string): string =>
  `${one}.subject = ${other}.subject and (${one}.subject, ${one}.position) ${order} (${other}.subject, ${other}.position)`;

/**
 * Keeps the order of one subject: an event waits until each of its consumers has confirmed all older events for that consumer. So a consumer
 * that receives it has committed the earlier ones, even if processes die in between.
 */
const isBehindOthers = `exists (select from outbox older where ${sameSubject('older', '<', 'o')} and older.awaiting && o.awaiting offset 0)`;

// A crash may lose the writes of these statements; the events are then sent again, which consumers tolerate. So they need not wait for the
// disk, and setting this in the statement itself saves a transaction of several statements.
const asyncCommit = `quick as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Claims the events that no older event holds back; relays leave them alone during the grace. */
export async function claim(db: Database, clock: Clock, ids: readonly string[]): Promise<Outgoing[]> {
  const rows = await rowsOf<OutboxRow>(
    db,
    `with ${asyncCommit}
     update outbox o set publish_at = ${afterGrace} from quick where o.id = any(cast(:ids as uuid[])) and not ${isBehindOthers}
     returning o.id, o.type, o.instance_id, o.subject, o.form_id, o.occurred_at, o.body, o.traceparent, o.request_id, o.publications`,
    { ids: [...ids], moment: momentOf(clock) },
  );
  return rows.map(outgoing).filter(({ event }) => isKnown(event));
}

/** Removes former consumers from due events, and deletes the events that await no other consumer. */
export async function removeFormerConsumers(
  trx: Transaction,
  clock: Clock,
  withinMs: number,
  former: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [type, consumers] of Object.entries(former)) {
    const bindings = { type, consumers: [...consumers], within: withinMs, moment: momentOf(clock) };
    const isTheirs = `publish_at <= ${later(':within')} and type = :type and`;
    await rowsOf(trx, `delete from outbox where ${isTheirs} awaiting <> '{}' and awaiting <@ cast(:consumers as text[])`, bindings);
    await rowsOf(
      trx,
      `update outbox set awaiting = array(select name from unnest(awaiting) as name where name <> all (cast(:consumers as text[])))
        where ${isTheirs} awaiting && cast(:consumers as text[])`,
      bindings,
    );
  }
}

/** Whether an event is due, or will be within `withinMs`. */
export async function isAnyDue(db: Database, clock: Clock, withinMs: number): Promise<boolean> {
  return (
    (await rowsOf(db, `select from outbox where publish_at <= ${later(':within')} limit 1`, { within: withinMs, moment: momentOf(clock) }))
      .length > 0
  );
}

/** Events that were not sent or confirmed in time, the longest due first. Events of a newer version are left to its processes. */
export async function dueEvents(
  trx: Transaction,
  clock: Clock,
  withinMs: number,
  limit: number,
): Promise<{ ready: Outgoing[]; behindOthers: string[] }> {
  const rows = await rowsOf<OutboxRow & { behind_others: boolean }>(
    trx,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, request_id, publications, ${isBehindOthers} as behind_others
       from outbox o where publish_at <= ${later(':within')} order by publish_at, position limit :limit`,
    { within: withinMs, moment: momentOf(clock), limit },
  );
  const isReady = ({ type, behind_others: behindOthers }: (typeof rows)[number]) => isKnown({ type }) && !behindOthers;
  return { ready: rows.filter(isReady).map(outgoing), behindOthers: rows.filter((row) => !isReady(row)).map(({ id }) => id) };
}

const outgoing = (row: OutboxRow): Outgoing => ({
  publications: row.publications,
  event: {
    id: row.id,
    type: row.type,
    instanceId: row.instance_id,
    subject: row.subject,
    ...(row.form_id === null ? {} : { formId: row.form_id }),
    occurredAt: row.occurred_at,
    body: row.body,
    ...(row.traceparent === null ? {} : { trace: row.traceparent }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
  },
});

interface Published {
  clock: Clock;
  /** The time after which an unconfirmed event is sent again. */
  republishMs: number;
}

// Each wait is twice as long as the previous one; otherwise the stream would fill with copies of events for an absent consumer. The number
// of doublings is limited because, if only the confirmation was lost, the next event of the same subject waits this long.
const maxDoublings = 2;

/** Records that the broker has stored the events. They are sent again only if their consumers do not confirm them in time. */
export async function markStored(db: Database, ids: readonly string[], { clock, republishMs }: Published): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(
    db,
    `with ${asyncCommit}
     update outbox set publications = publications + 1,
                       publish_at = ${databaseTime()} + cast(:after as int) * power(2, least(publications, ${maxDoublings})) * interval '1 millisecond'
       from quick where id = any(cast(:ids as uuid[]))`,
    { moment: momentOf(clock), after: republishMs, ids: [...ids] },
  );
}

/** Does the same as `markStored`, and deletes the signals. */
export async function settlePublished(trx: Transaction, ids: readonly string[], published: Published): Promise<void> {
  if (ids.length === 0) return;
  await trx('outbox').whereIn('id', ids).where('awaiting', '{}').delete();
  await markStored(trx, ids, published);
}

/** Postpones events by `afterMs`; a confirmation may release them earlier. */
export async function postpone(trx: Transaction, clock: Clock, ids: readonly string[], afterMs: number): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(trx, `update outbox set publish_at = ${later(':after')} where id = any(cast(:ids as uuid[]))`, {
    ids: [...ids],
    after: afterMs,
    moment: momentOf(clock),
  });
}

/** Committed signals that may not have been published yet. */
export async function unpublishedSignals(db: Database, limit: number): Promise<DomainEvent[]> {
  const rows = await readOf<OutboxRow>(
    db,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, request_id, publications
       from outbox where awaiting = '{}' order by position limit ?`,
    [limit],
  );
  return rows.map((row) => outgoing(row).event);
}

/** Deletes signals that were published. */
export async function deleteSignals(db: Database, ids: readonly string[]): Promise<void> {
  await rowsOf(db, `with ${asyncCommit} delete from outbox using quick where id = any(cast(? as uuid[]))`, [[...ids]]);
}

/** Confirms that a consumer has processed the events. @returns the ids of the next events for it. */
export async function confirm(db: Database, consumer: string, ids: readonly string[]): Promise<string[]> {
  const deletion = 'delete from outbox using quick where id = any(cast(:ids as uuid[])) and awaiting <@ cast(:only as text[])';
  const removal =
    'update outbox set awaiting = array_remove(awaiting, :consumer) from quick where id = any(cast(:ids as uuid[])) and awaiting @> cast(:only as text[]) and awaiting <> cast(:only as text[])';
  const next: string[] = [];
  let left = ids.length;
  // First come the events that await only this consumer, then the others. Any left over were confirmed before, or another consumer confirmed
  // them between the two statements, so that they now await only this one.
  for (const change of [deletion, removal, deletion]) {
    const done = await applyConfirmation(db, consumer, change, ids);
    next.push(...done.next);
    left -= done.confirmed;
    if (left === 0) break;
  }
  return next;
}

async function applyConfirmation(
  db: Database,
  consumer: string,
  change: string,
  ids: readonly string[],
): Promise<{ confirmed: number; next: string[] }> {
  const [row] = await rowsOf<{ confirmed: number; next: string[] | null }>(
    db,
    `with ${asyncCommit}, confirmed as (${change} returning subject, position)
     select count(*) as confirmed, array_agg(following.id) filter (where following.id is not null) as next
       from confirmed left join lateral (
         select id from outbox o where ${sameSubject('o', '>', 'confirmed')} and o.awaiting @> cast(:only as text[])
          order by o.position limit 1
       ) following on true`,
    { consumer, ids: [...ids], only: [consumer] },
  );
  return { confirmed: row?.confirmed ?? 0, next: row?.next ?? [] };
}
