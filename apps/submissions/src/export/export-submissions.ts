import type { choiceColumns, CsvDelimiter, ExportColumn, ExportFormat } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked, Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as files from '../files/files.queries';
import { storageKey } from '../files/remove-files';
import { isMissing } from '../files/storage/outages';
import type { LabelledForm } from '../form/forms-view';
import type { Conditions } from '../search/conditions';
import { findAll } from '../search/find-all';
import { answeredKeys } from '../submission/form-counts.queries';
import { aboutRows } from './about';
import { archive } from './archive';
import * as batches from './batches.queries';
import type { AsJson, ExportedRow, Position } from './batches.queries';
import { csv } from './csv';
import { Zone } from './dated';
import { ndjson } from './ndjson';
import { keyOfColumn, tableOf, type Reader, type Table, type TableRow } from './table';
import { exportWords } from './words';
import { maxColumns, xlsx } from './xlsx';

// Rows held in memory per export; small, so that building a batch does not delay other calls.
const batchRows = 500;
const batchBytes = 512 * 1024;
/** Time limit for the calls to other services. The export itself takes as long as the client reads. */
const callWithinMs = 5_000;

interface Export extends Conditions {
  format: ExportFormat;
  /** Labels of fields and options in place of keys and values. */
  labels: boolean;
  /** The language of the people who will read the file; absent for programs. */
  language?: string | undefined;
  choices?: (typeof choiceColumns)[number] | undefined;
  /** The origin of the links in the file; without one it has none. */
  origin?: string | undefined;
  exportedBy?: string | undefined;
  /** In their order; without any, the usual ones. */
  columns?: readonly ExportColumn[] | undefined;
  /** The names of people by their ids, as far as the caller may know them. */
  people?: Readonly<Record<string, string>> | undefined;
  /** Of CSV. */
  delimiter?: CsvDelimiter | undefined;
  bom?: boolean | undefined;
  head: boolean;
}

/**
 * Exports the list, or what a search of it finds, as a file. Submissions that arrive after it began are left out, unless those since a time
 * are wanted. A submission that is trashed or changes status in the meantime appears as it was when the export reached it. With `head` no data
 * is sent, so nothing is recorded.
 */
export async function* exportSubmissions(deps: Deps, asked: Asked<Client>, wanted: Export): AsyncGenerator<Uint8Array> {
  const { formId, format, head } = wanted;
  const call = {
    ...asked.call,
    deadline: Math.min(asked.call.deadline, Date.now() + callWithinMs),
  };
  const { role, workspaceId } = await deps.forms.standingOn(formId, { ...asked, call });
  authorize(role, 'read submissions of this form');
  refuseUnfit(wanted);
  const source = await sourceOf(deps, { ...asked, call }, wanted);
  const layout = format === 'ndjson' ? undefined : await layoutOf(deps, call, wanted);
  if (head) return;
  // Recorded at the start: a client that disconnects half-way keeps the data received until then.
  const deed = {
    action: 'submissions.exported',
    target: { kind: 'form', id: formId },
    workspaceId,
    formId,
    details: { format },
  } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));

  if (layout === undefined) yield* ndjson(source.asJson());
  else if (format === 'zip') yield* asArchive(deps, wanted, layout, source.asRows());
  else yield* asTable(deps, wanted, layout, source.asRows());
}

type Wish = 'language' | 'labels' | 'choices' | 'columns' | 'delimiter' | 'bom';

/** The formats that have what can be wished for. */
const formatsWith: Readonly<Record<Wish, readonly ExportFormat[]>> = {
  language: ['csv', 'xlsx', 'zip'],
  labels: ['csv', 'xlsx', 'zip'],
  choices: ['csv', 'xlsx'],
  columns: ['csv', 'xlsx'],
  delimiter: ['csv'],
  bom: ['csv'],
};

/** A wish that would be dropped in silence is refused: NDJSON has what the API has. @throws Problem `bad_request` that names the parameter */
function refuseUnfit({ format, labels, language, choices, columns = [], delimiter = 'comma', bom = true }: Export): void {
  const isGiven: Readonly<Record<Wish, boolean>> = {
    language: language !== undefined,
    labels,
    choices: choices === 'columns',
    columns: columns.length > 0,
    delimiter: delimiter !== 'comma',
    bom: !bom,
  };
  for (const [wish, formats] of Object.entries(formatsWith)) {
    if (!isGiven[wish as Wish] || formats.includes(format)) continue;
    throw Problem.badRequest(`${wish}: can only be combined with the format${formats.length > 1 ? 's' : ''} ${listed(formats)}`);
  }
}

