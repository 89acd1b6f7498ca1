import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Deps } from './deps';
import { blockSize, listFar } from './list-blocks.queries';
import * as submissions from './submissions.queries';
import type { Page, StatusChange, SubmissionRow } from './submissions.queries';

/** A page of a form's submissions, newest first, and how many there are. */
export async function listSubmissions(
  { db, forms, blocks }: Deps,
  caller: Client,
  call: Call,
  { formId, ...page }: Page & { formId: string },
): Promise<{ rows: SubmissionRow[]; total: number }> {
  authorize(await forms.roleOn(formId, caller, call), 'read submissions of this form');
  if (page.offset <= submissions.farFrom) return submissions.list(db, formId, page);

  const { skipped, ...found } = await listFar(db, formId, page);
  if (skipped > 2 * blockSize) blocks.want(formId);
  return found;
}

export async function getSubmission({ db, forms }: Deps, caller: Client, call: Call, { formId, id }: { formId: string; id: string }): Promise<SubmissionRow> {
  const role = await forms.roleOn(formId, caller, call);
  const found = isId(id) ? await submissions.find(db, formId, id) : undefined;
  if (!found) throw Problem.notFound('submission');
  authorize(role, 'read submissions of this form');
  return found;
}

/** The changes of a submission's status, the first one first. */
export async function submissionHistory(deps: Deps, caller: Client, call: Call, given: { formId: string; id: string }): Promise<StatusChange[]> {
  const { id } = await getSubmission(deps, caller, call, given);
  return submissions.history(deps.db, id);
}
