import { Answers } from '../parts/answer';
import { Heading } from '../parts/heading';
import { Formatted } from '../parts/formatted';
import { WithAnswers, withoutAnswers } from '../parts/piped';
import { useReading, type Reading } from '../reading';
import type { Frame, ReceiptPage } from '../view';
import { formatInstant, formatPrice } from '../words/formats';
import { localEnding, localForm } from '../words/localized';

/** Gives no thanks for answers that were not sent. */
export const receiptTitle = (page: ReceiptPage, reading: Reading): string => {
  if (page.wasSentBefore) return reading.words.sentBeforeTitle;
  const ending = endingOn(page, reading);
  return ending ? withoutAnswers(ending.title) : reading.words.thankYou;
};

/** The end of the form is reached once it is paid for. */
function endingOn({ ending, wasSentBefore, payment }: ReceiptPage, { language, authorLanguage }: Reading) {
  const isReached = !wasSentBefore && (!payment || payment.state === 'done');
  return ending && isReached ? localEnding(ending, language, authorLanguage) : undefined;
}

export function Receipt({ page, form }: { page: ReceiptPage; form: Frame['form'] }) {
  const reading = useReading();
  const { words, language, authorLanguage, timeZone, isEmbedded } = reading;
  const ending = endingOn(page, reading);
  // The form does not thank people at first and tell them something else once they have paid.
  const thanks = page.isUntold || !form ? undefined : localForm(form, language, authorLanguage).thankYou;
  const text = page.ending ? ending?.text : thanks;
  // The next site needs the whole window: payment pages refuse to be framed.
  const target = isEmbedded ? '_top' : undefined;
  return (
    <div data-sent="">
      <Heading form={form} title={ending ? <WithAnswers text={ending.title} /> : receiptTitle(page, reading)} />
      <p>{page.wasSentBefore ? words.sentBefore : words.answersSent}</p>
      {text && <Formatted className="description" text={text} hasAnswers />}
      <div className="panel">
        <dl>
          <dt>{words.reference}</dt> <dd className="reference">{page.reference}</dd>
        </dl>
        <p className="muted">{words.sentOn(formatInstant(language, page.sentAt, timeZone))}</p>
      </div>
      {page.payment && <Payment payment={page.payment} target={target} />}
      {page.answers && (
        <section>
          <h2>{words.yourAnswers}</h2>
          <p className="hint">{words.answersShownForAnHour}</p>
          <Answers answers={page.answers} />
        </section>
      )}
      <div className="buttons">
        {page.onward !== undefined && (
          <a className="button primary" href={page.onward} target={target} rel="noreferrer">
            {words.continue}
          </a>
        )}
        <button type="button" data-print="" hidden>
          {words.print}
        </button>
        <a className="button quiet" href={page.again}>
          {words.sendAnother}
        </a>
      </div>
    </div>
  );
}

function Payment({ payment: { url, state, price }, target }: { payment: NonNullable<ReceiptPage['payment']>; target: string | undefined }) {
  const { words, language } = useReading();
  const sentence = { due: words.paymentDue, done: words.paymentDone, expired: words.paymentExpired }[state];
  return (
    <div className={state === 'done' ? 'payment' : 'payment notice'}>
      <p>{sentence}</p>
      {state === 'due' && url !== undefined && (
        <a className="button primary" href={url} target={target} rel="noreferrer">
          {price ? words.pay(formatPrice(language, price.amount, price.currency)) : words.payNow}
        </a>
      )}
    </div>
  );
}
