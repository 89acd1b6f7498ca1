import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { fits, measured } from './measured';

export interface SubmissionRow {
  id: string;
  form_id: string;
  /** JSON text. */
  data: string;
  schema_version: number;
  /** The id of that version; null if it was stored without. */
  version_id: string | null;
  status: string;
  created_at: Date;
  /** When its submission.created was recorded; null until it may be announced. */
  announced_at: Date | null;
  /** When and why it was marked as spam; null if it is not spam. */
  spam_at: Date | null;
  spam_reason: string | null;
  /** Whether it counts towards the form's limit. Everything but spam does, unless it was never paid for. */
  holds_place: boolean;
  /** When it was moved to the trash. */
  deleted_at: Date | null;
  /** When anything about it last changed; null as long as it is as it arrived. */
  changed_at: Date | null;
  /** The person who takes care of it. */
  assignee: string | null;
  /** How often its answers were corrected. */
  revision: number;
  /** How many notes members have written about it. */
  notes: number;
  /** The language in which it was filled in, if the client sent it. */
  language: string | null;
  /** The member who entered it on somebody's behalf; null if a respondent sent it. */
  entered_by_kind: string | null;
  entered_by_id: string | null;
  /** The time from the first opening of the form to the answers, in seconds; null unless the sender gave back the start token. */
  fill_seconds: number | null;
}

export interface OwnedSubmission extends SubmissionRow {
  instance_id: string;
}

const state = 'id, form_id, status, announced_at, spam_at, spam_reason, holds_place, deleted_at, changed_at, assignee';
const columns = `${state}, data::text as data, schema_version, version_id, created_at, revision, notes, language, entered_by_kind, entered_by_id, fill_seconds`;

/** A submission without its answers, which may be large. */
export type SubmissionState = Pick<
  SubmissionRow,
  'id' | 'form_id' | 'status' | 'announced_at' | 'spam_at' | 'spam_reason' | 'holds_place' | 'deleted_at' | 'changed_at' | 'assignee'
>;

export interface NewSubmission extends OwnedSubmission {
  deleted_at: null;
}

/** Number of submissions that the form has accepted so far, without spam. */
export async function acceptedCount(db: Database, formId: string): Promise<number> {
  const [row] = await rowsOf<{ accepted: number }>(db, 'select accepted from intake where form_id = ?', [formId]);
  return row?.accepted ?? 0;
}

/** Finds a submission as it was accepted, even if it is in the trash or spam. */
export async function byId(db: Database, formId: string, id: string): Promise<OwnedSubmission | undefined> {
  const [row] = await rowsOf<OwnedSubmission>(db, `select ${columns}, instance_id from submission where form_id = ? and id = ?`, [
    formId,
    id,
  ]);
  return row;
}

/** The id of the version that a submission was made against; null if it is not known, or the submission is gone. */
export async function versionIdOf(
  db: Database,
  { instanceId, formId, id }: { instanceId: string; formId: string; id: string },
): Promise<string | null> {
  const [row] = await rowsOf<{ version_id: string | null }>(
    db,
    'select version_id from submission where id = ? and form_id = ? and instance_id = ?',
    [id, formId, instanceId],
  );
  return row?.version_id ?? null;
}

/** Finds a submission that is not in the trash. */
export async function find(db: Database, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(db, `select ${columns} from submission where form_id = ? and id = ? and deleted_at is null`, [
    formId,
    id,
  ]);
  return row;
}

/** Locks a submission until this transaction ends, even if it is in the trash. */
export async function lockIncludingTrash(trx: Transaction, formId: string, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await rowsOf<SubmissionRow>(trx, `select ${columns} from submission where form_id = ? and id = ? for update`, [formId, id]);
  return row;
}

/** Locks a submission of any form. */
export async function lockOwned(trx: Transaction, id: string): Promise<OwnedSubmission | undefined> {
  const [row] = await rowsOf<OwnedSubmission>(trx, `select ${columns}, instance_id from submission where id = ? for update`, [id]);
  return row;
}

/** Locks the given submissions in id order, so that two transactions cannot deadlock. Leaves out submissions of other forms. */
export const lockMany = (
  trx: Transaction,
  formId: string,
  ids: readonly string[],
  { includeTrash }: { includeTrash: boolean },
): Promise<SubmissionState[]> =>
  rowsOf<SubmissionState>(
    trx,
    `select ${state} from submission where form_id = ? and id = any(?::uuid[]) ${includeTrash ? '' : 'and deleted_at is null'} order by id for update`,
    [formId, [...ids]],
  );

/** The parts of a submission that its `submission.created` has. */
export type AnnouncedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'data' | 'schema_version' | 'created_at'>;

/** The first of these submissions, oldest first, until their answers exceed `maxBytes`. */
export const readForEvents = (trx: Transaction, ids: readonly string[], maxBytes: number): Promise<AnnouncedRow[]> =>
  rowsOf<AnnouncedRow>(
    trx,
    `select id, form_id, answers as data, schema_version, created_at
       from (${measured('select * from submission where id = any(cast(:ids as uuid[])) order by created_at, id', ':maxBytes')}) as measured
      where ${fits} order by created_at, id`,
    { ids: [...ids], maxBytes },
  );

export interface Slice {
  limit: number;
  offset: number;
  /** Maximum bytes of answers in the page; unlimited if undefined. */
  maxBytes?: number | undefined;
}

/** `data` is null if the answers do not fit into the page. */
export type ApartRow = SubmissionState & Pick<SubmissionRow, 'schema_version' | 'version_id' | 'created_at'> & { data: string | null };

/** A page of the trash, most recently deleted first, and the total. */
export const listTrash = (db: Database, formId: string, slice: Slice): Promise<{ rows: ApartRow[]; total: number }> =>
  listApart(db, formId, slice, 'trash', 'deleted_at is not null', 'deleted_at');

