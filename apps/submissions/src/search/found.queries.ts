import type { SubmissionArea } from '@sheaf/contracts';
import { readOf, type Database } from '@sheaf/postgres';
import type { ListedRow } from '../list/list.queries';
import { byIds, fits, measured } from '../submission/measured';
import type { SubmissionRow } from '../submission/submissions.queries';
import { asDetail } from '../submission/as-json';
import type { Filter } from './filter';

const isIn: Readonly<Record<SubmissionArea, (submission: string) => string>> = {
  list: (s) => `${s}.deleted_at is null and ${s}.spam_at is null`,
  spam: (s) => `${s}.deleted_at is null and ${s}.spam_at is not null`,
  trash: (s) => `${s}.deleted_at is not null`,
};

/** SQL condition: the submission is where it is sought. */
export const isListed = (submission: string, { areas = ['list'] }: Pick<Filter, 'areas'>): string =>
  areas.length === Object.keys(isIn).length ? 'true' : `(${areas.map((area) => isIn[area](submission)).join(' or ')})`;

/** `data` is null if the page has reached its maximum size in answers. */
export type FoundRow = ListedRow &
  Pick<
    SubmissionRow,
    | 'version_id'
    | 'changed_at'
    | 'assignee'
    | 'revision'
    | 'notes'
    | 'language'
    | 'entered_by_kind'
    | 'entered_by_id'
    | 'fill_seconds'
    | 'spam_at'
    | 'deleted_at'
  >;

/** Submissions in the given order. */
export function rowsInOrder(db: Database, formId: string, ids: readonly string[], maxBytes = Number.MAX_SAFE_INTEGER): Promise<FoundRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return readOf(
    db,
    `select ${columns}, case when ${fits} then answers end as data from (${measured(inOrder, ':maxBytes')}) as measured order by place`,
    { formId, ids: [...ids], maxBytes },
  );
}

/** The same as a JSON array, which spares both this process and the gateway the work on each row. `rest` has those whose answers do not fit. */
export async function jsonInOrder(
  db: Database,
  formId: string,
  ids: readonly string[],
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<{ json: string; inJson: number; rest: FoundRow[] }> {
  if (ids.length === 0) return { json: '[]', inJson: 0, rest: [] };
  const [row] = await readOf<{ json: string; in_json: number; left_out: string[] | null }>(
    db,
    // Already in order, as in the list.
    `select '[' || coalesce(string_agg(${asDetail}, ',') filter (where ${fits}), '') || ']' as json,
            cast(count(*) filter (where ${fits}) as int) as in_json, array_agg(id) filter (where not ${fits}) as left_out
       from (${measured(inOrder, ':maxBytes')}) as measured`,
    { formId, ids: [...ids], maxBytes },
  );
  const { json = '[]', in_json: inJson = 0, left_out: leftOut = null } = row ?? {};
  return { json, inJson, rest: leftOut === null ? [] : await withoutAnswers(db, formId, leftOut) };
}

const withoutAnswers = (db: Database, formId: string, ids: readonly string[]): Promise<FoundRow[]> =>
  readOf(db, `select ${columns}, null as data from (${inOrder}) as found order by place`, { formId, ids: [...ids] });

const columns =
  'id, form_id, schema_version, version_id, status, created_at, changed_at, revision, notes, language, assignee, entered_by_kind, entered_by_id, fill_seconds, spam_at, deleted_at';
const inOrder = `select s.*, place from ${byIds} where s.form_id = :formId order by place`;

/** Bytes of stored answers that a statement looks through. */
const lookedThrough = 4_194_304;

/**
 * The first of the submissions with only the answers to some fields, as JSON, and the bytes of all answers that PostgreSQL has read for them. PostgreSQL
 * gives no part of answers that it cannot write as text, as with an escaped NUL: those come whole.
 */
export function partsInOrder(
  db: Database,
  formId: string,
  ids: readonly string[],
  { keys, maxBytes }: { keys: readonly string[]; maxBytes: number },
): Promise<{ id: string; data: string | null; read: number }[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const part = `json_build_object(${keys.map((_, n) => `cast(:key${n} as text), data -> cast(:key${n} as text)`).join(', ')})`;
  const few = `select *, sum(pg_column_size(data)) over (order by place rows unbounded preceding) - pg_column_size(data) as before from (${inOrder}) as found`;
  const parts = `
    select id, place, octet_length(whole) as read, case when position('\\u' in whole) > 0 then data else ${part} end as data
      from (select id, place, data, cast(data as text) as whole from (${few}) as few where before <= :lookedThrough offset 0) as read`;
  return readOf(
    db,
    `select id, read, case when ${fits} then answers end as data from (${measured(`select * from (${parts}) as parts order by place`, ':maxBytes')}) as measured
      order by place`,
    { formId, ids: [...ids], maxBytes, lookedThrough, ...Object.fromEntries(keys.map((key, n) => [`key${n}`, key])) },
  );
}

/** The number of submissions in the form's list, of all or of some statuses. */
export async function countListed(db: Database, formId: string, statuses: readonly string[] | undefined): Promise<number> {
  const [row] = await readOf<{ total: number }>(
    db,
    `select coalesce(sum(listed), 0)::bigint as total from listed_count
      where form_id = :formId and (cast(:statuses as text[]) is null or status = any(:statuses))`,
    { formId, statuses: statuses === undefined ? null : [...statuses] },
  );
  return row?.total ?? 0;
}
