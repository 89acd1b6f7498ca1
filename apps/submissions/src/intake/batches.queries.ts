import { storingEvents, type DomainEvent } from '@sheaf/events';
import { rowsOf, type Bound, type Database, type Transaction } from '@sheaf/postgres';
import type { NewSubmission } from '../submission/submissions.queries';

/** A submission that is ready to be stored. */
export interface Ready {
  submission: NewSubmission;
  /** Its form's limit. */
  limit: number | undefined;
  /** Whether options of its form have places, or answers are unique. */
  isExact: boolean;
  key: { key: string; fingerprint: Buffer } | undefined;
  /** Undefined while the submission must not be announced yet. */
  event: DomainEvent | undefined;
}

/**
 * Locks the forms that have a limit or places until this transaction ends, and returns how many more submissions each with a limit may take. Forms are locked in
 * the order of their ids, here and when they are counted, so that two batches cannot deadlock.
 */
export async function lockRoom(trx: Transaction, batch: readonly Ready[], bound?: Bound): Promise<Map<string, number>> {
  const limits = new Map(batch.flatMap(({ submission, limit }) => (limit === undefined ? [] : [[submission.form_id, limit] as const])));
  const locked = new Set(batch.flatMap(({ submission, limit, isExact }) => (limit === undefined && !isExact ? [] : [submission.form_id])));
  if (locked.size === 0) return new Map();
  const rows = await rowsOf<{ form_id: string; accepted: number }>(
    trx,
    `insert into intake as i (form_id, accepted) select form_id, 0 from unnest(cast(? as uuid[])) as form_id order by form_id
     on conflict (form_id) do update set accepted = i.accepted
     returning form_id, accepted`,
    [[...locked]],
    bound,
  );
  return new Map(
    rows.flatMap(({ form_id, accepted }) => {
      const limit = limits.get(form_id);
      return limit === undefined ? [] : [[form_id, limit - accepted] as const];
    }),
  );
}

/** Releases the keys of submissions for which there was no room in the end. */
export async function releaseKeys(trx: Transaction, submissionIds: readonly string[], bound?: Bound): Promise<void> {
  if (submissionIds.length === 0) return;
  await rowsOf(trx, 'delete from idempotency_key where submission_id = any(cast(? as uuid[]))', [[...submissionIds]], bound);
}

const batchColumns =
  'id uuid, instance_id uuid, form_id uuid, data text, schema_version integer, version_id uuid, status text, created_at timestamptz, language text, fill_seconds integer, event_id uuid, body text, traceparent text, request_id text';

/** SQL that stores and counts the rows of `source` and records their events; rows with an event are announced right away. */
const storing = (source: 'input' | 'accepted'): string => `
  counted as (
    insert into intake as i (form_id, accepted) select form_id, count(*) from ${source} group by form_id order by form_id
    on conflict (form_id) do update set accepted = i.accepted + excluded.accepted
    returning form_id
  ), stored as (
    insert into submission (id, instance_id, form_id, data, schema_version, version_id, status, created_at, language, fill_seconds, announced_at)
    select id, instance_id, form_id, cast(data as json), schema_version, version_id, status, created_at, language, fill_seconds, case when event_id is not null then created_at end from ${source}
  ), recorded as (
    ${storingEvents(
      'submission.created',
      `select event_id as id, instance_id, cast(id as text) as subject, form_id, created_at as occurred_at, body, traceparent, request_id from ${source} where event_id is not null`,
    )}
  ), listed as (
    insert into listed_count as c (form_id, status, listed)
    -- Last, so that the row in intake is locked first, as in every other transaction that counts.
    select form_id, status, count(*) from ${source} where form_id in (select form_id from counted) group by form_id, status order by form_id, status
    on conflict (form_id, status) do update set listed = c.listed + excluded.listed
  )`;