/** A page of the spam, most recently found first, and the total. */
export const listSpam = (db: Database, formId: string, slice: Slice): Promise<{ rows: ApartRow[]; total: number }> =>
  listApart(db, formId, slice, 'spam', 'spam_at is not null and deleted_at is null', 'spam_at');

async function listApart(
  db: Database,
  formId: string,
  { limit, offset, maxBytes }: Slice,
  place: 'trash' | 'spam',
  condition: string,
  since: 'deleted_at' | 'spam_at',
): Promise<{ rows: ApartRow[]; total: number }> {
  const found = `select * from submission where form_id = :formId and ${condition} order by ${since} desc, id desc limit :limit offset :offset`;
  const rows = await rowsOf<ApartRow & { total: number }>(
    db,
    `select counted.total, ${state}, schema_version, version_id, created_at, case when ${fits} then answers end as data
       from (select coalesce(sum(submissions), 0)::bigint as total from apart_count where form_id = :formId and place = :place) as counted
       left join (${measured(found, ':maxBytes')}) as page on true
      order by page.${since} desc, page.id desc`,
    { formId, place, limit, offset, maxBytes: maxBytes ?? Number.MAX_SAFE_INTEGER },
  );
  return asPage(rows);
}

/** Each row of a page carries the total; past the end there is one row without a submission. */
const asPage = (rows: readonly (ApartRow & { total: number })[]): { rows: ApartRow[]; total: number } => ({
  total: rows[0]?.total ?? 0,
  rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, ...row }) => row),
});

/** The columns that a change may set; the submission's place and counts follow from them. */
export type Change = Partial<Pick<SubmissionRow, 'status' | 'deleted_at' | 'spam_at' | 'spam_reason' | 'holds_place' | 'assignee'>>;

/** Changes a locked submission and updates the counts. @returns the changed submission */
export async function change<S extends SubmissionState>(trx: Transaction, before: S, to: Change, at: Date): Promise<S> {
  await changeMany(trx, before.form_id, [before], to, at);
  return { ...before, ...to, changed_at: at };
}

/** Changes several submissions of one form, in the same number of statements as for one. */
export const changeMany = (trx: Transaction, formId: string, befores: readonly SubmissionState[], to: Change, at: Date): Promise<void> =>
  changeGroups(trx, formId, [{ befores, to }], at);

/** Changes submissions of one form, each group in another way, and counts once: the counts are locked in one order. */
export async function changeGroups(
  trx: Transaction,
  formId: string,
  groups: readonly { befores: readonly SubmissionState[]; to: Change }[],
  at: Date,
): Promise<void> {
  for (const { befores, to } of groups)
    await trx('submission')
      .whereIn(
        'id',
        befores.map(({ id }) => id),
      )
      .update({ ...to, changed_at: trx.raw('greatest(changed_at, ?)', [at]) });
  await recount(
    trx,
    formId,
    groups.flatMap(({ befores }) => befores),
    groups.flatMap(({ befores, to }) => befores.map((before) => ({ ...before, ...to }))),
  );
}

/** Updates counts in the same order as intake does, so that two transactions cannot deadlock. */
export async function recount(
  trx: Transaction,
  formId: string,
  befores: readonly SubmissionState[],
  afters: readonly SubmissionState[],
): Promise<void> {
  const by = { accepted: new Map<string, number>(), listed: new Map<string, number>(), apart: new Map<string, number>() };
  const add = (row: SubmissionState, amount: 1 | -1) => {
    const count = (which: Map<string, number>, name: string) => which.set(name, (which.get(name) ?? 0) + amount);
    // A submission in the trash keeps its place in the limit, as it could be restored.
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

/** Notes the member who enters a submission, in the transaction that stores it. */
export const setEnteredBy = (trx: Transaction, id: string, by: { kind: string; id: string }): Promise<unknown> =>
  rowsOf(trx, 'update submission set entered_by_kind = ?, entered_by_id = ? where id = ?', [by.kind, by.id, id]);

export async function appendHistory(trx: Transaction, changes: readonly StatusChange[]): Promise<void> {
  await trx('status_change').insert(changes);
}

/** A deed on a submission beside changing its status and its answers. `assignee` is null for nobody. */
export interface Deed {
  submission_id: string;
  kind: 'assigned' | 'marked_as_spam' | 'released' | 'looked_up';
  assignee: string | null;
  actor_kind: string;
  actor_id: string;
  done_at: Date;
}

export async function appendDeeds(trx: Transaction, deeds: readonly Deed[]): Promise<void> {
  await trx('submission_deed').insert(deeds);
}

/** The deeds, oldest first: the latest 1,000, of which the latest 50 of those who looked for a person, so that these push out no others. */
export async function deedsOf(db: Database, submissionId: string): Promise<Deed[]> {
  const rows = await rowsOf<Deed>(
    db,
    `select submission_id, kind, assignee, actor_kind, actor_id, done_at
       from ((select * from submission_deed where submission_id = :submissionId and kind <> 'looked_up' order by position desc limit 950)
             union all
             (select * from submission_deed where submission_id = :submissionId and kind = 'looked_up' order by position desc limit 50)) as latest
      order by position desc`,
    { submissionId },
  );
  return rows.reverse();
}

/** The status changes, oldest first; if there are more than 1,000, only the latest. */
export async function history(db: Database, submissionId: string): Promise<StatusChange[]> {
  const rows = await rowsOf<StatusChange>(
    db,
    `select submission_id, from_status, to_status, actor_kind, actor_id, changed_at from status_change
      where submission_id = ? order by position desc limit 1000`,
    [submissionId],
  );
  return rows.reverse();
}
