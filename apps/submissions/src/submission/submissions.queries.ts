import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { fits, measured } from './measured';
import { asV1 } from './v1-shape';

// `cast(:name as type)` throughout: knex reads `:name:` in `:name::type` as the name of a column.

export interface SubmissionRow {
  id: string;
  form_id: string;
  /** JSON text. */
  data: string;
  schema_version: number;
  status: string;
  created_at: Date;
  /** When its submission.created was recorded; null while it waits for something. */
  announced_at: Date | null;
  /** Since when it is spam, and why; null for what is none. */
  spam_at: Date | null;
  spam_reason: string | null;
  /** Whether it counts towards the limit of the form, as what is no spam does unless it was never paid for. */
  holds_place: boolean;
  /** Since when it is in the trash. */
  deleted_at: Date | null;
}

export interface OwnedSubmission extends SubmissionRow {
  instance_id: string;
}

const state = 'id, form_id, status, announced_at, spam_at, spam_reason, holds_place, deleted_at';
const columns = `${state}, data::text as data, schema_version, created_at`;

/** All of a submission but what was answered, which may be large. */
export type SubmissionState = Omit<SubmissionRow, 'data' | 'schema_version' | 'created_at'>;

export interface NewSubmission extends OwnedSubmission {
  deleted_at: null;
}

/** How many submissions the form has accepted so far, spam aside. */
export async function acceptedCount(db: Database, formId: string): Promise<number> {
  const [row] = await rowsOf<{ accepted: number }>(db, 'select accepted from intake where form_id = ?', [formId]);
  return row?.accepted ?? 0;
}

/** As it was accepted, whatever became of it. */
export async function byId(db: Database, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(db, `select ${columns} from submission where form_id = ? and id = ?`, [formId, id]);
  return row;
}

/** Unless it is in the trash. */
export async function find(db: Database, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(db, `select ${columns} from submission where form_id = ? and id = ? and deleted_at is null`, [
    formId,
    id,
  ]);
  return row;
}

/** Nobody else changes it before this transaction is over. The trash included. */
export async function lockAnywhere(trx: Transaction, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(trx, `select ${columns} from submission where form_id = ? and id = ? for update`, [formId, id]);
  return row;
}

/** The same, of whatever form it is. */
export async function lockOwned(trx: Transaction, id: string): Promise<OwnedSubmission | undefined> {
  const [row] = await rowsOf<OwnedSubmission>(trx, `select ${columns}, instance_id from submission where id = ? for update`, [id]);
  return row;
}

/** Those of these that the form has outside of its trash. Locked in the order of their ids, so that two who lock do not wait for each other. */
export const lockMany = (trx: Transaction, formId: string, ids: readonly string[]): Promise<SubmissionState[]> =>
  rowsOf<SubmissionState>(
    trx,
    `select ${state} from submission where form_id = ? and id = any(?::uuid[]) and deleted_at is null order by id for update`,
    [formId, [...ids]],
  );

export interface Slice {
  limit: number;
  offset: number;
  /** How many bytes of answers it may hold; any number without it. */
  maxBytes?: number | undefined;
}

/** A submission without its answers if those do not fit into the page that it is in. */
export type ApartRow = Omit<SubmissionRow, 'data'> & { data: string | null };

/** What an export says of a submission. */
export type ExportedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'data' | 'schema_version' | 'status' | 'created_at'>;

/** Behind which submission the next batch of an export begins. */
export interface Position {
  /** `created_at` as the database prints it: a Date would cut off what is finer than a millisecond. */
  created: string;
  id: string;
}

/** Which submissions an export wants next, and how much of them at once. */
interface Wanted {
  after: Position | undefined;
  status: string | undefined;
  rows: number;
  bytes: number;
}

interface Batch<Row> {
  rows: Row[];
  last: Position | undefined;
}

export interface AsJson {
  id: string;
  json: string;
}

/**
 * The next submissions in the order of the list, as many as have together no more than so many bytes of answers, but at least one.
 * Each is a statement of its own: a cursor over all of them would hold a connection, and back the vacuum, for as long as somebody reads.
 */
export const batch = (db: Database, formId: string, wanted: Wanted): Promise<Batch<ExportedRow>> =>
  nextOf<ExportedRow>(db, formId, 'id, form_id, answers as data, schema_version, status, created_at', wanted);

/** The same, each as JSON text in the shape of the v1 contract. */
export const batchAsJson = (db: Database, formId: string, wanted: Wanted): Promise<Batch<AsJson>> =>
  nextOf<AsJson>(db, formId, `id, ${asV1} as json`, wanted);

async function nextOf<Row extends { id: string }>(
  db: Database,
  formId: string,
  what: string,
  { after, status, rows, bytes }: Wanted,
): Promise<Batch<Row>> {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  const behind = after === undefined ? '' : 'and (created_at, id) < (cast(:created as timestamptz), cast(:id as uuid))';
  const next = `select * from submission where form_id = :formId and deleted_at is null and spam_at is null ${ofStatus} ${behind}
                 order by created_at desc, id desc limit :rows`;
  const found = await rowsOf<Row & { created: string }>(
    db,
    `select ${what}, cast(created_at as text) as created
       from (${measured(next, ':bytes')}) as measured
      where bytes - octet_length(answers) < :bytes
      order by created_at desc, id desc`,
    { formId, status: status ?? null, created: after?.created ?? null, id: after?.id ?? null, rows, bytes },
  );
  const last = found.at(-1);
  return { rows: found, last: last && { created: last.created, id: last.id } };
}

