import type { ExportFormat } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Asked, Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { Conditions } from '../search/conditions';
import { findAll } from '../search/find-all';
import { answeredKeys } from '../submission/form-counts.queries';
import * as batches from './batches.queries';
import type { AsJson, ExportedRow, Position } from './batches.queries';
import { csv } from './csv';
import { ndjson } from './ndjson';
import { tableOf, type Table } from './table';
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
  head: boolean;
}

/**
 * Exports the list, or what a search of it finds, as a file. Submissions that arrive after it began are left out, unless those since a time
 * are wanted. A submission that is trashed or changes status in the meantime appears as it was when the export reached it. With `head` no data
 * is sent, so nothing is recorded.
 */
export async function* exportSubmissions(deps: Deps, asked: Asked<Client>, wanted: Export): AsyncGenerator<Buffer> {
  const { formId, format, labels, head } = wanted;
  const call = { ...asked.call, deadline: Math.min(asked.call.deadline, Date.now() + callWithinMs) };
  const { role, workspaceId } = await deps.forms.standingOn(formId, { ...asked, call });
  authorize(role, 'read submissions of this form');
  if (labels && format === 'ndjson') throw Problem.badRequest('labels: can only be combined with the formats csv and xlsx');
  const source = await sourceOf(deps, { ...asked, call }, wanted);
  const table = format === 'ndjson' ? undefined : await tableFor(deps, call, wanted);
  if (head) return;
  // Recorded at the start: a client that disconnects half-way keeps the data received until then.
  const deed = { action: 'submissions.exported', target: { kind: 'form', id: formId }, workspaceId, formId, details: { format } } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));

  if (table === undefined) yield* ndjson(source.asJson());
  else yield* (format === 'csv' ? csv : xlsx)(table, source.asRows());
}

/** @throws Problem `bad_request` for more columns than the format has */
async function tableFor({ db, forms }: Deps, call: Call, { formId, labels, format }: Export): Promise<Table> {
  const { keys: known, labels: texts } = labels
    ? await forms.fieldLabels(formId, call)
    : { keys: await forms.fieldKeys(formId, call), labels: undefined };
  // Answers to a version that `forms` has lost are exported as well, under their keys.
  const keys = [...new Set([...known, ...(await answeredKeys(db, formId))])];
  const table = tableOf(keys, texts);
  if (format === 'xlsx' && table.header.length > maxColumns)
    throw Problem.badRequest(
      `format: a sheet has at most ${maxColumns} columns, but the versions of this form need ${table.header.length}; csv has no such limit`,
    );
  return table;
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
