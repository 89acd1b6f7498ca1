import { answerTraits } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { Deps } from '../deps';
import * as files from '../files/files.queries';
import { storageKey } from '../files/remove-files';
import { isMissing } from '../files/storage/outages';
import { findAll } from '../search/find-all';
import { aboutRows } from './about';
import { archive } from './archive';
import { ArrivedByFirstReading } from './arrived';
import * as batches from './batches.queries';
import type { AsJson, ExportedRow, Position } from './batches.queries';
import { csv } from './csv';
import { itemsOf } from './items';
import { ndjson } from './ndjson';
import { layoutOf, type Layout, type Plan, type Wanted } from './plan';
import type { TableRow } from './table';
import { exportWords } from './words';
import { xlsx } from './xlsx';

// Rows held in memory per export; small, so that building a batch does not delay other calls.
const batchRows = 500;
const batchBytes = 512 * 1024;

type WriteDeps = Pick<Deps, 'db' | 'files' | 'searchBlocks'>;

/** The bytes of a file. @param onRows called with the number of submissions of each batch, as they are written */
export function writeExport(deps: WriteDeps, plan: Plan, at: Date, onRows: (count: number) => void): AsyncGenerator<Uint8Array> {
  const { wanted, form } = plan;
  const source = sourceOf(deps, plan);
  if (form === undefined) return ndjson(noted(source.asJson(), onRows));
  const layout = layoutOf(wanted, form);
  const rows = noted(source.asRows(), onRows);
  return wanted.format === 'zip'
    ? asArchive(deps, wanted, layout, rows)
    : asTable(deps, wanted, layout, { at, rows, again: source.asRows });
}

async function* noted<Row>(batchesOfRows: AsyncIterable<Row[]>, onRows: (count: number) => void): AsyncGenerator<Row[]> {
  for await (const batch of batchesOfRows) {
    // Counted before: the reader owns the array from then on and may empty it.
    onRows(batch.length);
    yield batch;
  }
}

async function* asTable(
  { db }: WriteDeps,
  wanted: Wanted,
  { table, items, fields, title, zone }: Layout,
  { at, rows: batchesOfRows, again }: { at: Date; rows: AsyncIterable<ExportedRow[]>; again: () => AsyncIterable<ExportedRow[]> },
): AsyncGenerator<Buffer> {
  const { language = 'en', exportedBy: by } = wanted;
  const hasFiles =
    wanted.language !== undefined && [...fields.values()].some(({ kind }) => kind !== undefined && answerTraits(kind).hasFiles === true);
  const rows = hasFiles ? withFileNames(db, batchesOfRows) : batchesOfRows;
  if (wanted.format === 'csv') {
    yield* csv(table, rows, { delimiter: wanted.delimiter, hasMark: wanted.bom });
    return;
  }
  const [versions, words] = [new Set<number>(), exportWords(language)];
  const arrived = new ArrivedByFirstReading();
  const facts = { title, by, at, zone, conditions: wanted, fields, versions };
  yield* xlsx(table, noting(versions, arrived.first(rows)), {
    words,
    // Read once more for each repeat: a sheet is written whole before the next.
    further: items.map((each) => ({ ...each, batches: itemsOf(each.key, arrived.again(again())) })),
    about: (written) => aboutRows(words, language, facts, written),
  });
}

/** Access, spam and the trash are those of the list: only files of listed submissions are in it. */
const asArchive = (
  { db, files: { storage } }: WriteDeps,
  { language, labels: hasLabels }: Wanted,
  { fields, zone }: Layout,
  rows: AsyncIterable<ExportedRow[]>,
): AsyncGenerator<Uint8Array> =>
  archive(
    {
      fields,
      zone,
      words: language === undefined ? undefined : exportWords(language),
      hasLabels,
      filesOf: (submissionIds) => files.claimedOf(db, submissionIds),
      open: (file) =>
        storage.open(storageKey(file)).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        }),
    },
    rows,
  );

async function* withFileNames(db: Database, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<TableRow[]> {
  for await (const batch of batches) {
    const fileNames = await files.namesOfMany(
      db,
      batch.map(({ id }) => id),
    );
    yield batch.map((row) => ({ ...row, fileNames }));
  }
}

async function* noting(versions: Set<number>, batches: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  for await (const batch of batches) {
    for (const { schema_version } of batch) versions.add(schema_version);
    yield batch;
  }
}

interface Source {
  asJson: () => AsyncGenerator<AsJson[]>;
  asRows: () => AsyncGenerator<ExportedRow[]>;
}

/** The list, which is read by its own index, or what a search finds. */
function sourceOf(deps: WriteDeps, { wanted, filter }: Plan): Source {
  const { db } = deps;
  const { formId, statuses: [status] = [] } = wanted;
  if (filter === undefined) {
    return {
      asJson: () => batchesOf((next) => batches.batchAsJson(db, formId, { ...next, status })),
      asRows: () => batchesOf((next) => batches.batch(db, formId, { ...next, status })),
    };
  }
  const ids = () => findAll(deps, wanted, filter);
  return {
    asJson: () => foundOf(ids(), (some) => batches.namedAsJson(db, filter, some, batchBytes)),
    asRows: () => foundOf(ids(), (some) => batches.named(db, filter, some, batchBytes)),
  };
}

/** The submissions of pages of ids, as many at a time as fit into a batch. Those that left the list meanwhile are left out. */
async function* foundOf<Row extends { id: string }>(
  pages: AsyncIterable<string[]>,
  read: (ids: readonly string[]) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let requested = batchRows;
  for await (const page of pages) {
    for (let left = page; left.length > 0;) {
      const some = left.slice(0, requested);
      const rows = await read(some);
      const last = rows.at(-1);
      // The last of a batch that did not fit is read again; if none is left of it, none was in the list any more.
      left = left.slice(last === undefined ? some.length : some.indexOf(last.id) + 1);
      requested = Math.min(Math.max(2 * rows.length, 1), batchRows);
      if (rows.length > 0) yield rows;
    }
  }
}

type ReadBatch<Row> = (next: {
  after: Position | undefined;
  rows: number;
  bytes: number;
}) => Promise<{ rows: Row[]; last: Position | undefined }>;

async function* batchesOf<Row>(readBatch: ReadBatch<Row>): AsyncGenerator<Row[]> {
  let after: Position | undefined;
  let requested = batchRows;
  do {
    const { rows, last } = await readBatch({ after, rows: requested, bytes: batchBytes });
    after = last;
    // The database unpacks every row requested, even those that do not fit the batch, so request at most twice as many as fitted last time.
    // Count them before yielding the rows: the reader owns the array from then on and may empty it.
    requested = Math.min(Math.max(2 * rows.length, 1), batchRows);
    if (rows.length > 0) yield rows;
  } while (after);
}
