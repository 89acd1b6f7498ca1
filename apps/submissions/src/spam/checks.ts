import type { Answers } from '../form/answers';

/** Answers that came in, and what a spammer gives themselves away by. */
export interface Suspect {
  formId: string;
  answers: Answers;
  /** The respondent's IP address, where it is known. */
  address: string | undefined;
  /** What came in the field that people do not see. */
  trap: string | undefined;
  /** The token that came with the form, if it was sent back. */
  started: string | undefined;
}

/** @returns why it is spam, as the people of the form read it; undefined if there is nothing to say against it. Never throws. */
export type SpamCheck = (suspect: Suspect) => string | undefined | Promise<string | undefined>;

/** The first reason that any of them has, in their order: what costs least comes first. */
export const anyOf =
  (checks: readonly SpamCheck[]) =>
  async (suspect: Suspect): Promise<string | undefined> => {
    for (const check of checks) {
      const reason = await check(suspect);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };

/** Programs fill in every field there is. */
export const honeypot: SpamCheck = ({ trap = '' }) => (trap === '' ? undefined : 'honeypot');

/** Nobody reads and answers a form in no time. Who sent no token back is not judged: not every client has a page. */
export const tooFast =
  (minMs: number, ageOf: (formId: string, token: string) => Promise<number | undefined>): SpamCheck =>
  async ({ formId, started }) => {
    const age = started === undefined ? undefined : await ageOf(formId, started);
    return age !== undefined && age < minMs ? 'too_fast' : undefined;
  };

/** `max`: as many may be in all answers together. An answer that is nothing but one link is what a field for links asks for. */
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
