import type { AnswerFaultCode, boundFaults, countedFaults, EntryKind, PartName } from '@sheaf/contracts';
import type { Count, WordLanguage } from './counting';

/** The kinds of files that have a name in every language; single types, such as PDF, have the same name in all of them. */
export type FileKind = 'image' | 'video' | 'audio' | 'text';

/** The bounds that a fault's sentence names, as the language writes them. */
export type Bound = (bound: string) => string;

/**
 * All our words on the pages of a form, in one language. A language that lacks one does not compile. Numbers and dates arrive as the
 * language writes them (`Intl`); counts arrive as numbers, because the plural depends on them.
 */
export interface Words {
  /** The language's own name, for the language switch. */
  languageName: string;
  language: WordLanguage;

  send: string;
  continue: string;
  back: string;
  remove: string;
  /** The accessible name of a remove button. */
  removeFile: (name: string) => string;
  saveForLater: string;
  change: string;
  /** The accessible name of a change button. */
  changeAnswer: (label: string) => string;
  tryAgain: string;
  pay: (price: string) => string;
  /** For a price that is not known. */
  payNow: string;
  print: string;
  copyLink: string;
  linkCopied: string;
  /** Copies texts of the respondent. */
  copy: string;
  copied: string;
  sendAnother: string;

  /** The prefix of the title of a page with wrong answers. */
  errorTitle: (title: string) => string;
  thereIsAProblem: string;
  checkYourAnswers: string;
  thankYou: string;
  answersSent: string;
  reference: string;
  sentOn: (date: string) => string;
  yourAnswers: string;
  notAnswered: string;
  answersShownForAnHour: string;
  sentBefore: string;
  /** The heading over that. */
  sentBeforeTitle: string;
  /** The link to the receipt of what was sent before. */
  showReceipt: string;
  stepOf: (number: string, of: string) => string;
  optional: string;
  yes: string;
  no: string;
  choose: string;
  /** Before the labels of options that the page has taken back. */
  answersRemoved: string;
  /** The choice that takes back the answer to an optional question. */
  noAnswer: string;
  /** Behind an option without a place left. */
  optionFull: string;
  /** The label of the box above a long list of options. */
  searchOptions: string;
  optionsFound: Count;
  noOptionFound: string;
  /** `min` is less than `max`. */
  chooseBetween: (min: number, max: number) => string;
  chooseExactly: Count;
  chooseAtLeast: Count;
  chooseAtMost: Count;
  /** The bound of a longer text, until the script counts the characters. */
  maxCharacters: Count;
  charactersLeft: Count;
  charactersTooMany: Count;
  keptFiles: string;
  addFiles: Count;
  acceptedTypes: (types: string) => string;
  fileKinds: Record<FileKind, string>;
  maxSize: (size: string) => string;
  dateExample: (example: string) => string;
  ratingBetween: (min: string, max: string) => string;
  /** A step of a scale, and its highest one. */
  ratingOf: (step: string, max: string) => string;
  /** The label of the list from which the first, second or a later option of a ranking is chosen. */
  rankOf: (rank: string) => string;
  rankingRule: string;
  /** The labels of the controls for the parts of an answer. */
  parts: Record<PartName, string>;
  signature: Record<'draw' | 'type' | 'undo' | 'clear' | 'drawn', string>;
  help: string;
  /** While the answers are on their way. */
  sending: string;
  /** The label of the honeypot, which people do not see unless their style sheet is missing. */
  leaveEmpty: string;

  paymentDue: string;
  paymentDone: string;
  paymentExpired: string;
  priceToPay: (price: string) => string;

  savedTitle: string;
  savedExplanation: (until: string) => string;
  linkIsSecret: string;

  accessTitle: string;
  accessText: string;
  accessLabel: string;
  accessWrong: string;
  accessKept: string;
  accessInWindow: string;

  closedTitle: string;
  closed: string;
  closedSince: (date: string) => string;
  opensOn: (date: string) => string;
  notYetOpenTitle: string;
  full: string;
  paymentsNotSetUp: string;
  notFoundTitle: string;
  notFound: string;
  unavailableTitle: string;
  unavailable: string;
  receiptExpiredTitle: string;
  receiptExpired: string;
  savedExpiredTitle: string;
  savedExpired: string;
  badRequestTitle: string;
  badRequest: string;
  tooLargeTitle: string;
  tooLarge: string;
  tooManyRequestsTitle: string;
  tooManyRequests: string;

  formChanged: string;
  noLongerAsked: string;
  newQuestions: string;
  unavailableKept: string;
  /** Above the names of files that did not arrive, while the form cannot be shown. */
  filesNotKept: string;
  tooManyRequestsKept: string;
  filesTooLarge: string;
  waitForCheck: string;
  /** Above the answers of a page that we cannot tell to be ours: they are kept, and sending them again works. */
  sendAgain: string;
  /** Above answers that were sent sooner than people type. */
  confirmSending: string;
  priceChanged: string;
  /** Above other answers than those that were sent with the same page before. */
  sentOthers: string;
  /** In a frame whose site forbids to send forms. */
  cannotSendHere: string;
  /** The same where no script can find out. */
  ifSendingFails: string;
  openInNewWindow: string;
  /** In parentheses behind a link of the author. */
  opensNewWindow: string;
  /** Above the answers of somebody who sent them when the form was closed or full already. */
  notSentTitle: string;
  notSent: string;
  checkingBrowser: string;
  scriptNeededForCheck: string;

  /** Puts the label of a field before what is wrong with the answer, so that no label has to fit into a sentence. */
  faultOf: (label: string, fault: string) => string;
  /** The sentences that say what is wrong with an answer, and how to put it right. It follows the label and begins as a text after a colon does. */
  faults: FaultWords;
}

/** Codes with bounds in their sentences; all others are plain texts. */
interface BoundFaults extends Record<keyof typeof countedFaults, Count>, Record<keyof typeof boundFaults, Bound> {
  required: Record<EntryKind, string>;
  not_number: (example: string) => string;
  not_safe: (min: string, max: string) => string;
  file_too_large: Bound;
  file_type_not_accepted: Bound;
  missing_rows: (rows: string) => string;
}

/** A fault that only pages find: a file that could not be stored, for no fault of its own. */
type OwnFaultCode = 'not_stored';

/** The codes of answers that no page sends to a matrix, which have the sentence for a missing one. */
export type MatrixCode = 'not_matrix' | 'not_matrix_list' | 'unknown_row' | 'unknown_column' | 'repeated_column';

/** The author of a check writes what people read. */
type AuthoredCode = 'refused';

/** The faults of programs. Pages send the parts that they ask for, and draw pictures of a size that fits. */
type ProgramCode = 'unknown_part' | 'not_parts' | 'not_signature' | 'drawing_too_large';

/** Of repeats, which pages do not ask for yet. */
type RepeatCode = 'not_items' | 'too_few_items' | 'too_many_items';

export type FaultWords = BoundFaults &
  Record<Exclude<AnswerFaultCode, keyof BoundFaults | AuthoredCode | ProgramCode | MatrixCode | RepeatCode> | OwnFaultCode, string>;
