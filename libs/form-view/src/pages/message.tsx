import type { ClosedReason } from '@sheaf/contracts';
import { Answers } from '../parts/answer';
import { Heading } from '../parts/heading';
import { Formatted } from '../parts/formatted';
import { useReading, type Reading } from '../reading';
import type { Frame, MessagePage } from '../view';
import { formatInstant } from '../words/formats';
import { localForm } from '../words/localized';
import type { Words } from '../words/words';

type Closed = Extract<MessagePage['message'], { name: 'closed' }>;
type Named = Exclude<MessagePage['message'], Closed>['name'];

const messages = {
  not_found: ({ notFoundTitle, notFound }) => [notFoundTitle, notFound],
  unavailable: ({ unavailableTitle, unavailable }) => [unavailableTitle, unavailable],
  receipt_expired: ({ receiptExpiredTitle, receiptExpired }) => [receiptExpiredTitle, receiptExpired],
  saved_expired: ({ savedExpiredTitle, savedExpired }) => [savedExpiredTitle, savedExpired],
  bad_request: ({ badRequestTitle, badRequest }) => [badRequestTitle, badRequest],
  too_large: ({ tooLargeTitle, tooLarge }) => [tooLargeTitle, tooLarge],
  too_many_requests: ({ tooManyRequestsTitle, tooManyRequests }) => [tooManyRequestsTitle, tooManyRequests],
} satisfies Record<Named, (words: Words) => [title: string, text: string]>;

const reasons = {
  not_yet_open: ({ closed }) => closed,
  closed: ({ closed }) => closed,
  full: ({ full }) => full,
  disabled: ({ closed }) => closed,
  payments_not_set_up: ({ paymentsNotSetUp }) => paymentsNotSetUp,
} satisfies Record<ClosedReason, (words: Words) => string>;

export function messageTitle({ message }: MessagePage, words: Words): string {
  if (message.name !== 'closed') return messages[message.name](words)[0];
  if (message.unsent) return words.notSentTitle;
  return message.because === 'not_yet_open' ? words.notYetOpenTitle : words.closedTitle;
}

export function Message({ page, form }: { page: MessagePage; form: Frame['form'] }) {
  const reading = useReading();
  const { words } = reading;
  const { message, retry } = page;
  return (
    <>
      <Heading form={form} title={messageTitle(page, words)} />
      {message.name === 'closed' ? (
        <Closed closed={message} form={form} reading={reading} />
      ) : (
        <p>{retry ? words.unavailableKept : messages[message.name](words)[1]}</p>
      )}
      {retry && retry.droppedFiles.length > 0 && (
        <>
          <p>{words.filesNotKept}</p>
          <ul>
            {retry.droppedFiles.map((name, index) => (
              <li key={index}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {retry && <Retry retry={retry} words={words} />}
    </>
  );
}

const Retry = ({ retry: { action, hidden }, words }: { retry: NonNullable<MessagePage['retry']>; words: Words }) => (
  <form method="post" action={action} encType="multipart/form-data" noValidate data-sending={words.sending}>
    {hidden.map(([name, value], index) => (
      <input key={index} type="hidden" name={name} value={value} />
    ))}
    <div className="buttons">
      <button className="primary">{words.tryAgain}</button>
    </div>
    <p className="status" id="status" role="status" />
  </form>
);

function Closed({ closed, form, reading }: { closed: Closed; form: Frame['form']; reading: Reading }) {
  const { words, language, authorLanguage } = reading;
  const { text, unsent } = closed;
  const authorText = form && localForm({ ...form, closed_message: text }, language, authorLanguage).closedMessage;
  return (
    <>
      {unsent && <p>{words.notSent}</p>}
      <p>{reasonOf(closed, reading)}</p>
      {authorText && <Formatted className="description" text={authorText} hasAnswers={false} />}
      {unsent && unsent.length > 0 && (
        <section>
          <h2>{words.yourAnswers}</h2>
          <Answers answers={unsent} />
          <div className="buttons">
            <button type="button" data-print="" hidden>
              {words.print}
            </button>
          </div>
        </section>
      )}
    </>
  );
}

function reasonOf({ because, opensAt, closesAt }: Closed, { words, language, timeZone }: Reading): string {
  if (because === 'not_yet_open' && opensAt) return words.opensOn(formatInstant(language, opensAt, timeZone));
  if (because === 'closed' && closesAt) return words.closedSince(formatInstant(language, closesAt, timeZone));
  return reasons[because](words);
}
