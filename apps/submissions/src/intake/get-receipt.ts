import { isId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { paymentUrl } from '../payments/checkout';
import * as submissions from '../submission/submissions.queries';
import type { OwnedSubmission } from '../submission/submissions.queries';
import { findKey } from './keys.queries';

/** Names a submission of the form: by its id, or by the key under which it was sent. */
type Sent = { formId: string; id: string | undefined; idempotencyKey: string | undefined };

/**
 * A submission as its respondent may see it, wherever it is by now: the sender of spam sees what everybody sees.
 * @throws Problem `not_found` if this form of this instance has no such submission, `unavailable` if its payment cannot be started.
 */
export async function getReceipt(
  deps: Deps,
  { caller }: Asked<Respondent>,
  sent: Sent,
): Promise<{ submission: OwnedSubmission; paymentUrl: string | undefined }> {
  const submission = await find(deps, sent);
  if (submission?.instance_id !== caller.instanceId) throw Problem.notFound('submission');
  const isDue = submission.status === 'pending_payment';
  return { submission, paymentUrl: isDue ? await paymentUrl(deps, caller.instanceId, submission.id) : undefined };
}

async function find({ db }: Deps, { formId, id, idempotencyKey }: Sent): Promise<OwnedSubmission | undefined> {
  if (!isId(formId)) return undefined;
  const submissionId = idempotencyKey === undefined ? id : (await findKey(db, formId, idempotencyKey))?.submission_id;
  return submissionId !== undefined && isId(submissionId) ? submissions.byId(db, formId, submissionId) : undefined;
}
