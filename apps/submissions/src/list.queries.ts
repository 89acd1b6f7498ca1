import { readOf, type Database } from '@sheaf/postgres';
import type { Slice, SubmissionRow } from './submissions.queries';

// The list of a form: what is neither in its trash nor spam, newest first.

export interface Page extends Slice {
  status: string | undefined;
}

export type ListedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'data' | 'schema_version' | 'status' | 'created_at'>;

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
    `${before} select about.*, page.* from (${about}) as about left join (${found}) as page on true order by page.created_at desc, page.id desc`,
    bindings(formId, page),
  );
  const [{ total, skipped } = { total: 0, skipped: 0 }] = rows;
  // Behind the end there is one row without a submission.
  return { total, skipped, rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, skipped: __, ...row }) => row) };
}

/** The same page as the text of a JSON array, in the shape of the v1 contract: putting it together row by row cost more than finding it. */
export async function listAsJson(db: Database, formId: string, page: Page): Promise<About & { json: string }> {
  const { before, about, found } = page.offset <= farFrom ? near(page) : far(page);
  const [row] = await readOf<About & { json: string }>(
    db,
    `${before} select about.*, (
       select '[' || coalesce(string_agg(
                format('{"id":"%s","form_id":"%s","data":%s,"schema_version":%s,"status":%s,"created_at":"%s"}',
                       id, form_id, data, schema_version, to_json(status), to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
                ','), '') || ']'
         -- In order already; to sort them once more, as the aggregate could, takes a fifth of what such a page costs the database.
         from (${found}) as page
     ) as json from (${about}) as about`,
    bindings(formId, page),
  );
  return row ?? { total: 0, skipped: 0, json: '[]' };
}

const bindings = (formId: string, { limit, offset, status }: Page) => ({ formId, limit, offset, status: status ?? null, list: status ?? 'all' });

/** From where on a page begins so far behind the first one that counted blocks find it sooner. */
const farFrom = 500;
/** The contract's bound of `limit`. */
const longestPage = 100;

const columns = 'id, form_id, data::text as data, schema_version, status, created_at';

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
