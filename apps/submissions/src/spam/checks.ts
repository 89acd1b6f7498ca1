import type { Answers } from '../form/answers';

/** Submitted answers and the signals that spam checks use. */
export interface Suspect {
  formId: string;
  answers: Answers;
  /** The respondent's IP address, if known. */
  address: string | undefined;
  /** The value of the hidden field. */
  trap: string | undefined;
  /** The start token, if the client sent it back. */
  started: string | undefined;
}

/** @returns the reason why it is spam, as shown to the form's team, or undefined. Never throws. */
export type SpamCheck = (suspect: Suspect) => string | undefined | Promise<string | undefined>;

/** The first reason found by the checks, in order; put the cheapest first. */
export const anyOf =
  (checks: readonly SpamCheck[]) =>
  async (suspect: Suspect): Promise<string | undefined> => {
    for (const check of checks) {
      const reason = await check(suspect);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };

/** Bots fill in every field. */
export const honeypot: SpamCheck = ({ trap = '' }) => (trap === '' ? undefined : 'honeypot');

/** People need time to read and answer a form. A submission without a start token is not judged: not every client has a page. */
export const tooFast =
  (minMs: number, ageOf: (formId: string, token: string) => Promise<number | undefined>): SpamCheck =>
  async ({ formId, started }) => {
    const age = started === undefined ? undefined : await ageOf(formId, started);
    return age !== undefined && age < minMs ? 'too_fast' : undefined;
  };

/** `max`: the number of links allowed in all answers together. An answer that is a single link does not count: link fields ask for one. */
export const tooManyLinks =
  (max: number): SpamCheck =>
  ({ answers }) => {
    const texts = Object.values(answers).filter((answer) => typeof answer === 'string');
    const links = texts.reduce((sum, text) => sum + linksIn(text), 0);
    return links > max ? 'too_many_links' : undefined;
  };

function linksIn(text: string): number {
  const links = text.match(/\b(?:https?:\/\/|www\.)/gi)?.length ?? 0;
  return links === 1 && !/\s/.test(text) ? 0 : links;
}
