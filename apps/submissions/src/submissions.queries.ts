import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

// `cast(:name as type)` throughout: knex reads `:name:` in `:name::type` as the name of a column.

export interface SubmissionRow {
  id: string;
  form_id: string;
  /** JSON text. */
  data: string;
  schema_version: number;
  status: string;
  created_at: Date;
}

const columns = 'id, form_id, data::text as data, schema_version, status, created_at';

export interface NewSubmission extends SubmissionRow {
  instance_id: string;
  /** When its submission.created was recorded; null while it waits for something. */
  announced_at: Date | null;
}

/**
 * Stores a submission and counts it, in one statement. The row of the form in `intake` is locked first, so the limit holds exactly
 * however many arrive at once. @returns false, and stores nothing, if the form has its limit already.
 */
export async function accept(trx: Transaction, submission: NewSubmission, limit: number | undefined): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `with room as (
       insert into intake as i (form_id, accepted) select cast(:form_id as uuid), 1 where coalesce(:limit, 1) > 0
       on conflict (form_id) do update set accepted = i.accepted + 1 where i.accepted < coalesce(:limit, 2147483647)
       returning form_id
     ), stored as (
       insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select :id, :instance_id, form_id, cast(:data as json), cast(:schema_version as int), :status, :created_at, :announced_at from room
       returning form_id, status
     )
     insert into listed_count as c (form_id, status, listed) select form_id, status, 1 from stored
     on conflict (form_id, status) do update set listed = c.listed + 1
     returning form_id`,
    { ...submission, limit: limit ?? null },
  );
  return rows.length > 0;
}

/** How many submissions the form has accepted so far. */
export async function acceptedCount(db: Database, formId: string): Promise<number> {
  const [row] = await rowsOf<{ accepted: number }>(db, 'select accepted from intake where form_id = ?', [formId]);
  return row?.accepted ?? 0;
}

export interface KeyRow {
  fingerprint: Buffer;
  submission_id: string;
}

export async function findKey(db: Database, formId: string, key: string): Promise<KeyRow | undefined> {
  const [row] = await rowsOf<KeyRow>(db, 'select fingerprint, submission_id from idempotency_key where form_id = ? and key = ?', [formId, key]);
  return row;
}

/** @returns false if the key is taken. Waits for a transaction that is just taking it. */
export async function takeKey(trx: Transaction, row: KeyRow & { form_id: string; key: string; created_at: Date }): Promise<boolean> {
  const taken = await rowsOf(
    trx,
    `insert into idempotency_key (form_id, key, fingerprint, submission_id, created_at)
     values (:form_id, :key, :fingerprint, :submission_id, :created_at)
     on conflict do nothing returning key`,
    { ...row },
  );
  return taken.length > 0;
}

/** As it was accepted, whatever became of it. */
export async function byId(db: Database, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(db, `select ${columns} from submission where form_id = ? and id = ?`, [formId, id]);
  return row;
}

/** Unless it is in the trash. */
export async function find(db: Database, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(db, `select ${columns} from submission where form_id = ? and id = ? and deleted_at is null`, [formId, id]);
  return row;
}

/** The same, and nobody else changes it before this transaction is over. */
export async function lock(trx: Transaction, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(
    trx,
    `select ${columns} from submission where form_id = ? and id = ? and deleted_at is null for update`,
    [formId, id],
  );
  return row;
}

export interface Page {
  limit: number;
  offset: number;
  status: string | undefined;
}

/**
 * A page, newest first, and how many there are in all pages. In one statement, so that both are of the same moment; behind the end
 * it is a row without a submission.
 */
export async function list(db: Database, formId: string, { limit, offset, status }: Page): Promise<{ rows: SubmissionRow[]; total: number }> {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  const rows = await rowsOf<SubmissionRow & { total: number }>(
    db,
    `select counted.total, page.*
       from (select coalesce(sum(listed), 0)::bigint as total from listed_count where form_id = :formId ${ofStatus}) as counted
       left join (
         select ${columns} from submission where form_id = :formId and deleted_at is null ${ofStatus}
          order by created_at desc, id desc limit :limit offset :offset
       ) as page on true
      order by page.created_at desc, page.id desc`,
    { formId, limit, offset, status: status ?? null },
  );
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, ...row }) => row) };
}

/** Behind which submission the next batch of an export begins. */
export interface Position {
  /** `created_at` as the database prints it: a Date would cut off what is finer than a millisecond. */
  created: string;
  id: string;
}

/**
 * The next submissions in the order of the list, as many as have together no more than so many bytes of answers, but at least one.
 * Each is a statement of its own: a cursor over all of them would hold a connection, and back the vacuum, for as long as somebody reads.
 */
export async function batch(
  db: Database,
  formId: string,
  { after, status, rows, bytes }: { after: Position | undefined; status: string | undefined; rows: number; bytes: number },
): Promise<{ rows: SubmissionRow[]; last: Position | undefined }> {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  const behind = after === undefined ? '' : 'and (created_at, id) < (cast(:created as timestamptz), cast(:id as uuid))';
  const found = await rowsOf<SubmissionRow & { created: string }>(
    db,
    `select ${columns}, cast(created_at as text) as created
       from (select *, sum(octet_length(cast(data as text))) over (order by created_at desc, id desc rows unbounded preceding) as bytes
               from (select * from submission where form_id = :formId and deleted_at is null ${ofStatus} ${behind}
                      order by created_at desc, id desc limit :rows) as next) as measured
      where bytes - octet_length(cast(data as text)) < :bytes
      order by created_at desc, id desc`,
    { formId, status: status ?? null, created: after?.created ?? null, id: after?.id ?? null, rows, bytes },
  );
  const last = found.at(-1);
  return { rows: found.map(({ created: _, ...row }) => row), last: last && { created: last.created, id: last.id } };
}

/** Changes the status and the counts. */
export async function setStatus(trx: Transaction, before: SubmissionRow, to: string): Promise<SubmissionRow> {
  await trx('submission').where({ id: before.id }).update({ status: to });
  await count(trx, before.form_id, { [before.status]: -1, [to]: 1 });
  return { ...before, status: to };
}

export async function moveToTrash(trx: Transaction, submission: SubmissionRow, at: Date): Promise<void> {
  await trx('submission').where({ id: submission.id }).update({ deleted_at: at });
  await count(trx, submission.form_id, { [submission.status]: -1 });
}

/** In the order of the statuses, so that two changes in opposite directions do not wait for each other. */
async function count(trx: Transaction, formId: string, changes: Record<string, number>): Promise<void> {
  await rowsOf(
    trx,
    `insert into listed_count as c (form_id, status, listed)
     select ?, status, change from unnest(?::text[], ?::int[]) as changes (status, change) order by status
     on conflict (form_id, status) do update set listed = c.listed + excluded.listed`,
    [formId, Object.keys(changes), Object.values(changes)],
  );
}

export interface StatusChange {
  submission_id: string;
  from_status: string;
  to_status: string;
  actor_kind: string;
  actor_id: string;
  changed_at: Date;
}

export async function appendHistory(trx: Transaction, change: StatusChange): Promise<void> {
  await trx('status_change').insert(change);
}
