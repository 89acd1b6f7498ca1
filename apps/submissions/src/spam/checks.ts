import { createHash } from 'node:crypto';
import type { Answers } from '../form/answers';

/** Submitted answers and the signals that spam checks use. */
export interface Suspect {
  formId: string;
  answers: Answers;
  /** The respondent's IP address, if known. */
  address: string | undefined;
  /** The value of the hidden field. */
  honeypot: string | undefined;
  /** The start token, if the client sent it back. */
  started: string | undefined;
  /** For how long the form has been open, if the token tells it. */
  openMs: number | undefined;
  /** Whether the form wants work from the browser of a respondent. */
  wantsProof: boolean;
  /** The number that shows the work, which was done for this key. */
  proof: string | undefined;
  idempotencyKey: string | undefined;
  /** Whether a person has confirmed the answers. */
  confirmed: boolean;
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
export const honeypot: SpamCheck = ({ honeypot: entered = '' }) => (entered === '' ? undefined : 'honeypot');

/**
 * Whether a form was opened so shortly before that few people would have read it. That alone makes nothing spam: some forms are a single
 * click, and some are filled in already. A submission without a start token is not judged: not every client has a page.
 */
export const isTooFast =
  (minMs: number) =>
  ({ openMs, confirmed }: Pick<Suspect, 'openMs' | 'confirmed'>): boolean =>
    !confirmed && openMs !== undefined && openMs < minMs;

/**
 * Work for each submission makes spam expensive. The work is for the start token and the idempotency key together: neither can be chosen
 * freely, as the token is signed, and the key stands for one submission only.
 */
export const noProof =
  (bits: number, isGenuine: (formId: string, token: string) => Promise<boolean>): SpamCheck =>
  async ({ formId, wantsProof, started, idempotencyKey, proof }) => {
    if (!wantsProof) return undefined;
    if (started === undefined || idempotencyKey === undefined || !/^[0-9]{1,20}$/.test(proof ?? '')) return 'no_proof';
    const digest = createHash('sha256').update(`${started}:${idempotencyKey}:${proof}`).digest();
    return digest.readUInt32BE() >>> (32 - bits) === 0 && (await isGenuine(formId, started)) ? undefined : 'no_proof';
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
