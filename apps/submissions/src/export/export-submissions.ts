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

// What is held of an export at once; small, so that making a batch keeps no other call waiting.
const batchRows = 500;
const batchBytes = 512 * 1024;
const askWithinMs = 5_000;

/**
 * All that the list has, as a file. What is submitted after it began is not in it; what is trashed or changes its status meanwhile is as
 * it was when its turn came. With `head` nothing leaves, and so nothing is recorded.
 */
export async function* exportSubmissions(
  deps: Deps,
  asked: Asked<Client>,
  { formId, format, status, head }: { formId: string; format: ExportFormat; status: string | undefined; head: boolean },
): AsyncGenerator<Buffer> {
  // An export may take long, its questions may not.
  const asking = { ...asked.call, deadline: Math.min(asked.call.deadline, Date.now() + askWithinMs) };
  const { role, workspaceId } = await deps.forms.standingOn(formId, { ...asked, call: asking });
  authorize(role, 'read submissions of this form');
  if (head) return;
  // When it begins: whoever hangs up half way has what came until then.
  const deed = { action: 'submissions.exported', target: { kind: 'form', id: formId }, workspaceId, formId, details: { format } } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));

  if (format === 'ndjson') yield* ndjson(batchesOf((wanted) => submissions.batchAsJson(deps.db, formId, { ...wanted, status })));
  else
    yield* (format === 'csv' ? csv : xlsx)(
      tableOf(await deps.forms.fieldKeys(formId, asking)),
      batchesOf((wanted) => submissions.batch(deps.db, formId, { ...wanted, status })),
    );
}

type Next<Row> = (wanted: {
  after: Position | undefined;
  rows: number;
  bytes: number;
}) => Promise<{ rows: Row[]; last: Position | undefined }>;

async function* batchesOf<Row>(next: Next<Row>): AsyncGenerator<Row[]> {
  let after: Position | undefined;
  let asked = batchRows;
  do {
    const { rows, last } = await next({ after, rows: asked, bytes: batchBytes });
    after = last;
    // The database unpacks what it is asked for, also if it is too large for the batch: not much more is asked for than fitted last time.
    // Counted before the rows are handed over, as they belong to their reader then, which may empty the list.
    asked = Math.min(Math.max(2 * rows.length, 1), batchRows);
    if (rows.length > 0) yield rows;
  } while (after);
}