/** A page of the trash, what was deleted last first, and how many there are. */
export const listTrash = (db: Database, formId: string, slice: Slice): Promise<{ rows: ApartRow[]; total: number }> =>
  listApart(db, formId, slice, 'trash', 'deleted_at is not null', 'deleted_at');

/** A page of the spam, what was found last first, and how many there are. */
export const listSpam = (db: Database, formId: string, slice: Slice): Promise<{ rows: ApartRow[]; total: number }> =>
  listApart(db, formId, slice, 'spam', 'spam_at is not null and deleted_at is null', 'spam_at');

async function listApart(
  db: Database,
  formId: string,
  { limit, offset, maxBytes }: Slice,
  place: 'trash' | 'spam',
  isThere: string,
  since: 'deleted_at' | 'spam_at',
): Promise<{ rows: ApartRow[]; total: number }> {
  const found = `select * from submission where form_id = :formId and ${isThere} order by ${since} desc, id desc limit :limit offset :offset`;
  const rows = await rowsOf<ApartRow & { total: number }>(
    db,
    `select counted.total, ${state}, schema_version, created_at, case when ${fits} then answers end as data
       from (select coalesce(sum(submissions), 0)::bigint as total from apart_count where form_id = :formId and place = :place) as counted
       left join (${measured(found, ':maxBytes')}) as page on true
      order by page.${since} desc, page.id desc`,
    { formId, place, limit, offset, maxBytes: maxBytes ?? Number.MAX_SAFE_INTEGER },
  );
  return asPage(rows);
}

/** The rows of a page each bring the total; behind the end it is one without a submission. */
const asPage = (rows: readonly (ApartRow & { total: number })[]): { rows: ApartRow[]; total: number } => ({
  total: rows[0]?.total ?? 0,
  rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, ...row }) => row),
});

/** What a change may be about; where it belongs and what counts it follows from that. */
export type Change = Partial<Pick<SubmissionRow, 'status' | 'deleted_at' | 'spam_at' | 'spam_reason' | 'holds_place'>>;

/** Changes a submission that is locked, and the counts with it. @returns it as it is then. */
export async function change<S extends SubmissionState>(trx: Transaction, before: S, to: Change): Promise<S> {
  await changeMany(trx, before.form_id, [before], to);
  return { ...before, ...to };
}

/** The same for several of one form, in as many statements. */
export async function changeMany(trx: Transaction, formId: string, befores: readonly SubmissionState[], to: Change): Promise<void> {
  await trx('submission')
    .whereIn(
      'id',
      befores.map(({ id }) => id),
    )
    .update(to);
  await recount(
    trx,
    formId,
    befores,
    befores.map((before) => ({ ...before, ...to })),
  );
}

/** In the order in which a submission that comes in counts itself, so that two who count do not wait for each other. */
async function recount(
  trx: Transaction,
  formId: string,
  befores: readonly SubmissionState[],
  afters: readonly SubmissionState[],
): Promise<void> {
  const by = { accepted: new Map<string, number>(), listed: new Map<string, number>(), apart: new Map<string, number>() };
  const add = (row: SubmissionState, amount: 1 | -1) => {
    const count = (which: Map<string, number>, name: string) => which.set(name, (which.get(name) ?? 0) + amount);
    // The trash gives no place of the limit back: it could be restored.
    if (row.spam_at === null && row.holds_place) count(by.accepted, 'all');
    if (row.deleted_at !== null) count(by.apart, 'trash');
    else if (row.spam_at !== null) count(by.apart, 'spam');
    else count(by.listed, row.status);
  };
  befores.forEach((row) => add(row, -1));
  afters.forEach((row) => add(row, 1));

  const accepted = by.accepted.get('all') ?? 0;
  if (accepted !== 0) {
    await rowsOf(
      trx,
      'insert into intake as i (form_id, accepted) values (:formId, :accepted) on conflict (form_id) do update set accepted = i.accepted + :accepted',
      { formId, accepted },
    );
  }
  const listed = changed(by.listed);
  if (listed.length > 0) {
    await rowsOf(
      trx,
      `insert into listed_count as c (form_id, status, listed)
       select ?, status, change from unnest(?::text[], ?::int[]) as changes (status, change) order by status
       on conflict (form_id, status) do update set listed = c.listed + excluded.listed`,
      [formId, listed.map(([status]) => status), listed.map(([, amount]) => amount)],
    );
  }
  const apart = changed(by.apart);
  if (apart.length > 0) {
    await rowsOf(
      trx,
      `insert into apart_count as c (form_id, place, submissions)
       select ?, place, change from unnest(?::text[], ?::int[]) as changes (place, change) order by place
       on conflict (form_id, place) do update set submissions = c.submissions + excluded.submissions`,
      [formId, apart.map(([place]) => place), apart.map(([, amount]) => amount)],
    );
  }
}

const changed = (counts: ReadonlyMap<string, number>): [string, number][] => [...counts].filter(([, amount]) => amount !== 0);

export interface StatusChange {
  submission_id: string;
  from_status: string;
  to_status: string;
  actor_kind: string;
  actor_id: string;
  changed_at: Date;
}

export async function appendHistory(trx: Transaction, changes: readonly StatusChange[]): Promise<void> {
  await trx('status_change').insert(changes);
}

/** The changes of status, the first one first; of very many the latest. */
export async function history(db: Database, submissionId: string): Promise<StatusChange[]> {
  const rows = await rowsOf<StatusChange>(
    db,
    `select submission_id, from_status, to_status, actor_kind, actor_id, changed_at from status_change
      where submission_id = ? order by position desc limit 1000`,
    [submissionId],
  );
  return rows.reverse();
}
