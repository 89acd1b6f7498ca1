import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Deps } from './deps';
import { blockSize } from './list-blocks.queries';
import { list, listAsJson, type ListedRow, type Page } from './list.queries';
import * as submissions from './submissions.queries';
import type { StatusChange, SubmissionRow } from './submissions.queries';

/** A page of a form's submissions, newest first, and how many there are: as rows, or all of it as the JSON of the v1 contract. */
export async function listSubmissions(
  { db, forms, blocks }: Deps,
  caller: Client,
  call: Call,
  { formId, asJson, ...page }: Page & { formId: string; asJson: boolean },
): Promise<{ total: number } & ({ rows: ListedRow[] } | { json: string })> {
  authorize(await forms.roleOn(formId, caller, call), 'read submissions of this form');
  const { skipped, ...found } = await (asJson ? listAsJson : list)(db, formId, page);
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
