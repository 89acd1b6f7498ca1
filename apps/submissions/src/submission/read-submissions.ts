import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { blockSize } from '../list/blocks.queries';
import { answersOf, list, listAsJson, type ListedRow, type Page } from '../list/list.queries';
import * as submissions from './submissions.queries';
import type { Deed, StatusChange, SubmissionRow } from './submissions.queries';

/** A page of a form's submissions, newest first, and the total: as rows, or as one JSON text in the v1 shape. */
export async function listSubmissions(
  { db, forms, blocks }: Deps,
  asked: Asked<Client>,
  { formId, asJson, ...page }: Page & { formId: string; asJson: boolean },
): Promise<{ total: number } & ({ rows: ListedRow[] } | { json: string; rest: ListedRow[] })> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const { skipped, ...found } = await (asJson ? listAsJson : list)(db, formId, page);
  if (skipped > 2 * blockSize) blocks.request(formId);
  return found;
}

export async function getSubmission(
  { db, forms }: Deps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<SubmissionRow> {
  const role = await forms.roleOn(formId, asked);
  const found = isId(id) ? await submissions.find(db, formId, id) : undefined;
  if (!found) throw Problem.notFound('submission');
  authorize(role, 'read submissions of this form');
  return found;
}

/** Bytes of answers that a stream holds in memory at a time. */
const partBytes = 1_048_576;

/** Streams the answers of a form's submissions in parts, including those in the trash or spam. For answers that a page had no room for. */
export async function* readAnswers(
  { db, forms }: Deps,
  asked: Asked<Client>,
  { formId, ids }: { formId: string; ids: readonly string[] },
): AsyncGenerator<{ id: string; data: string }[]> {
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  // The database reads every row requested, even if only the first fits, so do not request many more than fitted last time.
  let batchSize = 2;
  for (let remaining = ids; remaining.length > 0;) {
    const part = await answersOf(db, formId, remaining.slice(0, batchSize), partBytes);
    if (part.some(({ id }, index) => id !== remaining[index]) || part.length === 0) throw Problem.notFound('submission');
    yield part;
    remaining = remaining.slice(part.length);
    batchSize = 2 * part.length;
  }
}

/** A status change, or the entry of a submission by a member, which has no earlier status. */
export type HistoryEntry = Omit<StatusChange, 'from_status'> & { from_status: string | null };

/** The entry of a submission, if a member entered it, with its status changes, and what else people did with it; oldest first. */
export async function submissionHistory(
  deps: Deps,
  asked: Asked<Client>,
  named: { formId: string; id: string },
): Promise<{ changes: HistoryEntry[]; deeds: Deed[] }> {
  const submission = await getSubmission(deps, asked, named);
  const changes = await submissions.history(deps.db, submission.id);
  const deeds = await submissions.deedsOf(deps.db, submission.id);
  const { id, created_at, entered_by_kind, entered_by_id } = submission;
  if (entered_by_kind === null || entered_by_id === null) return { changes, deeds };
  const entry = { submission_id: id, from_status: null, to_status: 'new', actor_kind: entered_by_kind, actor_id: entered_by_id };
  return { changes: [{ ...entry, changed_at: created_at }, ...changes], deeds };
}
