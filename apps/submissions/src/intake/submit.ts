import { priceChanged, type FormEnding, type Payment } from '@sheaf/contracts';
import { dayIn, priceFault, priceOf, type Price } from '@sheaf/formulas';
import { newId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked, Call } from '@sheaf/rpc';
import type { Answers } from '../form/answers';
import { checkedAnswers, invalidAnswers } from '../form/checked-answers';
import { paymentsNotSetUp, paymentUrl } from '../payments/checkout';
import { claimFiles } from '../files/claim-files';
import type { Deps } from '../deps';
import { endingOf } from '../form/ending';
import { exactRefusal, refusedProblem, type ExactRefusal } from '../exact/refusals';
import type { PublishedForm } from '../form/forms-view';
import { storeInTransaction, type Intake, type IntakeResult } from './batches';
import { takeKey } from './keys.queries';
import { isOpen } from '../form/openness';
import { parseAnswers } from '../form/parse-answers';
import { firstResult, keyFor, type Key } from './repeats';
import { formForSite } from '../form/sites';
import * as payments from '../payments/payments.queries';
import type { PaymentRow } from '../payments/payments.queries';
import { eraseSaved } from '../saved/erase-saved';
import { submissionCreated } from '../submission/events';
import type { NewSubmission, SubmissionRow } from '../submission/submissions.queries';

type WithIntake = Deps & { intake: Pick<Intake, 'take'> };

/** A respondent's request. `honeypot`, `started` and `proof` are signals about the sender, not part of the answers. */
interface Input {
  form: string;
  data: Buffer;
  idempotencyKey: string | undefined;
  honeypot: string | undefined;
  started: string | undefined;
  proof: string | undefined;
  /** The site whose script sends the request. */
  origin: string | undefined;
  /** The address to which the respondent goes from the checkout; otherwise where the operator's settings say. */
  returnUrl: string | undefined;
  /** The amount that the respondent has seen on our page; 0 if nothing was to pay. */
  amountSeen: number | undefined;
  /** The name of saved answers, which are erased once these are accepted. */
  saved: Buffer | undefined;
  /** The language in which the respondent filled in the form. */
  language: string | undefined;
  /** Whether the respondent sends answers for the first time. */
  begins: boolean;
  /** Whether a person has confirmed answers that arrive sooner than people type. */
  confirmed: boolean;
  /** Whether the respondent has checked their answers, as the last of several pages. */
  checked: boolean;
}

/**
 * Accepts a respondent's answers. Once it resolves, the submission is stored and counted and its event recorded, in one transaction.
 * Repeating the request with the same idempotency key and answers returns the first result. If a payment is due, the submission and its
 * event wait for it, and `paymentUrl` is where to pay. Spam is stored but neither counted nor announced; its sender gets the same response
 * as everybody else.
 * @throws Problem `not_found`, `bad_request` with `details` for wrong answers and for answers that a person has to confirm, `forbidden` with the closed message or for a site that the form does not admit, `too_many_requests`,
 * `unavailable` if the submission is stored but its payment cannot be started, or the ending of an earlier version cannot be read: a repeat with
 * the same key tries it again.
 */
export async function submit(
  deps: WithIntake,
  asked: Asked<Respondent>,
  input: Input,
): Promise<{ submission: SubmissionRow; paymentUrl: string | undefined; ending: FormEnding | undefined }> {
  const form = await formForSite(deps.forms, asked, input);
  const submission = await storeOrRepeat(deps, asked, form, input);
  const isDue = submission.status === 'pending_payment';
  return {
    submission,
    paymentUrl: isDue ? await paymentUrl(deps, asked.caller.instanceId, submission.id) : undefined,
    ending: await endingOf(deps, asked, submission, form),
  };
}

