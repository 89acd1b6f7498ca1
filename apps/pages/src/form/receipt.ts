import { FieldList, referenceOf } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { hadEnding, onwardFrom, readEnding } from './ending';
import { page, type Outcome } from './outcome';
import { pipedOnReceipt } from './piped';
import type { Receipt, Return } from './tokens';
import { message, sentAnswers } from './views';
import { frameOf, hrefOf, type Deps, type FormVisit } from './visit';

type Sent = Awaited<ReturnType<Deps['submissions']['getReceipt']>>;

/**
 * The receipt of a submission. Its token says which one and when it was sent, so the receipt shows even while `submissions` is unavailable;
 * only the payment, the ending and the answers are read there.
 */
export async function showReceipt(deps: Deps, visit: FormVisit, token: string): Promise<Outcome> {
  const { form } = visit;
  const receipt = deps.tokens.readReceipt(token);
  if (receipt?.form === form.id) return page(200, view(deps, visit, receipt, await lookUp(deps, visit, receipt)));

  // Back from the payment provider.
  const back = deps.tokens.readReturn(token);
  const sent = back?.form === form.id ? await lookUp(deps, visit, back) : undefined;
  if (!sent) return page(404, message(deps, visit, 'receipt_expired'));
  const shown = view(deps, visit, { form: form.id, submission: sent.id, sentAt: Date.parse(sent.created_at) }, sent);
  return shown.onward !== undefined && sent.status !== 'pending_payment' ? { redirect: shown.onward } : page(200, shown);
}

async function lookUp(deps: Deps, { asked, form }: FormVisit, token: Receipt | Return): Promise<Sent | undefined> {
  try {
    const which = 'key' in token ? { idempotency_key: token.key } : { id: token.submission };
    return await deps.submissions.getReceipt(asked.call, { form_id: form.id, ...which });
  } catch (thrown) {
    const problem = Problem.from(thrown);
    // A receipt without its payment would let a respondent think that nothing is due, and one without its ending would tell something else.
    const needsNoLook = 'submission' in token && form.payment === undefined && (token.before === true || token.hasEnding === false);
    if (needsNoLook || problem.code === 'not_found') return undefined;
    throw problem;
  }
}

function view(deps: Deps, visit: FormVisit, { submission, sentAt, before = false, hasEnding }: Receipt, sent: Sent | undefined) {
  const { form } = visit;
  // A person who only has the page's token must not learn from the ending what was sent, either.
  const ending = before ? undefined : readEnding(sent?.ending);
  // The thank-you is not for whoever came to an ending, also once that is not told any more.
  const isUntold = before || (ending === undefined && (hasEnding ?? (sent ? hadEnding(sent) : true)));
  const payment = sent && paymentOf(visit, sent);
  const isDue = payment !== undefined && payment.state !== 'done';
  return {
    ...frameOf(deps, visit),
    // A person who only has the page's token reads no answer.
    piped: sent && !before ? pipedOnReceipt(visit, sent) : {},
    kind: 'receipt' as const,
    reference: referenceOf(submission),
    sentAt: new Date(sentAt),
    payment,
    ending,
    isUntold,
    wasSentBefore: before,
    // A person who only has the page's token, such as the person who gave another one the link to it, must not read what they sent.
    answers:
      !before && sent?.data && sent.fields
        ? sentAnswers(
            FieldList.parse(JSON.parse(sent.fields.toString())),
            JSON.parse(sent.data.toString()) as Record<string, unknown>,
            sent.file_names,
          )
        : undefined,
    onward: isUntold || (ending && isDue) ? undefined : onwardFrom(form, ending),
    again: hrefOf(visit),
  };
}

function paymentOf({ form: { payment } }: FormVisit, { status, payment_url: url, price: own }: Sent) {
  // An earlier release of `submissions` does not tell it.
  const ofForm = payment?.amount === undefined ? undefined : { amount: payment.amount, currency: payment.currency };
  const told = own ?? ofForm;
  const price = told?.amount === 0 ? undefined : told;
  if (status === 'pending_payment') return { url, state: url === undefined ? ('expired' as const) : ('due' as const), price };
  return price && { url: undefined, state: 'done' as const, price };
}
