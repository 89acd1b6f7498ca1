import type { ReactNode } from 'react';
import { useReading } from '../reading';
import type { CheckPage, Notice, QuestionsPage } from '../view';
import { formatPrice } from '../words/formats';
import type { Words } from '../words/words';
import { Written } from './text';

const notices = {
  send_again: ({ sendAgain }) => sendAgain,
  form_changed: ({ formChanged }) => formChanged,
  new_questions: ({ newQuestions }) => newQuestions,
  unavailable: ({ unavailableKept }) => unavailableKept,
  too_many_requests: ({ tooManyRequestsKept }) => tooManyRequestsKept,
  files_too_large: ({ filesTooLarge }) => filesTooLarge,
  too_large: ({ tooLarge }) => tooLarge,
  wait_for_check: ({ waitForCheck }) => waitForCheck,
  confirm: ({ confirmSending }) => confirmSending,
  price_changed: ({ priceChanged }) => priceChanged,
  sent_before: ({ sentOthers }) => sentOthers,
} satisfies Record<Notice, (words: Words) => string>;

/** Tells what happened to the answers. It has the focus, so that a screen reader begins with it. */
export function Notices({
  notice,
  dropped = [],
  removed = [],
  link,
  isFocused,
}: {
  notice: Notice | undefined;
  dropped?: QuestionsPage['dropped'];
  removed?: QuestionsPage['removed'];
  link?: { href: string; text: string } | undefined;
  isFocused: boolean;
}) {
  const { words } = useReading();
  if (notice === undefined && dropped.length === 0 && removed.length === 0) return null;
  return (
    <div className="notice" role="status" tabIndex={-1} autoFocus={isFocused}>
      {notice && <p>{notices[notice](words)}</p>}
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
      {removed.length > 0 && (
        <>
          <p>{words.answersRemoved}</p>
          <ul>
            {removed.map((label, index) => (
              <li key={index}>
                <Written text={label} />
              </li>
            ))}
          </ul>
        </>
      )}
      {dropped.length > 0 && (
        <>
          <p>{words.noLongerAsked}</p>
          <ul>
            {dropped.map(({ label, value }, index) => (
              <li key={index}>
                <bdi>{label}</bdi>: <bdi>{value}</bdi>
              </li>
            ))}
          </ul>
          <button
            type="button"
            data-copy={dropped.map(({ label, value }) => `${label}: ${value}`).join('\n')}
            data-copied={words.copied}
            hidden
          >
            {words.copy}
          </button>
        </>
      )}
    </div>
  );
}

interface FormParts {
  page: QuestionsPage | CheckPage;
  /** Fields of our own beside those that the page carries. */
  fields?: Readonly<Record<string, string>>;
  /** The data that the script needs. */
  data?: Readonly<Record<`data-${string}`, string | undefined>>;
  next: QuestionsPage['next'];
  hasBack: boolean;
  /** Whether buttons stand among the questions. */
  hasOtherButtons?: boolean;
  /** Whether sending leads to another site, so that no receipt of ours forgets the answers that this tab remembers. */
  isLeaving: boolean;
  proofAddress: string;
  children: ReactNode;
}

/** The common parts of the questions and of their check: the form, the fields that only travel along, and the buttons. */
export function Form({ page, fields = {}, data, next, hasBack, hasOtherButtons = false, isLeaving, proofAddress, children }: FormParts) {
  const { words, language } = useReading();
  const { action, place, hidden, hasSave, price, proof } = page;
  return (
    <form
      method="post"
      action={action}
      encType="multipart/form-data"
      noValidate
      data-sending={words.sending}
      data-place={place}
      data-leaves={isLeaving ? '' : undefined}
      data-proof-bits={proof?.bits}
      data-proof-challenge={proof?.challenge}
      data-proof-src={proof && proofAddress}
      data-checking={proof && words.checkingBrowser}
      {...data}
    >
      {/* The Enter key presses the first button of a form: this one, if others stand among the questions. */}
      {hasOtherButtons && (
        <button className="unseen" name="do" value={next} tabIndex={-1} aria-hidden="true">
          {next === 'send' ? words.send : words.continue}
        </button>
      )}
      {[...hidden, ...Object.entries({ ...fields, ...(proof && { proof: '' }) })].map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <div className="trap" aria-hidden="true">
        <label htmlFor="hp">{words.leaveEmpty}</label>
        <input id="hp" name="hp" tabIndex={-1} autoComplete="off" />
      </div>
      {children}
      {price && next === 'send' && <p className="price">{words.priceToPay(formatPrice(language, price.amount, price.currency))}</p>}
      {proof && (
        <noscript>
          <p className="hint">{words.scriptNeededForCheck}</p>
        </noscript>
      )}
      <Buttons next={next} hasBack={hasBack} hasSave={hasSave} />
      {/* The script speaks here. */}
      <p className="status" id="status" role="status" />
      <CannotSend />
    </form>
  );
}

/** The script shows it above the form, with the address, where the browser does not let the form be sent. */
function CannotSend() {
  const { words } = useReading();
  return (
    <template>
      <div className="notice" role="status">
        <p>{words.cannotSendHere}</p>
        <p>
          <a target="_blank" rel="noopener">
            {words.openInNewWindow}
          </a>
        </p>
        <p>
          <span className="address" dir="ltr" />
        </p>
      </div>
    </template>
  );
}

function Buttons({ next, hasBack, hasSave }: Pick<QuestionsPage, 'next' | 'hasBack' | 'hasSave'>) {
  const { words } = useReading();
  return (
    <div className="buttons">
      <button className="primary" name="do" value={next}>
        {next === 'send' ? words.send : words.continue}
      </button>
      {hasBack && (
        <button name="do" value="back">
          {words.back}
        </button>
      )}
      {hasSave && (
        <button className="quiet" name="do" value="save">
          {words.saveForLater}
        </button>
      )}
    </div>
  );
}
