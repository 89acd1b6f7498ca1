import type { AnswerFaultCode } from '@sheaf/contracts';

type Count = (count: number) => string;

/**
 * All our words on the pages of a form, in one language. A language that lacks one does not compile. Numbers and dates arrive as the
 * language writes them (`Intl`); counts arrive as numbers, because the plural depends on them.
 */
export interface Words {
  /** The language's own name, for the language switch. */
  languageName: string;
  language: string;

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
  print: string;
  copyLink: string;
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
  stepOf: (number: string, of: string) => string;
  optional: string;
  yes: string;
  no: string;
  choose: string;
  chooseBetween: (min: number, max: number) => string;
  chooseAtLeast: Count;
  chooseAtMost: Count;
  charactersLeft: Count;
  charactersTooMany: Count;
  keptFiles: string;
  addFiles: (max: number) => string;
  acceptedTypes: (types: string) => string;
  maxSize: (size: string) => string;
  dateExample: (example: string) => string;
  ratingBetween: (min: string, max: string) => string;
  help: string;
  loading: string;
  /** The label of the trap, which people do not see unless their style sheet is missing. */
  leaveEmpty: string;

  paymentDue: string;
  paymentDone: string;
  paymentExpired: string;
  priceToPay: (price: string) => string;

  savedTitle: string;
  savedExplanation: (until: string) => string;
  linkIsSecret: string;

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
  tooManyRequestsKept: string;
  filesTooLarge: string;
  waitForCheck: string;
  /** Above the answers of a page that cannot be recognized any more: they are kept, and sending them again works. */
  sendAgain: string;
  /** Above the answers of somebody who sent them when the form was closed or full already. */
  notSentTitle: string;
  notSent: string;
  checkingBrowser: string;
  scriptNeededForCheck: string;

  /** What is wrong with an answer, as a sentence that names the field by its label. `params` are the bounds, written by `Intl`. */
  faults: Record<AnswerFaultCode, FaultSentence>;
}

export type FaultSentence = (
  label: string,
  params: Readonly<Record<'min' | 'max' | 'types', string>>,
  counts: Readonly<Record<'min' | 'max', number>>,
) => string;
