import { authorize, isId, Problem, type Client, type FormAction, type FormRole } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { lockIncludingTrash, type SubmissionRow } from './submissions.queries';

interface Named {
  formId: string;
  id: string;
  /** Also finds submissions in the trash. */
  includeTrash?: boolean;
}

interface Locked {
  submission: SubmissionRow;
  workspaceId: string;
  /** The caller's role on the form. */
  role: FormRole;
}

/**
 * Runs `work` on a submission if the caller is authorized on its form. The submission stays locked until the transaction of `work` ends.
 * @throws Problem `not_found`, `forbidden`
 */
export async function lockSubmission<T>(
  { forms, outbox }: Pick<Deps, 'forms' | 'outbox'>,
  asked: Asked<Client>,
  action: FormAction,
  { formId, id, includeTrash = false }: Named,
  work: (trx: Transaction, locked: Locked) => Promise<T>,
): Promise<T> {
  // Ask before the transaction opens: a call to another service must not hold our row locks.
  const { role, workspaceId } = await forms.standingOn(formId, asked);
  if (!isId(id)) throw Problem.notFound('submission');

  return outbox.transaction(async (trx) => {
    const submission = await lockIncludingTrash(trx, formId, id);
    if (!submission || (submission.deleted_at !== null && !includeTrash)) throw Problem.notFound('submission');
    authorize(role, action);
    return work(trx, { submission, workspaceId, role });
  });
}