const listed = (formats: readonly string[]): string => formats.join(', ').replace(/, ([^,]*)$/, ' and $1');

interface Layout {
  table: Table;
  form: LabelledForm;
  zone: Zone;
}

/** @throws Problem `bad_request` for more columns than the format has */
async function layoutOf({ db, forms }: Deps, call: Call, wanted: Export): Promise<Layout> {
  const { formId, labels: hasLabels, language, choices, format, origin, columns = [], people = {} } = wanted;
  const form = await forms.fieldLabels(formId, call, language);
  const zone = new Zone(form.timezone);
  // Answers to a version that `forms` has lost are exported as well, under their keys.
  const keys = [...new Set([...form.keys, ...(await answeredKeys(db, formId))])];
  const addressOf = (id: string) => `${origin}/console/forms/${formId}/submissions?open=${id}`;
  const reader: Reader | undefined =
    language === undefined
      ? undefined
      : {
          words: exportWords(language),
          zone,
          people: new Map(Object.entries(people)),
          addressOf: origin === undefined ? undefined : addressOf,
        };
  const unknown = columns.map(keyOfColumn).find((key) => key !== undefined && !keys.includes(key));
  if (unknown !== undefined) throw Problem.badRequest(`columns: no version of the form has the field ${unknown}`);
  const look = { fields: form.labels, hasLabels, reader, hasOptionColumns: choices === 'columns' };
  const table = tableOf(keys, look, columns.length > 0 ? columns : undefined);
  if (format === 'xlsx' && table.header.length > maxColumns)
    throw Problem.badRequest(
      `format: a sheet has at most ${maxColumns} columns, but the versions of this form need ${table.header.length}; csv has no such limit`,
    );
  return { table, form, zone };
}

async function* asTable(
  { db, clock }: Deps,
  wanted: Export,
  { table, form, zone }: Layout,
  batches: AsyncIterable<ExportedRow[]>,
): AsyncGenerator<Buffer> {
  const { language = 'en', exportedBy: by } = wanted;
  const hasFiles = wanted.language !== undefined && [...form.labels.values()].some(({ kind }) => kind === 'file');
  const rows = hasFiles ? withFileNames(db, batches) : batches;
  if (wanted.format === 'csv') {
    yield* csv(table, rows, { delimiter: wanted.delimiter, hasMark: wanted.bom });
    return;
  }
  const [at, versions, words] = [clock.now(), new Set<number>(), exportWords(language)];
  const facts = {
    title: form.title,
    by,
    at,
    zone,
    conditions: wanted,
    fields: form.labels,
    versions,
  };
  yield* xlsx(table, noting(versions, rows), {
    words,
    about: (written) => aboutRows(words, language, facts, written),
  });
}

/** Access, spam and the trash are those of the list: only files of listed submissions are in it. */
const asArchive = (
  { db, files: { storage } }: Deps,
  { language, labels: hasLabels }: Export,
  { form: { labels: fields }, zone }: Layout,
  batches: AsyncIterable<ExportedRow[]>,
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
    batches,
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
async function sourceOf(deps: Deps, asked: Asked<Client>, wanted: Export): Promise<Source> {
  const { db } = deps;
  const { formId, statuses = [], q, filters, assignee, from, to, changedSince } = wanted;
  if (statuses.length < 2 && filters.length === 0 && (q ?? assignee ?? from ?? to ?? changedSince) === undefined) {
    const [status] = statuses;
    return {
      asJson: () => batchesOf((next) => batches.batchAsJson(db, formId, { ...next, status })),
      asRows: () => batchesOf((next) => batches.batch(db, formId, { ...next, status })),
    };
  }
  const ids = await findAll(deps, asked, wanted);
  return {
    asJson: () => foundOf(ids(), (some) => batches.namedAsJson(db, formId, some, batchBytes)),
    asRows: () => foundOf(ids(), (some) => batches.named(db, formId, some, batchBytes)),
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