async function storeOrRepeat(deps: WithIntake, asked: Asked<Respondent>, form: PublishedForm, input: Input): Promise<SubmissionRow> {
  const key = input.idempotencyKey === undefined ? undefined : keyFor(input.idempotencyKey, input.data);
  const submission = await prepare(deps, asked, form, input).catch(async (refusal: unknown) => {
    // A repeated request gets the first response, even if it would be refused now, for example because the form has closed.
    const first = key && (await repeated(deps, asked, form, key, input));
    if (first) return first;
    if (input.begins) deps.visits.note(form.id, 'starts');
    throw refusal;
  });
  if (!('answers' in submission)) return submission;

  const taken = await stored(deps, asked, form, submission, key);
  if (taken === 'accepted') {
    if (input.begins) deps.visits.note(form.id, 'starts');
    // Spam has a sender, too, but nobody wants to know how many forms machines complete.
    if (submission.row.spam_at === null) {
      deps.visits.note(form.id, 'completions');
      if (input.checked) deps.steps.note(form, { from: form.outline.labels.length });
    }
    return submission.row;
  }
  if (taken === 'full' || (!key && !isRefused(taken))) throw formClosed(form);
  const first = key && (await repeated(deps, asked, form, key, input));
  if (!first && isRefused(taken)) throw refusedProblem(taken, form.exact);
  if (!first) throw Problem.unavailable('an idempotency key was taken but is free again');
  return first;
}

const isRefused = (taken: IntakeResult): taken is readonly ExactRefusal[] => typeof taken === 'object';

/**
 * Stores a submission. The database refuses one that knows no rule, because its process knows an earlier version than the one whose rules hold, or a later
 * one whose rules are fewer.
 */
async function stored(
  deps: WithIntake,
  asked: Asked<Respondent>,
  form: PublishedForm,
  prepared: Prepared,
  key: Key | undefined,
): Promise<IntakeResult> {
  const attempt = async (): Promise<IntakeResult> =>
    store(deps, asked.call, form, prepared, key).catch((error: unknown) => {
      const refused = exactRefusal(error);
      if (!refused) throw error;
      return [refused];
    });
  const taken = await attempt();
  return isRefused(taken) && (await deps.exact.renew(form, asked)) ? attempt() : taken;
}

/** The first result, for a request that repeats it. The answers that were saved meanwhile are the ones that were sent. */
async function repeated(
  deps: Deps,
  asked: Asked<Respondent>,
  form: PublishedForm,
  key: Key,
  input: Input,
): Promise<SubmissionRow | undefined> {
  const first = await firstResult(deps, asked, form, key, input.data);
  const { saved } = input;
  if (first && saved) await deps.db.transaction((trx) => eraseSaved(trx, form.id, saved));
  return first;
}

interface Prepared {
  row: NewSubmission;
  answers: Answers;
  /** Undefined if nothing is to pay. */
  price: Price | undefined;
  returnUrl: string | undefined;
  saved: Buffer | undefined;
}

/** Of the column; tokens do not expire. */
const maxFillSeconds = 2 ** 31 - 1;

/** All checks that need no write. */
async function prepare(deps: Deps, asked: Asked<Respondent>, form: PublishedForm, input: Input): Promise<Prepared> {
  const { caller, call } = asked;
  deps.guard.admit(form.id, call.address);
  const now = deps.clock.now();
  if (!isOpen(form, now)) throw formClosed(form);
  if (form.payment && !deps.payments) throw paymentsNotSetUp();
  const answers = await checkedAnswers(form.check, parseAnswers(input.data), () => dayIn(form.timezone, now));
  const price = form.payment && dueFor(form.payment, answers, input);
  const openMs = input.started === undefined ? undefined : await deps.guard.openMs(form.id, input.started);
  const spamReason = await deps.guard.judge({
    formId: form.id,
    answers,
    address: call.address,
    honeypot: input.honeypot,
    started: input.started,
    openMs,
    wantsProof: form.settings.proof_of_work === true,
    proof: input.proof,
    idempotencyKey: input.idempotencyKey,
    confirmed: input.confirmed,
  });
  await deps.exact.ready(form, asked);
  const row: NewSubmission = {
    id: newId(),
    instance_id: caller.instanceId,
    form_id: form.id,
    data: JSON.stringify(answers),
    schema_version: form.version,
    version_id: form.versionId ?? null,
    status: price ? 'pending_payment' : 'new',
    created_at: now,
    announced_at: spamReason === undefined && !price ? now : null,
    spam_at: spamReason === undefined ? null : now,
    spam_reason: spamReason ?? null,
    holds_place: true,
    deleted_at: null,
    changed_at: null,
    assignee: null,
    revision: 0,
    notes: 0,
    entered_by_kind: null,
    entered_by_id: null,
    language: input.language ?? null,
    fill_seconds: openMs === undefined ? null : Math.min(Math.round(openMs / 1_000), maxFillSeconds),
  };
  return { row, answers, price, returnUrl: input.returnUrl, saved: input.saved };
}

