import type { AnswerFaultCode, ClosedReason, Field, FormElement, FormEnding, FormSettings } from '@sheaf/contracts';
import type { Formula, Labels } from '@sheaf/formulas';
import type { Assets } from './assets';
import type { Piped } from './filling/piped';
import type { LocalText } from './words/localized';

/** The facts that every page of a form shows. */
export interface Frame {
  /** The language of our words, such as `de` or `zh-Hant`. */
  language: string;
  /**
   * The language in which the author wrote the form. Texts that are not translated keep it as their own `lang`. It is empty if the author has
   * not said, which is also how HTML marks a text in an unknown language.
   */
  authorLanguage: string;
  /** The links of the language switch; empty if there is nothing to choose from. */
  languages: readonly { language: string; href: string }[];
  /** The form's title, description and other texts are read from here, in the page's language. */
  form: { title: string; settings: FormSettings } | undefined;
  /** The address of the theme's logo. */
  logo: string | undefined;
  /** The address of the picture of an option, by its id; undefined if it is not known yet. */
  pictureAt: (picture: string) => string | undefined;
  /** The addresses of the files that a page loads. A preview has no script; `theme` is the style sheet of the form's theme. */
  assets: Omit<Assets, 'script'> & { script: string | undefined; theme: string | undefined };
  /** The time zone of the form, in which dates are shown; UTC if it has none. */
  timeZone: string | undefined;
  /** Whether the page is shown inside another one. */
  isEmbedded: boolean;
  /** The answers that texts of the page show, by the key of the question; those without an answer are left out. */
  piped?: Piped | undefined;
  /** For an embedded form: its address as a page of its own. */
  ownPage: string | undefined;
}

/** An uploaded file that belongs to an answer. */
export interface KeptFile {
  id: string;
  name: string;
  size: number;
  /** The value of the hidden field that carries the file from page to page. */
  token: string;
}

/** Why an answer is refused, as `/public/v1` says it. */
export interface Fault {
  key: string;
  code: AnswerFaultCode | (string & {});
  params: Readonly<Record<string, number | string>>;
  /** The name of the file that is refused, because there may be several. */
  file?: string | undefined;
  /** In English; shown for a code that this version does not know. */
  message: string;
  /** The author's own message, of a check; shown in place of ours. */
  authored?: LocalText | undefined;
}

/** `amount` is in the smallest unit of the currency. */
export interface Price {
  amount: number;
  currency: string;
}

/** The work that a browser does before it sends: find a nonce so that SHA-256(`<challenge>:<nonce>`) begins with `bits` zero bits. */
export interface ProofOfWork {
  challenge: string;
  bits: number;
}

/** A field or element on a step. */
export interface ShownItem {
  /** The position among all items of the form; in a repeat, this of the repeat, then the numbers of the item and of the question there. */
  index: number | string;
  item: Field | FormElement;
  /** Whether its condition is met. An item that is not shown is on the page too, hidden, so that a script can show it. */
  isShown: boolean;
  /** Whether it has to be answered as things are, if that depends on other answers. */
  isRequired?: boolean | undefined;
  /** The values that the respondent typed or chose, as the browser sent them: one string per control. Files are in `files`. */
  values: readonly string[];
  files: readonly KeptFile[];
  /** For a calculated field: its answer as things are, and its formula, unless that is wrong in a draft. */
  result?: { value: unknown; formula: Formula | undefined } | undefined;
  /** The values of options without a place left. */
  full?: readonly string[] | undefined;
  /** For a repeat: its items, of which the page has at least and at most so many. */
  repeated?: { items: readonly RepeatedItem[]; least: number; most: number } | undefined;
}

/** An item of a repeat, whose questions have the keys by which faults name them. */
export interface RepeatedItem {
  questions: readonly ShownItem[];
  /** The answers in this item that texts show, by the keys that these have in each item. */
  piped: Piped;
}

/** All that is asked on a page, also in the items of repeats. */
export const withRepeated = (items: readonly ShownItem[]): readonly ShownItem[] =>
  items.flatMap((shown) => [shown, ...(shown.repeated?.items ?? []).flatMap(({ questions }) => questions)]);

export type Notice =
  | 'send_again'
  | 'form_changed'
  | 'new_questions'
  | 'unavailable'
  | 'too_many_requests'
  | 'files_too_large'
  | 'too_large'
  | 'wait_for_check'
  /** Sent so soon after the page was opened that the respondent is asked once. */
  | 'confirm'
  /** Another amount is due than the check page showed. */
  | 'price_changed'
  /** Other answers were sent with the same page before. */
  | 'sent_before';

