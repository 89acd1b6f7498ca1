import { sentTooFast } from '@sheaf/contracts';
import { Problem, type Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { whole, type Log } from '@sheaf/runtime';
import { z } from 'zod';
import { httpSpamCheck } from '../spam/http-check';
import { intakeRate, type IntakeRate } from './rates';
import { anyOf, honeypot, isTooFast, noProof, tooManyLinks, type Suspect } from '../spam/checks';
import { startTokens } from './start-tokens';

/** Settings for rate limits and spam checks. 0 switches a limit off. */
export const GuardSettings = z.object({
  /** Submissions to one form from one public address, per minute and process. */
  SUBMIT_PER_ADDRESS_PER_MINUTE: whole(0, 1_000_000).default(60),
  /** Submissions to one form from all addresses, per minute and process. */
  SUBMIT_PER_FORM_PER_MINUTE: whole(0, 1_000_000).default(6_000),
  /** The sender of a submission that arrives sooner than this after its form was opened is asked to confirm it. */
  SPAM_MIN_FILL_MS: whole(0, 60_000).default(2_000),
  /** A submission whose texts have more links than this is spam. */
  SPAM_MAX_LINKS: whole(0, 10_000).default(20),
  /** For forms that want a proof of work: how many leading zero bits it needs. Each bit doubles the work. */
  PROOF_BITS: whole(8, 24).default(17),
  /** The operator's spam checker, called for every submission. Private addresses are allowed. */
  SPAM_CHECK_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  SPAM_CHECK_TIMEOUT_MS: whole(50, 4_000).default(1_500),
});

export interface IntakeGuard {
  /** Counts an attempt to submit. */
  admit: IntakeRate;
  /** Counts a check of answers. */
  admitCheck: IntakeRate;
  /** Counts answers that are saved for later. */
  admitSaving: IntakeRate;
  /**
   * Why a submission is spam; undefined if it is not. May call the spam checker, so never use it in a transaction.
   * @throws Problem `bad_request` with the code `too_fast` in its details, if a person has to confirm it first
   */
  judge: (suspect: Suspect) => Promise<string | undefined>;
  /** The token that is sent with the form and comes back with the answers. */
  startToken: (formId: string) => Promise<string>;
  /** The time since a start token of this form was issued; undefined for anything else. */
  openMs: (formId: string, started: string) => Promise<number | undefined>;
  /** How many leading zero bits a proof of work needs. */
  proofBits: number;
}

/**
 * Respondents have their answers checked on each page of a form. Checks are counted apart from submissions, so that they use up nobody's
 * right to submit, and more of them are admitted: they cost little, as they write nothing, and
 * read at most which options of the form are full.
 */
const checksPerSubmission = 10;

export function intakeGuard(parts: { db: Database; clock: Clock; log: Log; settings: z.output<typeof GuardSettings> }): IntakeGuard {
  const { db, clock, log, settings } = parts;
  const limits = { perAddress: settings.SUBMIT_PER_ADDRESS_PER_MINUTE, perForm: settings.SUBMIT_PER_FORM_PER_MINUTE };
  const checkLimits = { perAddress: checksPerSubmission * limits.perAddress, perForm: checksPerSubmission * limits.perForm };
  const tokens = startTokens({ db, clock });
  const check = anyOf([
    honeypot,
    ...(settings.SPAM_MAX_LINKS === 0 ? [] : [tooManyLinks(settings.SPAM_MAX_LINKS)]),
    noProof(settings.PROOF_BITS, tokens.isGenuine),
  ]);
  const isHasty = isTooFast(settings.SPAM_MIN_FILL_MS);
  const askChecker =
    settings.SPAM_CHECK_URL === undefined
      ? undefined
      : httpSpamCheck({ url: settings.SPAM_CHECK_URL, timeoutMs: settings.SPAM_CHECK_TIMEOUT_MS, log });
  const judge = async (suspect: Suspect) => {
    const reason = await check(suspect);
    if (reason !== undefined) return reason;
    // The checker sees each submission once: after its sender has confirmed it.
    if (isHasty(suspect)) throw needsConfirmation(settings.SPAM_MIN_FILL_MS);
    return askChecker?.(suspect);
  };
  return {
    admit: intakeRate(clock, 'submissions', limits),
    admitCheck: intakeRate(clock, 'requests', checkLimits),
    admitSaving: intakeRate(clock, 'requests', limits),
    judge,
    startToken: tokens.issue,
    openMs: tokens.ageOf,
    proofBits: settings.PROOF_BITS,
  };
}

/** With a code, so that a page can ask its respondent, and a script its user. */
function needsConfirmation(minMs: number): Problem {
  const message = `is less than ${minMs} ms old. Have a person confirm the answers, and send them again with "confirmed": true`;
  return Problem.badRequest(`started: ${message}`, [{ key: 'started', code: sentTooFast, params: { min_ms: minMs }, message }]);
}
