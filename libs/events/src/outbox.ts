import { domainEvents, type DomainEventType } from '@sheaf/contracts';
import { rowsOf, type Database, type Migration, type Transaction } from '@sheaf/postgres';
import type { DomainEvent } from './event';

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
  signals: DomainEvent[];
  /** Of the other events. */
  ids: string[];
}

// A row is only sent again when the broker may have lost it. Under the same id its dedupe window would swallow it.
export const messageIdOf = ({ event, publications }: Outgoing): string => `${event.id}.${publications}`;

/** So long the relays leave alone what a process said that it would publish. Then they take it that it died. */
export const graceMs = 5_000;

const carriedBy = new WeakMap<Transaction, Carried>();

/** From now on what is recorded in this transaction is published by whoever called this. */
export function carry(trx: Transaction): Carried {
  const carried: Carried = { signals: [], ids: [] };
  carriedBy.set(trx, carried);
  return carried;
}

const isSignal = ({ type }: DomainEvent): boolean => domainEvents[type].consumers.length === 0;

/** Records events in the transaction that made them true: both are committed, or neither is. */
export async function record(trx: Transaction, ...events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const carried = carriedBy.get(trx);
  await rowsOf(
    trx,
    storing(`
      select * from rows from (json_to_recordset(cast(? as json)) as (
        id uuid, type text, instance_id uuid, subject text, form_id uuid, occurred_at timestamptz, body text, traceparent text, awaiting text[], publish_at timestamptz
      )) with ordinality order by ordinality`),
    [eventRows(events, carried ? graceMs : 0)],
  );
  for (const event of events) {
    if (isSignal(event)) carried?.signals.push(event);
    else carried?.ids.push(event.id);
  }
}

// One list, so that the statement is the same for any number of events.
const eventRows = (events: readonly DomainEvent[], dueAfterMs: number): string =>
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
      publish_at: new Date(event.occurredAt.getTime() + dueAfterMs),
    })),
  );

/**
 * SQL that stores events of one type, for a statement which stores what they tell of as well: what the event and its subject have in common
 * is sent and read once. `rows` is a query of their `id`, `instance_id`, `subject`, `form_id`, `occurred_at`, `body` and `traceparent`.
 * Whoever uses it has to `publish` the events after the commit, and they have to be the first of their subjects.
 */
export const storingEvents = (type: DomainEventType, rows: string): string =>
  storing(`
    select e.*, '${type}' as type, cast('{${domainEvents[type].consumers.join()}}' as text[]) as awaiting, occurred_at + interval '${graceMs} milliseconds' as publish_at
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

/** Takes those that nothing is in the way of; a relay leaves them alone until `until`. */
export async function claim(db: Database, ids: readonly string[], until: Date): Promise<Outgoing[]> {
  const rows = await rowsOf<OutboxRow>(
    db,
    `with ${notWaitingForDisk}
     update outbox o set publish_at = ? from quick where o.id = any(cast(? as uuid[])) and not ${isBehindOthers}
     returning o.id, o.type, o.instance_id, o.subject, o.form_id, o.occurred_at, o.body, o.traceparent, o.publications`,
    [until, [...ids]],
  );
  return rows.map(outgoing);
}

export async function isAnyDue(db: Database, until: Date): Promise<boolean> {
  return (await rowsOf(db, 'select from outbox where publish_at <= ? limit 1', [until])).length > 0;
}

/** What nobody has sent, or confirmed, in time; those that were first to be so come first. */
export async function due(trx: Transaction, until: Date, limit: number): Promise<{ ready: Outgoing[]; behindOthers: string[] }> {
  const rows = await rowsOf<OutboxRow & { behind_others: boolean }>(
    trx,
    `select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, publications, ${isBehindOthers} as behind_others
       from outbox o where publish_at <= ? order by publish_at, position limit ?`,
    [until, limit],
  );
  return {
    ready: rows.filter(({ behind_others }) => !behind_others).map(outgoing),
    behindOthers: rows.filter(({ behind_others }) => behind_others).map(({ id }) => id),
  };
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
  at: Date;
  /** After how long something is sent again. */
  republishMs: number;
}

// Each time it waits twice as long, or the stream would get more and more copies of all that a consumer misses which is away. But if it was
// the confirmation that got lost, what happens next to the same subject waits for so long.
const mostDoublings = 2;

/** The broker has them: they wait for their consumers, and are sent again if these stay silent. */
export async function noteStored(db: Database, ids: readonly string[], { at, republishMs }: Published): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(
    db,
    `with ${notWaitingForDisk}
     update outbox set publications = publications + 1,
                       publish_at = cast(? as timestamptz) + cast(? as int) * power(2, least(publications, ${mostDoublings})) * interval '1 millisecond'
       from quick where id = any(cast(? as uuid[]))`,
    [at, republishMs, [...ids]],
  );
}

/** The same, and signals are done with. */
export async function settlePublished(trx: Transaction, ids: readonly string[], published: Published): Promise<void> {
  if (ids.length === 0) return;
  await trx('outbox').whereIn('id', ids).where('awaiting', '{}').delete();
  await noteStored(trx, ids, published);
}

/** They are looked at again only then, or when a confirmation clears the way. */
export async function postpone(trx: Transaction, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length > 0) await trx('outbox').whereIn('id', ids).update({ publish_at: until });
}

/** Signals that were passed on. */
export async function forget(db: Database, ids: readonly string[]): Promise<void> {
  await rowsOf(db, `with ${notWaitingForDisk} delete from outbox using quick where id = any(cast(? as uuid[]))`, [[...ids]]);
}

/** A consumer has worked them off. @returns the ids of those that come next for it. */
export async function confirm(db: Database, consumer: string, ids: readonly string[]): Promise<string[]> {
  const { confirmed, next } = await cleared(db, consumer, 'delete from outbox using quick where id = any(cast(:ids as uuid[])) and awaiting <@ cast(:only as text[])', ids);
  if (confirmed === ids.length) return next;
  // Others have to confirm some of them too. Or they were confirmed before.
  const partly = 'update outbox set awaiting = array_remove(awaiting, :consumer) from quick where id = any(cast(:ids as uuid[])) and awaiting @> cast(:only as text[]) and awaiting <> cast(:only as text[])';
  return [...next, ...(await cleared(db, consumer, partly, ids)).next];
}

async function cleared(db: Database, consumer: string, change: string, ids: readonly string[]): Promise<{ confirmed: number; next: string[] }> {
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
