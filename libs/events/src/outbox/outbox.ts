import { domainEvents, type DomainEventType } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, readOf, rowsOf, type Database, type Migration, type Transaction } from '@sheaf/postgres';
import { isKnown, type DomainEvent } from '../event';

/** The outbox table of every service that sends events. */
export const outboxMigration: Migration = {
  name: '0000_outbox',
  up: (db) =>
    db.raw(`
      create table outbox (
        id uuid primary key,
        -- The order in which they were recorded. Taken while the row that changed is locked, so events of one subject are in order.
        position bigint generated always as identity,
        type text not null,
        instance_id uuid not null,
        subject text not null,
        form_id uuid,
        occurred_at timestamptz not null,
        body text not null,
        -- Who has not said yet that it worked the event off; the row stays until nobody is left.
        awaiting text[] not null,
        publications integer not null default 0,
        publish_at timestamptz not null
      );
      create index outbox_due on outbox (publish_at, position);
    `),
};

export const outboxTraceMigration: Migration = {
  name: '0000_outbox_trace',
  up: (db) => db.raw('alter table outbox add column traceparent text'),
};

/** Each publication and each confirmation looks up the other events of the subject. */
export const outboxOrderMigration: Migration = {
  name: '0000_outbox_order',
  up: (db) => db.raw('create index outbox_subject on outbox (subject, position)'),
};

/** Signals are looked up each time a listener checks its sight, several times a second. */
export const outboxSignalsMigration: Migration = {
  name: '0000_outbox_signals',
  up: (db) => db.raw("create index outbox_signals on outbox (position) where awaiting = '{}'"),
};

interface OutboxRow {
  id: string;
  type: DomainEventType;
  instance_id: string;
  subject: string;
  form_id: string | null;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
  publications: number;
}

/** An event, and how often the broker has accepted it before. */
export interface Outgoing {
  event: DomainEvent;
  publications: number;
}

/** The events that a process itself publishes right after its commit. */
export interface Carried {
  clock: Clock;
  signals: DomainEvent[];
  /** The ids of all events that are not signals. */
  ids: string[];
}

// A row is sent again only if the broker may have lost it. Under the same id, the broker's dedupe window would drop it.
export const messageIdOf = ({ event, publications }: Outgoing): string => `${event.id}.${publications}`;

/** How long relays leave an event to the process that recorded it. After that they assume that the process has died. */
export const graceMs = 5_000;

// All due times use the database's clock, which every copy of the service shares, so the events of a copy with a wrong clock are neither early
// nor late.
const later = (ms: string): string => `${databaseTime()} + cast(${ms} as int) * interval '1 millisecond'`;
const afterGrace = later(String(graceMs));

const carriedBy = new WeakMap<Transaction, Carried>();

/** Makes the calling process responsible for publishing the events that this transaction records. */
export function carry(trx: Transaction, clock: Clock): Carried {
  const carried: Carried = { clock, signals: [], ids: [] };
  carriedBy.set(trx, carried);
  return carried;
}

/** The age of the oldest event. Ids increase over time, so the primary key finds it; min(occurred_at) would read all rows. */
export async function oldestSeconds(db: Database): Promise<number> {
  const [oldest] = await rowsOf<{ age: number }>(
    db,
    'select cast(extract(epoch from now() - occurred_at) as float8) as age from outbox order by id limit 1',
  );
  return oldest?.age ?? 0;
}

const isSignal = ({ type }: DomainEvent): boolean => domainEvents[type].consumers.length === 0;

/** Records events in the transaction of their change: both are committed, or neither. */
export async function record(trx: Transaction, ...events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const carried = carriedBy.get(trx);
  await rowsOf(
    trx,
    storing(`
      select *, case when :carried then ${afterGrace} else least(occurred_at, now()) end as publish_at
        from rows from (json_to_recordset(cast(:events as json)) as (
          id uuid, type text, instance_id uuid, subject text, form_id uuid, occurred_at timestamptz, body text, traceparent text, awaiting text[]
        )) with ordinality order by ordinality`),
    { events: eventRows(events), carried: carried !== undefined, moment: carried ? momentOf(carried.clock) : null },
  );
  for (const event of events) {
    if (isSignal(event)) carried?.signals.push(event);
    else carried?.ids.push(event.id);
  }
}

// One list, so that the statement is the same for any number of events.
const eventRows = (events: readonly DomainEvent[]): string =>
  JSON.stringify(
    events.map((event) => ({
      id: event.id,
      type: event.type,
      instance_id: event.instanceId,
      subject: event.subject,
      form_id: event.formId,
      occurred_at: event.occurredAt,
      body: event.body,
      traceparent: event.trace,
      awaiting: domainEvents[event.type].consumers,
    })),
  );

/**
 * SQL that stores events of one type, for use in a statement that also stores their subjects, so that shared values are sent and read once.
 * `rows` is a query of their `id`, `instance_id`, `subject`, `form_id`, `occurred_at`, `body` and `traceparent`. Callers must `publish` the
 * events after the commit, and each must be the first event of its subject.
 */
export const storingEvents = (type: DomainEventType, rows: string): string =>
  storing(`
    select e.*, '${type}' as type, cast('{${domainEvents[type].consumers.join()}}' as text[]) as awaiting, now() + interval '${graceMs} milliseconds' as publish_at
      from (${rows}) as e`);

const columns = 'id, type, instance_id, subject, form_id, occurred_at, body, traceparent, awaiting, publish_at';
const storing = (rows: string): string => `insert into outbox (${columns}) select ${columns} from (${rows}) as given`;

