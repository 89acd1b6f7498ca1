import { readOf, rowsOf, type Database } from '@sheaf/postgres';
import { fits, measured } from '../submission/measured';
import type { Slice, SubmissionRow } from '../submission/submissions.queries';
import { asV1 } from '../submission/v1-shape';

// The list of a form: what is neither in its trash nor spam, newest first.

export interface Page extends Slice {
  status: string | undefined;
}

/** Without `data` if the answers of the page before it are as large as they may be together. */
export type ListedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'schema_version' | 'status' | 'created_at'> & { data: string | null };

/** What is said of a page beside its submissions. Both are of the same moment, as all of it is one statement. */
interface About {
  /** How many submissions all pages have. */
  total: number;
  /** How many were read to be skipped, where that may be many. */
  skipped: number;
}

/** A page of the list. */
export async function list(db: Database, formId: string, page: Page): Promise<About & { rows: ListedRow[] }> {
  const { before, about, found } = page.offset <= farFrom ? near(page) : far(page);
  const rows = await readOf<About & ListedRow>(
    db,
    `${before} select about.*, page.id, page.form_id, case when ${fits} then page.answers end as data, page.schema_version, page.status, page.created_at
       from (${about}) as about left join (${measured(found, ':maxBytes')}) as page on true order by page.created_at desc, page.id desc`,
    bindings(formId, page),
  );
  const [{ total, skipped } = { total: 0, skipped: 0 }] = rows;
  // Behind the end there is one row without a submission.
  return {
    total,
    skipped,
    rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, skipped: __, ...row }) => row),
  };
}

/**
 * The same page as the text of a JSON array, in the shape of the v1 contract: putting it together row by row cost more than finding it.
 * `rest` has what comes behind that and does not fit.
 */
export async function listAsJson(db: Database, formId: string, page: Page): Promise<About & { json: string; rest: ListedRow[] }> {
  const { before, about, found } = page.offset <= farFrom ? near(page) : far(page);
  const [row] = await readOf<About & { json: string; rest: string | null }>(
    db,
    `${before} select about.*, made.json, made.rest from (${about}) as about, lateral (
       select '[' || coalesce(string_agg(${asV1}, ',') filter (where ${fits}), '') || ']' as json,
              cast(json_agg(json_build_object('id', id, 'form_id', form_id, 'schema_version', schema_version, 'status', status, 'created_at', created_at))
                filter (where not ${fits}) as text) as rest
         -- In order already; to sort them once more, as the aggregate could, takes a fifth of what such a page costs the database.
         from (${measured(found, ':maxBytes')}) as page
     ) as made`,
    bindings(formId, page),
  );
  if (!row) return { total: 0, skipped: 0, json: '[]', rest: [] };
  const rest = row.rest === null ? [] : (JSON.parse(row.rest) as (Omit<ListedRow, 'created_at'> & { created_at: string })[]);
  return { ...row, rest: rest.map((one) => ({ ...one, data: null, created_at: new Date(one.created_at) })) };
}

const bindings = (formId: string, { limit, offset, status, maxBytes }: Page) => ({
  formId,
  limit,
  offset,
  status: status ?? null,
  list: status ?? 'all',
  maxBytes: maxBytes ?? Number.MAX_SAFE_INTEGER,
});

/** From where on a page begins so far behind the first one that counted blocks find it sooner. */
const farFrom = 500;
/** The contract's bound of `limit`. */
export const longestPage = 100;

const columns = 'id, form_id, data, schema_version, status, created_at';

/** What a statement is made of: what comes before it, what gives its one row, and what finds the submissions of the page. */
interface Parts {
  before: string;
  about: string;
  found: string;
}

// The limits inside of others are never reached. Without them a statement would look so expensive that PostgreSQL planned it anew each
// time, which takes longer than a page.

/** What comes before the page is read and discarded. */
function near({ status }: Page): Parts {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  return {
    before: '',
    about: `select coalesce(sum(listed), 0)::bigint as total, 0::bigint as skipped from listed_count where form_id = :formId ${ofStatus}`,
    found: `select * from (
              select ${columns} from submission where form_id = :formId and deleted_at is null and spam_at is null ${ofStatus}
               order by created_at desc, id desc limit ${farFrom + longestPage}
            ) as most offset :offset limit :limit`,
  };
}

/**
 * Its first submission is counted from the end of the list, where the blocks begin: it lies in the first block with which there are as
 * many as that. One that lies in no block yet is found by reading what comes before it.
 */
function far({ status }: Page): Parts {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  const listed = `form_id = :formId and deleted_at is null and spam_at is null ${ofStatus}`;
  return {
    before: `
      with counted as materialized (
        select coalesce(sum(listed), 0)::bigint as total from listed_count where form_id = :formId ${ofStatus}
      ), sought as materialized (
        select total - cast(:offset as bigint) as place from counted
      ), blocks as materialized (
        select number, through - listed as before
          from (select number, listed, sum(listed) over (order by number) as through from list_block_count
                 where form_id = :formId and list = :list and level = 1) as counts
         where through >= (select place from sought) order by number limit 1
      ), block as materialized (
        select b.created_at, b.id, through - (select place from sought) as skipped
          from (select number, (select before from blocks) + sum(listed) over (order by number) as through from list_block_count
                 where form_id = :formId and list = :list and level = 0
                   and number between (select number from blocks) * 64 and (select number from blocks) * 64 + 63) as counts
          join list_block b on b.form_id = :formId and b.number = counts.number
         where through >= (select place from sought) order by counts.number limit 1
      ), first as materialized (
        -- What is skipped is read in the index alone.
        select created_at, id from submission
         where ${listed}
           and (created_at, id) <= (coalesce((select created_at from block), 'infinity'), coalesce((select id from block), 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
         order by created_at desc, id desc limit 1 offset coalesce((select skipped from block), :offset)
      )`,
    about: 'select (select total from counted) as total, coalesce((select skipped from block), :offset)::bigint as skipped',
    found: `select * from (
              select ${columns} from submission
               where ${listed} and (created_at, id) <= ((select created_at from first), (select id from first))
               order by created_at desc, id desc limit ${longestPage}
            ) as most limit :limit`,
  };
}

/** The answers of those of these submissions that the form has, the first ones: no more of them than so many bytes, but at least one. */
export async function answersOf(
  db: Database,
  formId: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<{ id: string; data: string }[]> {
  const wanted = `select s.id, s.data
                    from unnest(cast(:ids as uuid[])) with ordinality as wanted (id, place) join submission s on s.id = wanted.id and s.form_id = :formId
                   order by wanted.place`;
  return rowsOf(db, `select id, answers as data from (${measured(wanted, ':maxBytes')}) as measured where ${fits}`, {
    formId,
    ids: [...ids],
    maxBytes,
  });
}
