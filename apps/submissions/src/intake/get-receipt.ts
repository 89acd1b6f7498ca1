import { isId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as files from '../files/files.queries';
import { paymentUrl } from '../payments/checkout';
import * as submissions from '../submission/submissions.queries';
import type { OwnedSubmission } from '../submission/submissions.queries';
import { findKey } from './keys.queries';

/** Names a submission of the form: by its id, or by the key under which it was sent. */
type Sent = { formId: string; id: string | undefined; idempotencyKey: string | undefined };

/** What was answered, and the fields of the version that it was made against. Both are JSON. */
interface Answered {
  data: string;
  fields: Buffer;
  fileNames: Record<string, string>;
}

/** How long a receipt shows the answers, to somebody who may use the same browser as the respondent. */
const shownForMs = 3_600_000;

/**
 * A submission as its respondent may see it, wherever it is by now: the sender of spam sees what everybody sees.
 * @throws Problem `not_found` if this form of this instance has no such submission, `unavailable` if its payment cannot be started.
 */
export async function getReceipt(
  deps: Deps,
  asked: Asked<Respondent>,
  sent: Sent,
): Promise<{ submission: OwnedSubmission; paymentUrl: string | undefined; answered: Answered | undefined }> {
  const { instanceId } = asked.caller;
  const submission = await find(deps, sent);
  if (submission?.instance_id !== instanceId) throw Problem.notFound('submission');
  const isDue = submission.status === 'pending_payment';
  return {
    submission,
    paymentUrl: isDue ? await paymentUrl(deps, instanceId, submission.id) : undefined,
    answered: await answersToShow(deps, asked, submission),
  };
}

async function answersToShow(
  { db, forms, clock }: Deps,
  asked: Asked<Respondent>,
  { id, form_id, schema_version, data, created_at, deleted_at }: OwnedSubmission,
): Promise<Answered | undefined> {
  if (deleted_at !== null || clock.now().getTime() - created_at.getTime() >= shownForMs) return undefined;
  try {
    const { settings } = await forms.published(form_id, asked);
    const fields = settings.show_answers === true ? await forms.fieldsOf(form_id, schema_version, asked) : undefined;
    return fields && { data, fields, fileNames: await files.namesOf(db, id) };
  } catch (error) {
    // A form in the trash is not published, but what was sent to it was received.
    if (Problem.from(error).code === 'not_found') return undefined;
    throw error;
  }
}

async function find({ db }: Deps, { formId, id, idempotencyKey }: Sent): Promise<OwnedSubmission | undefined> {
  if (!isId(formId)) return undefined;
  const submissionId = idempotencyKey === undefined ? id : (await findKey(db, formId, idempotencyKey))?.submission_id;
  return submissionId !== undefined && isId(submissionId) ? submissions.byId(db, formId, submissionId) : undefined;
}
