import { rowsOf, type Database } from '@sheaf/postgres';
import type { Filter } from '../search/filter';
import { isListed } from '../search/found.queries';
import { byIds, measured } from '../submission/measured';
import type { SubmissionRow } from '../submission/submissions.queries';
import { asV1 } from '../submission/as-json';

/** The exported columns of a submission. */
export type ExportedRow = Pick<
  SubmissionRow,
  | 'id'
  | 'form_id'
  | 'data'
  | 'schema_version'
  | 'status'
  | 'created_at'
  | 'changed_at'
  | 'assignee'
  | 'notes'
  | 'language'
  | 'entered_by_kind'
  | 'entered_by_id'
  | 'fill_seconds'
> & { import_id: string | null };

const exported = `id, form_id, answers as data, schema_version, status, created_at,
  changed_at, assignee, notes, language, entered_by_kind, entered_by_id, fill_seconds, import_id`;

/** The submission after which the next batch of an export starts. */
export interface Position {
  /** `created_at` as the database prints it: a Date would lose precision below a millisecond. */
  created: string;
  id: string;
}

/** The position and size of an export's next batch. */
interface NextBatch {
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
 * The next submissions in list order, until their answers reach `bytes`; always at least one. Each batch is a separate statement: a cursor
 * over all of them would hold a connection, and hold back vacuum, for as long as the client reads.
 */
export const batch = (db: Database, formId: string, next: NextBatch): Promise<Batch<ExportedRow>> =>
  nextOf<ExportedRow>(db, formId, exported, next);

/** The next batch, with each submission as JSON text in the v1 shape. */
export const batchAsJson = (db: Database, formId: string, next: NextBatch): Promise<Batch<AsJson>> =>
  nextOf<AsJson>(db, formId, `id, ${asV1} as json`, next);

async function nextOf<Row extends { id: string }>(
  db: Database,
  formId: string,
  selected: string,
  { after, status, rows, bytes }: NextBatch,
): Promise<Batch<Row>> {
  const ofStatus = status === undefined ? '' : 'and status = :status';
  const afterLast = after === undefined ? '' : 'and (created_at, id) < (cast(:created as timestamptz), cast(:id as uuid))';
  const rowsAfter = `select * from submission where form_id = :formId and deleted_at is null and spam_at is null ${ofStatus} ${afterLast}
                 order by created_at desc, id desc limit :rows`;
  const found = await rowsOf<Row & { created: string }>(
    db,
    `select ${selected}, cast(created_at as text) as created
       from (${measured(rowsAfter, ':bytes')}) as measured
      where bytes - octet_length(answers) < :bytes
      order by created_at desc, id desc`,
    {
      formId,
      status: status ?? null,
      created: after?.created ?? null,
      id: after?.id ?? null,
      rows,
      bytes,
    },
  );
  const last = found.at(-1);
  return { rows: found, last: last && { created: last.created, id: last.id } };
}

/** The first of these submissions that are still where they are sought, in order, until their answers reach `bytes`; at least one, if there is any. */
export const named = (db: Database, filter: Filter, ids: readonly string[], bytes: number): Promise<ExportedRow[]> =>
  namedAs<ExportedRow>(db, filter, exported, ids, bytes);

/** The same, with each submission as JSON text in the v1 shape. */
export const namedAsJson = (db: Database, filter: Filter, ids: readonly string[], bytes: number): Promise<AsJson[]> =>
  namedAs<AsJson>(db, filter, `id, ${asV1} as json`, ids, bytes);

function namedAs<Row extends { id: string }>(
  db: Database,
  filter: Filter,
  selected: string,
  ids: readonly string[],
  bytes: number,
): Promise<Row[]> {
  const { formId } = filter;
  const found = `select s.*, place from ${byIds}
                  where s.form_id = :formId and ${isListed('s', filter)} order by place`;
  return rowsOf<Row>(
    db,
    `select ${selected} from (${measured(found, ':bytes')}) as measured where bytes - octet_length(answers) < :bytes order by place`,
    { formId, ids: [...ids], bytes },
  );
}