/**
 * Stores and counts a batch without keys and limits and records its events, in one statement, so that it needs no explicit transaction.
 * `store` does the same, but its handling of refusals is a sixth of a batch's database cost, and nothing is refused here.
 */
export async function storeAll(db: Database, batch: readonly Ready[], bound?: Bound): Promise<void> {
  await rowsOf(
    db,
    `with input as materialized (
       select * from json_to_recordset(cast(? as json)) as (${batchColumns})
     ), ${storing('input')}
     select`,
    [batchRows(batch)],
    bound,
  );
}

// Written out for speed, see docs/contributing/performance.md: every submission passes through here.
const batchRows = (batch: readonly Ready[], room?: ReadonlyMap<string, number>): string =>
  JSON.stringify(
    batch.map(
      ({
        submission: { id, instance_id, form_id, data, schema_version, version_id, status, created_at, language, fill_seconds },
        event,
        key,
      }) => ({
        id,
        instance_id,
        form_id,
        data,
        schema_version,
        version_id: version_id ?? undefined,
        status,
        created_at,
        language: language ?? undefined,
        fill_seconds: fill_seconds ?? undefined,
        event_id: event?.id,
        body: event?.body,
        traceparent: event?.trace,
        request_id: event?.requestId,
        room: room?.get(form_id),
        key: key?.key,
        fingerprint: key?.fingerprint.toString('hex'),
      }),
    ),
  );

/** `repeated`: its key was taken before. Otherwise there was no room. */
export interface Refused {
  id: string;
  repeated: boolean;
}

/**
 * Takes the keys of a batch, waiting for transactions that are taking the same ones. Stores and counts the submissions that got their key
 * and have room, in order of arrival, and records their events. All in one statement, so that it needs no explicit transaction.
 * @returns the submissions that were not stored
 */
export async function store(db: Database, batch: readonly Ready[], room: ReadonlyMap<string, number>, bound?: Bound): Promise<Refused[]> {
  return rowsOf(
    db,
    `with input as materialized (
       select * from rows from (json_to_recordset(cast(? as json)) as (${batchColumns}, room integer, key text, fingerprint text)) with ordinality
     ), keyed as (
       insert into idempotency_key (form_id, key, fingerprint, submission_id, created_at)
       select form_id, key, decode(fingerprint, 'hex'), id, created_at from input where key is not null order by form_id, key
       on conflict do nothing returning submission_id
     ), fresh as (
       select *, row_number() over (partition by form_id order by ordinality) as place
         from input where key is null or id in (select submission_id from keyed)
     ), accepted as materialized (
       select * from fresh where room is null or place <= room
     ), ${storing('accepted')}
     select id, key is not null and not exists (select from keyed where submission_id = input.id) as repeated
       from input where not exists (select from accepted where accepted.id = input.id)`,
    [batchRows(batch, room)],
    bound,
  );
}

/**
 * Stores spam, which does not count towards the limit. A full form refuses spam as well: a different response would tell spammers that they
 * were detected.
 */
export async function quarantine(trx: Transaction, submission: NewSubmission, limit: number | undefined): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `with stored as (
       insert into submission (id, instance_id, form_id, data, schema_version, version_id, status, created_at, language, fill_seconds, announced_at, spam_at, spam_reason)
       select cast(:id as uuid), cast(:instance_id as uuid), cast(:form_id as uuid), cast(:data as json), cast(:schema_version as int), cast(:version_id as uuid), :status,
              cast(:created_at as timestamptz), :language, cast(:fill_seconds as int), cast(:announced_at as timestamptz), cast(:spam_at as timestamptz), :spam_reason
        where coalesce((select accepted from intake where form_id = :form_id), 0) < coalesce(:limit, 2147483647)
       returning form_id
     )
     insert into apart_count as c (form_id, place, submissions) select form_id, 'spam', 1 from stored
     on conflict (form_id, place) do update set submissions = c.submissions + 1
     returning form_id`,
    { ...submission, limit: limit ?? null },
  );
  return rows.length > 0;
}
