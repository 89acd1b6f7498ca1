import type { Fault, Read } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import { accessFaultIn, keyReused, priceChanged, sentTooFast } from '@sheaf/contracts';
import { hadEnding, onwardFrom, readEnding } from './ending';
import type { Entered } from './entered';
import { page, type Outcome } from './outcome';
import { savedName, type Receipt } from './tokens';
import { closed, message, shownAnswers } from './views';
import { hrefOf, type Deps, type FormVisit } from './visit';

interface Signals {
  honeypot: string | undefined;
  proof: string | undefined;
  /** The amount that the check page showed, where the answers decide the price. */
  due: string | undefined;
  /** Whether the respondent sends answers for the first time. */
  begins: boolean;
}

/**
 * Sends the answers, under the page's token as the idempotency key: however often the page is sent, there is one submission and one receipt.
 * @returns where the respondent goes, or the faults to correct.
 * @throws Problem `unavailable`, `too_many_requests`, `payload_too_large`: the answers are kept on the page.
 */
export async function send(
  deps: Deps,
  visit: FormVisit,
  entered: Entered,
  read: Read,
  signals: Signals,
): Promise<Outcome | { faults: readonly Fault[] }> {
  const { form } = visit;
  try {
    const sent = await submit(deps, visit, entered, read.answers, signals);
    const receipt = receiptHref(deps, visit, { submission: sent.id, sentAt: sent.created_at, hasEnding: sent.ending !== undefined });
    // A payment page refuses to be framed, so the receipt links to it.
    if (sent.payment_url !== undefined) return { redirect: visit.isEmbedded ? receipt : sent.payment_url };
    const onward = onwardFrom(form, readEnding(sent.ending));
    return { redirect: onward !== undefined && !visit.isEmbedded ? onward : receipt };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    // The code was changed this very moment.
    if (accessFaultIn(problem.details)) throw problem;
    const says = (sought: string) => problem.details?.some(({ code }) => code === sought);
    if (says(keyReused)) return await alreadySent(deps, visit, entered, read);
    if (says(sentTooFast))
      return { place: { status: 200, entered: { ...entered, isConfirmed: true }, step: 'check', findings: { notice: 'confirm' } } };
    if (says(priceChanged)) return { place: { status: 200, entered, step: 'check', findings: { notice: 'price_changed' } } };
    const faults = faultsOf(problem);
    if (faults.length > 0) return { faults };
    if (problem.code === 'bad_request') return page(400, message(deps, visit, 'bad_request'));
    if (problem.code === 'forbidden') return page(403, closed(deps, visit, shownAnswers(visit, entered, read)));
    throw problem;
  }
}

function submit(deps: Deps, visit: FormVisit, entered: Entered, answers: object, { honeypot, proof, due, begins }: Signals) {
  const { form } = visit;
  const { tokens } = deps;
  return deps.submissions.submit(visit.asked.call, {
    form: form.id,
    data: Buffer.from(JSON.stringify(answers)),
    idempotency_key: entered.token,
    hp: honeypot,
    started: entered.started,
    proof,
    language: visit.language,
    begins,
    checked: form.steps.length > 1,
    confirmed: entered.isConfirmed,
    ...(due !== undefined && /^\d{1,8}$/.test(due) ? { amount_seen: Number(due) } : {}),
    ...(form.payment
      ? { return_url: visit.asked.origin + receiptPath(visit, tokens.signReturn({ form: form.id, key: entered.token })) }
      : {}),
    // Also if this page does not know of it: it may be the one before, which Back brought.
    ...(entered.isSaved || form.settings.resume ? { saved: savedName(tokens.savedLink(form.id, entered.token)) } : {}),
  });
}

/**
 * The target of a page that was sent before: its receipt, or, if it has other answers by now, to these, which were not sent.
 * @param answers undefined if not all of them arrived
 */
export async function sentBefore(
  deps: Deps,
  visit: FormVisit,
  entered: Entered,
  answers: Read['answers'] | undefined,
): Promise<Outcome | undefined> {
  const { form, asked } = visit;
  try {
    const before = await deps.submissions.getReceipt(asked.call, {
      form_id: form.id,
      idempotency_key: entered.token,
      ...(answers && { data: Buffer.from(JSON.stringify(answers)) }),
    });
    // A person who only has the page must not learn from the address, either, how the form ended.
    const how = before.is_same === true ? { hasEnding: hadEnding(before) } : { before: true };
    const receipt = receiptHref(deps, visit, { submission: before.id, sentAt: before.created_at, ...how });
    return before.is_same === false ? others(deps, visit, entered, receipt) : { redirect: receipt };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    if (problem.code === 'not_found') return undefined;
    throw problem;
  }
}

/** Other answers were sent with this page before. Those count; these are kept, and can be sent as well, with a token of their own. */
const others = ({ tokens }: Deps, { form }: FormVisit, entered: Entered, receipt: string): Outcome => ({
  place: {
    status: 409,
    entered: { ...entered, token: tokens.newPage(form.id), isSaved: false, savesAs: undefined, isConfirmed: true },
    step: 'check',
    findings: { notice: 'sent_before', receipt },
  },
});

/** An earlier version of `submissions` does not tell whether these are the answers that it has; but it has refused them as others. */
async function alreadySent(deps: Deps, visit: FormVisit, entered: Entered, { answers }: Read): Promise<Outcome> {
  const before = await sentBefore(deps, visit, entered, answers);
  if (!before) throw Problem.unavailable('an idempotency key was in use but is free again');
  return before;
}

const receiptPath = (visit: FormVisit, token: string): string => hrefOf(visit, `/receipt/${token}`);

const receiptHref = (
  { tokens }: Deps,
  visit: FormVisit,
  { sentAt, ...more }: Omit<Receipt, 'form' | 'sentAt'> & { sentAt: string },
): string => receiptPath(visit, tokens.signReceipt({ form: visit.form.id, sentAt: Date.parse(sentAt), ...more }));

const faultsOf = ({ details = [] }: Problem): Fault[] =>
  details.flatMap(({ key, code, params = {}, message: text }) => (code === undefined ? [] : [{ key, code, params, message: text }]));
