import { isId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { FormEnding } from '@sheaf/contracts';
import type { Deps } from '../deps';
import { endingOf } from '../form/ending';
import { ifNotFound } from '../form/forms-view';
import * as files from '../files/files.queries';
import { pipedInTexts, type Piped } from './piped-in-texts';
import type { Price } from '@sheaf/formulas';
import { paymentUrl } from '../payments/checkout';
import { paymentOf } from '../payments/payments.queries';
import * as submissions from '../submission/submissions.queries';
import type { OwnedSubmission } from '../submission/submissions.queries';
import { findKey, type KeyRow } from './keys.queries';
import { areSameAnswers, keyFor } from './repeats';

/** Names a submission of the form: by its id, or by the key under which it was sent. */
type Sent = {
  formId: string;
  id: string | undefined;
  idempotencyKey: string | undefined;
  /** Answers to compare with those that were sent under the key. */
  data: Buffer | undefined;
};

/** The answers, and the fields of the version that they were made against. Both are JSON. */
interface Answered {
  data: string;
  fields: Buffer;
  fileNames: Record<string, string>;
}

/** How long a receipt shows the answers and the ending, to somebody who may use the same browser as the respondent. */
const shownForMs = 3_600_000;

/**
 * A submission as its respondent may see it, wherever it is by now: the sender of spam sees what everybody sees.
 * @throws Problem `not_found` if this form of this instance has no such submission, `unavailable` if its payment cannot be started.
 */
export async function getReceipt(
  deps: Deps,
  asked: Asked<Respondent>,
  sent: Sent,
): Promise<{
  submission: OwnedSubmission;
  /** Due or paid; of 0 if it was free, where no price at all is what an earlier release tells. */
  price: Price;
  paymentUrl: string | undefined;
  answered: Answered | undefined;
  /** Undefined if the form ended with none. */
  ending: { told: FormEnding | undefined } | undefined;
  /** The answers that the texts on the receipt show; undefined if they show none, or do not any more. */
  piped: Piped | undefined;
  /** Whether the given answers are those that were sent; undefined if none were given. */
  isSame: boolean | undefined;
}> {
  const { instanceId } = asked.caller;
  const key = await keyOf(deps, sent);
  const submission = await find(deps, sent.formId, key?.submission_id ?? sent.id);
  if (submission?.instance_id !== instanceId) throw Problem.notFound('submission');
  const isDue = submission.status === 'pending_payment';
  const ending = await endingOf(deps, asked, submission);
  const isTold = isEndingTold(deps, submission);
  return {
    submission,
    price: await priceOfSubmission(deps, submission),
    paymentUrl: isDue ? await paymentUrl(deps, instanceId, submission.id) : undefined,
    answered: await answersToShow(deps, asked, submission),
    ending: ending && { told: isTold ? ending : undefined },
    piped: isTold ? await pipedInTexts(deps, asked, submission, ending) : undefined,
    isSame: key && sent.data && (await isWhatWasSent(deps, asked, { submission, key, data: sent.data })),
  };
}

/** As it was when the submission was accepted, whatever the form collects by now. */
async function priceOfSubmission({ db }: Deps, { id }: OwnedSubmission): Promise<Price> {
  const { amount, currency } = (await paymentOf(db, id)) ?? { amount: 0, currency: '' };
  return { amount, currency };
}

/** An ending says something of the answers. It can be read from when they count, which may be long after they were sent if they had to be paid for. */
function isEndingTold({ clock }: Deps, { status, announced_at, created_at, deleted_at }: OwnedSubmission): boolean {
  if (deleted_at !== null) return false;
  return status === 'pending_payment' || clock.now().getTime() - (announced_at ?? created_at).getTime() < shownForMs;
}

async function isWhatWasSent(
  deps: Deps,
  asked: Asked<Respondent>,
  { submission, key, data }: { submission: OwnedSubmission; key: KeyRow; data: Buffer },
): Promise<boolean> {
  if (keyFor('', data).fingerprint.equals(key.fingerprint)) return true;
  const form = await deps.forms.published(submission.form_id, asked).catch(ifNotFound);
  return areSameAnswers(deps, asked, form, data, submission);
}

async function answersToShow(
  { db, forms, clock }: Deps,
  asked: Asked<Respondent>,
  submission: OwnedSubmission,
): Promise<Answered | undefined> {
  const { id, form_id, data, created_at, deleted_at } = submission;
  if (deleted_at !== null || clock.now().getTime() - created_at.getTime() >= shownForMs) return undefined;
  const form = await forms.published(form_id, asked).catch(ifNotFound);
  if (form?.settings.show_answers !== true) return undefined;
  const version = await forms.publishedVersionOf(submission, asked).catch(ifNotFound);
  return version && { data, fields: version.fields, fileNames: await files.namesOf(db, id) };
}

const keyOf = async ({ db }: Deps, { formId, idempotencyKey }: Sent): Promise<KeyRow | undefined> =>
  idempotencyKey === undefined || !isId(formId) ? undefined : findKey(db, formId, idempotencyKey);

const find = async ({ db }: Deps, formId: string, id: string | undefined): Promise<OwnedSubmission | undefined> =>
  id !== undefined && isId(formId) && isId(id) ? submissions.byId(db, formId, id) : undefined;
