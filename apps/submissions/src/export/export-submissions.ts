import type { ExportFormat } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { csv } from './csv';
import { ndjson } from './ndjson';
import { tableOf } from './table';
import { xlsx } from './xlsx';
import * as submissions from '../submission/submissions.queries';
import type { Position } from '../submission/submissions.queries';

// Rows held in memory per export; small, so that building a batch does not delay other calls.
const batchRows = 500;
const batchBytes = 512 * 1024;
/** Time limit for the calls to other services. The export itself takes as long as the client reads. */
const callWithinMs = 5_000;

/**
 * Exports the whole list as a file. Submissions that arrive after it began are left out. A submission that is trashed or changes status in
 * the meantime appears as it was when the export reached it. With `head` no data is sent, so nothing is recorded.
 */
export async function* exportSubmissions(
  deps: Deps,
  asked: Asked<Client>,
  { formId, format, status, head }: { formId: string; format: ExportFormat; status: string | undefined; head: boolean },
): AsyncGenerator<Buffer> {
  const shortCall = { ...asked.call, deadline: Math.min(asked.call.deadline, Date.now() + callWithinMs) };
  const { role, workspaceId } = await deps.forms.standingOn(formId, { ...asked, call: shortCall });
  authorize(role, 'read submissions of this form');
  if (head) return;
  // Recorded at the start: a client that disconnects half-way keeps the data received until then.
  const deed = { action: 'submissions.exported', target: { kind: 'form', id: formId }, workspaceId, formId, details: { format } } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));

  if (format === 'ndjson') yield* ndjson(batchesOf((next) => submissions.batchAsJson(deps.db, formId, { ...next, status })));
  else
    yield* (format === 'csv' ? csv : xlsx)(
      tableOf(await deps.forms.fieldKeys(formId, shortCall)),
      batchesOf((next) => submissions.batch(deps.db, formId, { ...next, status })),
    );
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
