import type { Fault, Read } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import { keyReused } from '@sheaf/contracts';
import type { Entered } from './entered';
import { page, type Outcome } from './outcome';
import { savedName } from './tokens';
import { closed, message, shownAnswers } from './views';
import { hrefOf, type Deps, type FormVisit } from './visit';

interface Signals {
  trap: string | undefined;
  proof: string | undefined;
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
    const receipt = receiptHref(deps, visit, { submission: sent.id, sentAt: sent.created_at });
    // A payment page refuses to be framed, so the receipt links to it.
    if (sent.payment_url !== undefined) return { redirect: visit.isEmbedded ? receipt : sent.payment_url };
    const { redirect_url: onward } = form.settings.thank_you ?? {};
    return { redirect: onward !== undefined && !visit.isEmbedded ? onward : receipt };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    if (problem.details?.some(({ code }) => code === keyReused)) return await alreadySent(deps, visit, entered.token);
    const faults = faultsOf(problem);
    if (faults.length > 0) return { faults };
    switch (problem.code) {
      case 'bad_request':
        return page(400, message(deps, visit, 'bad_request'));
      case 'forbidden':
        return page(403, closed(deps, visit, shownAnswers(visit, entered, read)));
      default:
        throw problem;
    }
  }
}

function submit(deps: Deps, visit: FormVisit, entered: Entered, answers: object, { trap, proof, begins }: Signals) {
  const { form } = visit;
  const { tokens } = deps;
  return deps.submissions.submit(visit.asked.call, {
    form: form.id,
    data: Buffer.from(JSON.stringify(answers)),
    idempotency_key: entered.token,
    hp: trap,
    started: entered.started,
    proof,
    language: visit.language,
    begins,
    ...(form.payment
      ? { return_url: visit.asked.origin + receiptPath(visit, tokens.signReturn({ form: form.id, key: entered.token })) }
      : {}),
    // Also if this page does not know of it: it may be the one before, which Back brought.
    ...(entered.isSaved || form.settings.resume ? { saved: savedName(tokens.savedLink(form.id, entered.token)) } : {}),
  });
}

/** The receipt of what was already sent with this page, if anything was. */
export async function sentBefore(deps: Deps, visit: FormVisit, token: string): Promise<Outcome | undefined> {
  try {
    const { id, created_at } = await deps.submissions.getReceipt(visit.asked.call, { form_id: visit.form.id, idempotency_key: token });
    return { redirect: receiptHref(deps, visit, { submission: id, sentAt: created_at, before: true }) };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    if (problem.code === 'not_found') return undefined;
    throw problem;
  }
}

/** Other answers were sent with this page before. They count; these do not, and the receipt says so. */
async function alreadySent(deps: Deps, visit: FormVisit, token: string): Promise<Outcome> {
  const before = await sentBefore(deps, visit, token);
  if (!before) throw Problem.unavailable('an idempotency key was in use but is free again');
  return before;
}

const receiptPath = (visit: FormVisit, token: string): string => hrefOf(visit, `/receipt/${token}`);

const receiptHref = (
  { tokens }: Deps,
  visit: FormVisit,
  { submission, sentAt, before }: { submission: string; sentAt: string; before?: boolean },
): string =>
  receiptPath(
    visit,
    tokens.signReceipt({ form: visit.form.id, submission, sentAt: Date.parse(sentAt), ...(before === true ? { before } : {}) }),
  );

const faultsOf = ({ details = [] }: Problem): Fault[] =>
  details.flatMap(({ key, code, params = {}, message: text }) => (code === undefined ? [] : [{ key, code, params, message: text }]));
