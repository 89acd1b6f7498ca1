import type { ReactNode } from 'react';
import { useReading } from '../reading';
import type { CheckPage, Notice, QuestionsPage } from '../view';
import { formatPrice } from '../words/formats';
import type { Words } from '../words/words';

const notices = {
  send_again: ({ sendAgain }) => sendAgain,
  form_changed: ({ formChanged }) => formChanged,
  new_questions: ({ newQuestions }) => newQuestions,
  unavailable: ({ unavailableKept }) => unavailableKept,
  too_many_requests: ({ tooManyRequestsKept }) => tooManyRequestsKept,
  files_too_large: ({ filesTooLarge }) => filesTooLarge,
  wait_for_check: ({ waitForCheck }) => waitForCheck,
} satisfies Record<Notice, (words: Words) => string>;

/** Tells what happened to the answers. It has the focus, so that a screen reader begins with it. */
export function Notices({
  notice,
  dropped = [],
  isFocused,
}: {
  notice: Notice | undefined;
  dropped?: QuestionsPage['dropped'];
  isFocused: boolean;
}) {
  const { words } = useReading();
  if (notice === undefined && dropped.length === 0) return null;
  return (
    <div className="notice" role="status" tabIndex={-1} autoFocus={isFocused}>
      {notice && <p>{notices[notice](words)}</p>}
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
        </>
      )}
    </div>
  );
}

/** What questions and the check of them have in common: the form, the fields that only travel along, and the buttons. */
export function Form({
  page,
  shown,
  earlier,
  next,
  hasBack,
  hasOtherButtons = false,
  isCounted = false,
  isLeaving,
  proofAddress,
  children,
}: {
  page: QuestionsPage | CheckPage;
  /** The indexes of the items on the page that are shown. */
  shown?: readonly number[];
  earlier?: Readonly<Record<string, unknown>>;
  next: QuestionsPage['next'];
  hasBack: boolean;
  /** Whether buttons stand among the questions. */
  hasOtherButtons?: boolean;
  /** Whether the script counts characters. */
  isCounted?: boolean;
  /** Whether sending leads to another site, so that no receipt of ours forgets the answers that this tab remembers. */
  isLeaving: boolean;
  proofAddress: string;
  children: ReactNode;
}) {
  const { words, language } = useReading();
  const { action, hidden, hasSave, price, proof } = page;
  const label = next === 'send' ? words.send : words.continue;
  return (
    <form
      method="post"
      action={action}
      encType="multipart/form-data"
      noValidate
      data-sending={words.sending}
      data-left={isCounted ? JSON.stringify(words.charactersLeft.forms) : undefined}
      data-over={isCounted ? JSON.stringify(words.charactersTooMany.forms) : undefined}
      data-counted={isCounted ? words.language : undefined}
      data-leaves={isLeaving ? '' : undefined}
      data-earlier={earlier && Object.keys(earlier).length > 0 ? JSON.stringify(earlier) : undefined}
      data-proof-bits={proof?.bits}
      data-proof-challenge={proof?.challenge}
      data-proof-src={proof && proofAddress}
      data-checking={proof && words.checkingBrowser}
    >
      {/* The Enter key presses the first button of a form: this one, if others stand among the questions. */}
      {hasOtherButtons && (
        <button className="unseen" name="do" value={next} tabIndex={-1} aria-hidden="true">
          {label}
        </button>
      )}
      {hidden.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      {shown && <input type="hidden" name="shown" value={shown.join(' ')} />}
      {proof && <input type="hidden" name="proof" value="" />}
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
      <div className="buttons">
        <button className="primary" name="do" value={next}>
          {label}
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
      {/* The script speaks here. */}
      <p className="status" id="status" role="status" />
    </form>
  );
}
