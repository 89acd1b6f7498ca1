import { domainEvents, type DomainEventType } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { databaseTime, momentOf, readOf, rowsOf, type Database, type Migration, type Transaction } from '@sheaf/postgres';
import { isKnown, type DomainEvent } from '../event';

/** The table that every service which sends events has. */
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

/** What else there is of a subject is looked for at each publication and each confirmation. */
export const outboxOrderMigration: Migration = {
  name: '0000_outbox_order',
  up: (db) => db.raw('create index outbox_subject on outbox (subject, position)'),
};

/** Signals are looked for whenever somebody wants to rely on them, which is several times a second. */
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

/** An event, and how often it was sent and taken by the broker before. */
export interface Outgoing {
  event: DomainEvent;
  publications: number;
}

/** What a process publishes by itself as soon as its transaction is committed. */
export interface Carried {
  clock: Clock;
  signals: DomainEvent[];
  /** Of the other events. */
  ids: string[];
}

// A row is only sent again when the broker may have lost it. Under the same id its dedupe window would swallow it.
export const messageIdOf = ({ event, publications }: Outgoing): string => `${event.id}.${publications}`;

/** So long the relays leave alone what a process said that it would publish. Then they take it that it died. */
export const graceMs = 5_000;

// All due times are by the clock of the database, which every copy of the service asks: an event of a copy whose clock is wrong is neither due
// before its time nor late.
const later = (ms: string): string => `${databaseTime()} + cast(${ms} as int) * interval '1 millisecond'`;
const afterGrace = later(String(graceMs));

const carriedBy = new WeakMap<Transaction, Carried>();

/** From now on what is recorded in this transaction is published by whoever called this. */
export function carry(trx: Transaction, clock: Clock): Carried {
  const carried: Carried = { clock, signals: [], ids: [] };
  carriedBy.set(trx, carried);
  return carried;
}

/** The age of the oldest event. Ids grow with time, so it is the first one of the primary key: min(occurred_at) would read all of them. */
export async function oldestSeconds(db: Database): Promise<number> {
  const [oldest] = await rowsOf<{ age: number }>(db, 'select cast(extract(epoch from now() - occurred_at) as float8) as age from outbox order by id limit 1');
  return oldest?.age ?? 0;
}

const isSignal = ({ type }: DomainEvent): boolean => domainEvents[type].consumers.length === 0;

/** Records events in the transaction that made them true: both are committed, or neither is. */
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
 * SQL that stores events of one type, for a statement which stores what they tell of as well: what the event and its subject have in common
 * is sent and read once. `rows` is a query of their `id`, `instance_id`, `subject`, `form_id`, `occurred_at`, `body` and `traceparent`.
 * Whoever uses it has to `publish` the events after the commit, and they have to be the first of their subjects.
 */
export const storingEvents = (type: DomainEventType, rows: string): string =>
  storing(`
    select e.*, '${type}' as type, cast('{${domainEvents[type].consumers.join()}}' as text[]) as awaiting, now() + interval '${graceMs} milliseconds' as publish_at
      from (${rows}) as e`);

const columns = 'id, type, instance_id, subject, form_id, occurred_at, body, traceparent, awaiting, publish_at';
const storing = (rows: string): string => `insert into outbox (${columns}) select ${columns} from (${rows}) as given`;

// Of a table that was nearly empty when it was cleaned up PostgreSQL thinks that each index is as good as any other. So `outbox_subject` has to
// be the only one that a condition fits: rows are compared, as there is another index that knows the position. And no join, which could walk
// along an index.
const sameSubject = (one: string, order: '<' | '>', other: string): string =>
  `${one}.subject = ${other}.subject and (${one}.subject, ${one}.position) ${order} (${other}.subject, ${other}.position)`;

/**
 * The order of one subject: an event waits until every consumer that it is for has confirmed what is older and for that consumer too.
 * Whoever is handed it has committed what came before it, whichever process dies in between.
 */
const isBehindOthers = `exists (select from outbox older where ${sameSubject('older', '<', 'o')} and older.awaiting && o.awaiting offset 0)`;

// What these statements write may be lost in a crash: an event is then sent once more, which consumers are made for. No need to wait for
// the disk, and no need for a transaction of several statements to say so.
const notWaitingForDisk = `quick as materialized (select set_config('synchronous_commit', 'off', true))`;