/** The page with a form's questions: all of them, or those of one step. */
export interface QuestionsPage {
  kind: 'questions';
  action: string;
  /** By which the script of the page leads back to it, where the address cannot. */
  place?: string | undefined;
  /** Fields that only travel with the page. `shown`, `hp` and `proof` are added to them. */
  hidden: readonly (readonly [name: string, value: string])[];
  /** The title of the step, if the form has several. */
  step: { number: number; of: number; page: ShownItem['item'] | undefined } | undefined;
  items: readonly ShownItem[];
  /** The answers on earlier steps, as they would be stored: conditions of this step may depend on them. */
  earlier: Readonly<Record<string, unknown>>;
  /** The day in the time zone of the form, for formulas. */
  today: string;
  /** The labels that the formulas of this step ask for. */
  labels: Labels;
  faults: readonly Fault[];
  notice: Notice | undefined;
  /** The item with which the respondent goes on, such as `guests[1]`, or the repeat itself. */
  begin?: string | undefined;
  /** Answers to questions that the form no longer asks. */
  dropped: readonly { label: string; value: string }[];
  /** The options that were chosen, and that the page does not offer after a change of earlier answers. */
  removed?: readonly LocalText[] | undefined;
  hasBack: boolean;
  next: 'continue' | 'send';
  hasSave: boolean;
  price: Price | undefined;
  proof: ProofOfWork | undefined;
}

/** An answer as the check page and the receipt show it. */
export interface ShownAnswer {
  field: Field;
  /** The stored answer; undefined if the question was not answered. */
  answer: unknown;
  fileNames: readonly string[];
  /** The name and value of the button that leads back to the question. */
  change: { name: string; value: string } | undefined;
}

/** Always has a *Back* button, which leads to the last step. */
export interface CheckPage {
  kind: 'check';
  action: string;
  place?: QuestionsPage['place'];
  hidden: QuestionsPage['hidden'];
  answers: readonly ShownAnswer[];
  notice: Notice | undefined;
  /** The receipt of what was sent before, which these answers do not change. */
  receipt: string | undefined;
  hasSave: boolean;
  price: Price | undefined;
  proof: ProofOfWork | undefined;
}

/** The texts of an ending. */
export type Ending = Pick<FormEnding, 'title' | 'text' | 'translations'>;

export interface ReceiptPage {
  kind: 'receipt';
  reference: string;
  sentAt: Date;
  /** The place to pay: the page of the provider. */
  payment: { url: string | undefined; state: 'due' | 'done' | 'expired'; price: Price | undefined } | undefined;
  /** Whether it was sent before, and the answers of this attempt were not. */
  wasSentBefore: boolean;
  answers: readonly ShownAnswer[] | undefined;
  /** The texts in place of the thank-you, once nothing is due. */
  ending?: Ending | undefined;
  /** Whether it is not told how the form ended, neither by an ending nor by the thank-you. */
  isUntold?: boolean;
  /** The site to which the author sends respondents: a link *Continue*, which leaves the frame of an embedded page. */
  onward: string | undefined;
  /** The page of the form, to send another one. */
  again: string;
}

/** Shows the link under which saved answers can be found. */
export interface SavedPage {
  kind: 'saved';
  link: string;
  expiresAt: Date;
}

/** Asks for the access code, before anything of the form is shown. */
export interface AccessPage {
  kind: 'access';
  /** To which the code is sent. */
  action: string;
  /** Fields that only travel with the page, such as the answers that a respondent sent without a code. */
  hidden: QuestionsPage['hidden'];
  fault: 'wrong' | 'too_many' | 'unavailable' | undefined;
  /** Whether answers wait for the code. */
  hasAnswers: boolean;
  /** For an embedded form: its address as a page of its own. Browsers keep no cookies for frames, so the code is entered there. */
  inWindow: string | undefined;
}

/** A page that only says something. */
export interface MessagePage {
  kind: 'message';
  /**
   * A button *Try again*, which sends everything once more that the respondent had entered. If files did not arrive, which are named, it leads
   * to the questions first.
   */
  retry: { action: string; hidden: QuestionsPage['hidden']; droppedFiles: readonly string[] } | undefined;
  message:
    | {
        name: 'closed';
        because: ClosedReason;
        opensAt: Date | undefined;
        closesAt: Date | undefined;
        text: string | undefined;
        /** The answers that the respondent typed before the form closed: they were not sent, and must not be lost. */
        unsent: readonly ShownAnswer[] | undefined;
      }
    | { name: 'not_found' | 'unavailable' | 'receipt_expired' | 'saved_expired' | 'bad_request' | 'too_large' | 'too_many_requests' };
}

/** A step, or the check of the answers. */
export type StepView = Frame & (QuestionsPage | CheckPage);

export type View = Frame & (QuestionsPage | CheckPage | ReceiptPage | SavedPage | AccessPage | MessagePage);