// If a table was nearly empty at its last vacuum, PostgreSQL considers all indexes equally good. So only `outbox_subject` may match this
// condition: it compares whole rows, because another index also contains the position. It also avoids a join, which could scan an index.
const sameSubject = (one: string, order: '<' | '>', other: string): string =>
  `${one}.subject = ${other}.subject and (${one}.subject, ${one}.position) ${order} (${other}.subject, ${other}.position)`;

/**
 * Keeps the order of one subject: an event waits until each of its consumers has confirmed all older events for that consumer. So a consumer
 * that receives it has committed the earlier ones, even if processes die in between.
 */
const isBehindOthers = `exists (select from outbox older where ${sameSubject('older', '<', 'o')} and older.awaiting && o.awaiting offset 0)`;

// A crash may lose the writes of these statements: an event is then sent again, and consumers tolerate that. So they need not wait for the disk,
// and setting this in the statement itself saves a transaction of several statements.
const notWaitingForDisk = `quick as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Claims the events that no older event holds back; relays leave them alone during the grace. */
export async function claim(db: Database, clock: Clock, ids: readonly string[]): Promise<Outgoing[]> {
  const rows = await rowsOf<OutboxRow>(
    db,
    `with ${notWaitingForDisk}
     update outbox o set publish_at = ${afterGrace} from quick where o.id = any(cast(:ids as uuid[])) and not ${isBehindOthers}
     returning o.id, o.type, o.instance_id, o.subject, o.form_id, o.occurred_at, o.body, o.traceparent, o.publications`,
    { ids: [...ids], moment: momentOf(clock) },
  );
  return rows.map(outgoing).filter(({ event }) => isKnown(event));
}

/** Removes former consumers from due events, and deletes the events that await no other consumer. */
export async function releaseFormer(
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
export async function due(
  trx: Transaction,
  clock: Clock,
  withinMs: number,
  limit: number,
): Promise<{ ready: Outgoing[]; behindOthers: string[] }> {
  const rows = await rowsOf<OutboxRow & { behind_others: boolean }>(
    trx,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, publications, ${isBehindOthers} as behind_others
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
  },
});

interface Published {
  clock: Clock;
  /** The time after which an unconfirmed event is sent again. */
  republishMs: number;
}

// Each wait is twice as long, or the stream would fill with copies of the events for an absent consumer. The limit exists because, if only the
// confirmation was lost, the next event of the same subject waits this long.
const mostDoublings = 2;

/** Notes that the broker has stored the events. They are sent again only if their consumers do not confirm them in time. */
export async function noteStored(db: Database, ids: readonly string[], { clock, republishMs }: Published): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(
    db,
    `with ${notWaitingForDisk}
     update outbox set publications = publications + 1,
                       publish_at = ${databaseTime()} + cast(:after as int) * power(2, least(publications, ${mostDoublings})) * interval '1 millisecond'
       from quick where id = any(cast(:ids as uuid[]))`,
    { moment: momentOf(clock), after: republishMs, ids: [...ids] },
  );
}

/** Does the same as `noteStored`, and deletes the signals. */
export async function settlePublished(trx: Transaction, ids: readonly string[], published: Published): Promise<void> {
  if (ids.length === 0) return;
  await trx('outbox').whereIn('id', ids).where('awaiting', '{}').delete();
  await noteStored(trx, ids, published);
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
export async function waitingSignals(db: Database, limit: number): Promise<DomainEvent[]> {
  const rows = await readOf<OutboxRow>(
    db,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, publications
       from outbox where awaiting = '{}' order by position limit ?`,
    [limit],
  );
  return rows.map((row) => outgoing(row).event);
}

/** Deletes signals that were published. */
export async function forget(db: Database, ids: readonly string[]): Promise<void> {
  await rowsOf(db, `with ${notWaitingForDisk} delete from outbox using quick where id = any(cast(? as uuid[]))`, [[...ids]]);
}

/** Confirms that a consumer has processed the events. @returns the ids of the next events for it. */
export async function confirm(db: Database, consumer: string, ids: readonly string[]): Promise<string[]> {
  const whole = 'delete from outbox using quick where id = any(cast(:ids as uuid[])) and awaiting <@ cast(:only as text[])';
  const partly =
    'update outbox set awaiting = array_remove(awaiting, :consumer) from quick where id = any(cast(:ids as uuid[])) and awaiting @> cast(:only as text[]) and awaiting <> cast(:only as text[])';
  const next: string[] = [];
  let left = ids.length;
  // First come the events that await only this consumer, then the others. Any left over were confirmed before, or another consumer confirmed
  // them between the two statements, so that they now await only this one.
  for (const change of [whole, partly, whole]) {
    const cleared = await clear(db, consumer, change, ids);
    next.push(...cleared.next);
    left -= cleared.confirmed;
    if (left === 0) break;
  }
  return next;
}

async function clear(
  db: Database,
  consumer: string,
  change: string,
  ids: readonly string[],
): Promise<{ confirmed: number; next: string[] }> {
  const [row] = await rowsOf<{ confirmed: number; next: string[] | null }>(
    db,
    `with ${notWaitingForDisk}, confirmed as (${change} returning subject, position)
     select count(*) as confirmed, array_agg(following.id) filter (where following.id is not null) as next
       from confirmed left join lateral (
         select id from outbox o where ${sameSubject('o', '>', 'confirmed')} and o.awaiting @> cast(:only as text[])
          order by o.position limit 1
       ) following on true`,
    { consumer, ids: [...ids], only: [consumer] },
  );
  return { confirmed: row?.confirmed ?? 0, next: row?.next ?? [] };
}