/**
 * The price of accepted answers.
 * @throws Problem `bad_request` for an amount that nobody can pay, `unavailable` with `price_changed` if our page showed another one, or none, as that
 * of an earlier release does: it keeps the answers, and shows the amount once it is drawn again.
 */
function dueFor(payment: Payment, answers: Answers, { returnUrl, amountSeen }: Input): Price | undefined {
  const fault = priceFault(payment, answers);
  if (fault) throw invalidAnswers([fault]);
  const price = priceOf(payment, answers);
  const isOurPage = returnUrl !== undefined;
  if (payment.amount_from !== undefined && isOurPage && amountSeen !== (price?.amount ?? 0)) throw showsAnotherPrice(payment.amount_from);
  return price;
}

const showsAnotherPrice = (key: string): Problem => {
  const message = 'is not the amount that the page showed';
  return new Problem('unavailable', `${key}: ${message}`, { details: [{ key, code: priceChanged, params: {}, message }] });
};

/** Stores a submission: in a batch, unless its form takes files, it needs a payment, it was saved before or it is spam. */
async function store(
  deps: WithIntake,
  call: Call,
  form: PublishedForm,
  { row, answers, price, returnUrl, saved }: Prepared,
  key: Key | undefined,
): Promise<IntakeResult> {
  const event = row.announced_at ? submissionCreated(row.instance_id, row, row.announced_at, call) : undefined;
  const ready = { submission: row, limit: form.maxSubmissions, isExact: form.exact !== undefined, event, key };
  if (event && form.fileFields.size === 0 && !saved) return deps.intake.take(ready, call.deadline);

  const taken = await deps.db
    .transaction<IntakeResult>(async (trx) => {
      if (key && !(await takeKey(trx, { form_id: form.id, ...key, submission_id: row.id, created_at: row.created_at }))) return 'repeated';
      if (saved) await eraseSaved(trx, form.id, saved);
      const [fault, ...more] = await claimFiles(trx, form, answers, row.id);
      if (fault) throw invalidAnswers([fault, ...more]);
      // A refusal rolls back everything done so far, including the key.
      const outcome = await storeInTransaction(trx, ready);
      if (outcome === 'full') throw formClosed(form);
      if (outcome !== 'accepted') throw new Refused(outcome);
      if (price) await payments.insertPayment(trx, paymentDue(form, price, row, returnUrl));
      if (Date.now() >= call.deadline) throw Problem.unavailable('the respondent has given up');
      return 'accepted';
    })
    .catch((error: unknown) => {
      if (error instanceof Refused) return error.refused;
      throw error;
    });
  if (taken === 'accepted' && event) deps.outbox.publish([event]);
  return taken;
}

/** Rolls back what was done before the refusal. */
class Refused extends Error {
  constructor(readonly refused: readonly ExactRefusal[]) {
    super('refused');
  }
}

const paymentDue = (
  { title }: PublishedForm,
  { amount, currency }: Price,
  { id, form_id, created_at }: NewSubmission,
  returnUrl: string | undefined,
): PaymentRow => ({
  id: newId(),
  submission_id: id,
  form_id,
  amount,
  currency,
  description: title,
  return_url: returnUrl ?? null,
  state: 'requires_checkout',
  session_id: null,
  url: null,
  reference: null,
  created_at,
  paid_at: null,
});

export const formClosed = ({ closedMessage }: PublishedForm): Problem =>
  Problem.forbidden(closedMessage ?? 'This form is not accepting submissions at the moment.');
