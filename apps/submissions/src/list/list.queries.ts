import { readOf, rowsOf, type Database } from '@sheaf/postgres';
import { byIds, fits, measured } from '../submission/measured';
import type { Slice, SubmissionRow } from '../submission/submissions.queries';
import { asV1 } from '../submission/as-json';

// A form's list: submissions that are neither in the trash nor spam, newest first.

export interface Page extends Slice {
  status: string | undefined;
}

/** `data` is null if the page has reached its maximum size in answers. */
export type ListedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'schema_version' | 'status' | 'created_at'> & { data: string | null };

/** Facts about a page besides its submissions. One statement reads everything, so they describe the same moment. */
interface Totals {
  /** Number of submissions on all pages. */
  total: number;
  /** Number of rows read and skipped, where it may be large. */
  skipped: number;
}

export async function list(db: Database, formId: string, page: Page): Promise<Totals & { rows: ListedRow[] }> {
  const { before, totals, found } = page.offset <= farOffset ? nearPage(page) : farPage(page);
  const rows = await readOf<Totals & ListedRow>(
    db,
    `${before} select totals.*, page.id, page.form_id, case when ${fits} then page.answers end as data, page.schema_version, page.status, page.created_at
       from (${totals}) as totals left join (${measured(found, ':maxBytes')}) as page on true order by page.created_at desc, page.id desc`,
    bindings(formId, page),
  );
  const [{ total, skipped } = { total: 0, skipped: 0 }] = rows;
  // Past the end there is one row without a submission.
  return {
    total,
    skipped,
    rows: rows.filter(({ id }: { id: string | null }) => id !== null).map(({ total: _, skipped: __, ...row }) => row),
  };
}

/**
 * The same page as a JSON array in the v1 shape: assembling it row by row cost more than finding it. `rest` has the submissions whose
 * answers do not fit.
 */
export async function listAsJson(db: Database, formId: string, page: Page): Promise<Totals & { json: string; rest: ListedRow[] }> {
  const { before, totals, found } = page.offset <= farOffset ? nearPage(page) : farPage(page);
  const [row] = await readOf<Totals & { json: string; rest: string | null }>(
    db,
    `${before} select totals.*, made.json, made.rest from (${totals}) as totals, lateral (
       select '[' || coalesce(string_agg(${asV1}, ',') filter (where ${fits}), '') || ']' as json,
              cast(json_agg(json_build_object('id', id, 'form_id', form_id, 'schema_version', schema_version, 'status', status, 'created_at', created_at))
                filter (where not ${fits}) as text) as rest
         -- Already in order. Sorting again in the aggregate would take a fifth of the page's database time.
         from (${measured(found, ':maxBytes')}) as page
     ) as made`,
    bindings(formId, page),
  );
  if (!row) return { total: 0, skipped: 0, json: '[]', rest: [] };
  const rest = row.rest === null ? [] : (JSON.parse(row.rest) as (Omit<ListedRow, 'created_at'> & { created_at: string })[]);
  return { ...row, rest: rest.map((row) => ({ ...row, data: null, created_at: new Date(row.created_at) })) };
}

const bindings = (formId: string, { limit, offset, status, maxBytes }: Page) => ({
  formId,
  limit,
  offset,
  status: status ?? null,
  list: status ?? 'all',
  maxBytes: maxBytes ?? Number.MAX_SAFE_INTEGER,
});

/** The offset from which counted blocks find a page faster. */
const farOffset = 500;
/** The contract's maximum for `limit`. */
export const longestPage = 100;

const columns = 'id, form_id, data, schema_version, status, created_at';

/** The parts of a statement: common table expressions, the query for its single row of totals, and the query for the page's submissions. */
interface Parts {
  before: string;
  totals: string;
  found: string;
}

// The inner limits are never reached. Without them PostgreSQL would estimate such a high cost that it planned the statement anew each time,
// which takes longer than reading a page.

/** Reads and discards the rows before the page. */
function nearPage({ status }: Page): Parts {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  return {
    before: '',
    totals: `select coalesce(sum(listed), 0)::bigint as total, 0::bigint as skipped from listed_count where form_id = :formId ${ofStatus}`,
    found: `select * from (
              select ${columns} from submission where form_id = :formId and deleted_at is null and spam_at is null ${ofStatus}
               order by created_at desc, id desc limit ${farOffset + longestPage}
            ) as most offset :offset limit :limit`,
  };
}

/**
 * Finds the page's first submission by counting from the end of the list, where the blocks begin: it is in the first block at which the
 * running count reaches its place. If it is not in a block yet, the rows before it are read.
 */
function farPage({ status }: Page): Parts {
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
        -- Skipped rows are read from the index only.
        select created_at, id from submission
         where ${listed}
           and (created_at, id) <= (coalesce((select created_at from block), 'infinity'), coalesce((select id from block), 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
         order by created_at desc, id desc limit 1 offset coalesce((select skipped from block), :offset)
      )`,
    totals: 'select (select total from counted) as total, coalesce((select skipped from block), :offset)::bigint as skipped',
    found: `select * from (
              select ${columns} from submission
               where ${listed} and (created_at, id) <= ((select created_at from first), (select id from first))
               order by created_at desc, id desc limit ${longestPage}
            ) as most limit :limit`,
  };
}

/** The answers of the given submissions that belong to the form, in order, up to `maxBytes` in total but at least one. */
export async function answersOf(
  db: Database,
  formId: string,
  ids: readonly string[],
  maxBytes: number,
): Promise<{ id: string; data: string }[]> {
  const wanted = `select s.id, s.data from ${byIds} where s.form_id = :formId order by place`;
  return rowsOf(db, `select id, answers as data from (${measured(wanted, ':maxBytes')}) as measured where ${fits}`, {
    formId,
    ids: [...ids],
    maxBytes,
  });
}