/** Takes those that nothing is in the way of; the relays leave them alone for the grace. */
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

/** What is due waits no more for consumers that are no more. What waited for nobody else is done with. */
export async function releaseFormer(trx: Transaction, clock: Clock, withinMs: number, former: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [type, consumers] of Object.entries(former)) {
    const given = { type, consumers: [...consumers], within: withinMs, moment: momentOf(clock) };
    const isTheirs = `publish_at <= ${later(':within')} and type = :type and`;
    await rowsOf(trx, `delete from outbox where ${isTheirs} awaiting <> '{}' and awaiting <@ cast(:consumers as text[])`, given);
    await rowsOf(
      trx,
      `update outbox set awaiting = array(select name from unnest(awaiting) as name where name <> all (cast(:consumers as text[])))
        where ${isTheirs} awaiting && cast(:consumers as text[])`,
      given,
    );
  }
}

/** Whether something is due, or will be within so many milliseconds. */
export async function isAnyDue(db: Database, clock: Clock, withinMs: number): Promise<boolean> {
  return (await rowsOf(db, `select from outbox where publish_at <= ${later(':within')} limit 1`, { within: withinMs, moment: momentOf(clock) })).length > 0;
}

/** What nobody has sent, or confirmed, in time; those that were first to be so come first. Events of a newer version are left to its processes. */
export async function due(trx: Transaction, clock: Clock, withinMs: number, limit: number): Promise<{ ready: Outgoing[]; behindOthers: string[] }> {
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
  /** After how long something is sent again. */
  republishMs: number;
}

// Each time it waits twice as long, or the stream would get more and more copies of all that a consumer misses which is away. But if it was
// the confirmation that got lost, what happens next to the same subject waits for so long.
const mostDoublings = 2;

/** The broker has them: they wait for their consumers, and are sent again if these stay silent. */
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

/** The same, and signals are done with. */
export async function settlePublished(trx: Transaction, ids: readonly string[], published: Published): Promise<void> {
  if (ids.length === 0) return;
  await trx('outbox').whereIn('id', ids).where('awaiting', '{}').delete();
  await noteStored(trx, ids, published);
}

/** They are looked at again only after so long, or when a confirmation clears the way. */
export async function postpone(trx: Transaction, clock: Clock, ids: readonly string[], afterMs: number): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(trx, `update outbox set publish_at = ${later(':after')} where id = any(cast(:ids as uuid[]))`, { ids: [...ids], after: afterMs, moment: momentOf(clock) });
}

/** Signals that are committed, and have not been passed on for certain. */
export async function waitingSignals(db: Database, limit: number): Promise<DomainEvent[]> {
  const rows = await readOf<OutboxRow>(
    db,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, publications
       from outbox where awaiting = '{}' order by position limit ?`,
    [limit],
  );
  return rows.map((row) => outgoing(row).event);
}

/** Signals that were passed on. */
export async function forget(db: Database, ids: readonly string[]): Promise<void> {
  await rowsOf(db, `with ${notWaitingForDisk} delete from outbox using quick where id = any(cast(? as uuid[]))`, [[...ids]]);
}

/** A consumer has worked them off. @returns the ids of those that come next for it. */
export async function confirm(db: Database, consumer: string, ids: readonly string[]): Promise<string[]> {
  const whole = 'delete from outbox using quick where id = any(cast(:ids as uuid[])) and awaiting <@ cast(:only as text[])';
  const partly = 'update outbox set awaiting = array_remove(awaiting, :consumer) from quick where id = any(cast(:ids as uuid[])) and awaiting @> cast(:only as text[]) and awaiting <> cast(:only as text[])';
  const next: string[] = [];
  let left = ids.length;
  // First those that nobody else has to confirm, then the others. What neither has found was confirmed before, or by somebody else between
  // the two: nobody else has to confirm that any more.
  for (const change of [whole, partly, whole]) {
    const cleared = await clear(db, consumer, change, ids);
    next.push(...cleared.next);
    left -= cleared.confirmed;
    if (left === 0) break;
  }
  return next;
}

async function clear(db: Database, consumer: string, change: string, ids: readonly string[]): Promise<{ confirmed: number; next: string[] }> {
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
