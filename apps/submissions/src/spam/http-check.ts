import type { Log } from '@sheaf/runtime';
import { z } from 'zod';
import type { SpamCheck } from './checks';

const Verdict = z.object({
  spam: z.boolean(),
  reason: z
    .string()
    .regex(/^[\w .:,-]{1,100}$/)
    .optional()
    .catch(undefined),
});

/**
 * Asks the operator's spam checker: POST `{form_id, data, address?}`, answered with `{spam, reason?}`. Without a verdict in time the
 * submission is not spam: an unavailable checker must not keep people from submitting.
 */
export const httpSpamCheck =
  ({ url, timeoutMs, log }: { url: string; timeoutMs: number; log: Pick<Log, 'warn'> }): SpamCheck =>
  async ({ formId, answers, address }) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ form_id: formId, data: answers, address }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { spam, reason = 'checker' } = Verdict.parse(await response.json());
      return spam ? reason : undefined;
    } catch (error) {
      // Log only the error's name: a parser's message quotes its input, which may contain answers.
      log.warn({ formId, failure: error instanceof Error ? error.name : 'unknown' }, 'the spam checker gave no verdict');
      return undefined;
    }
  };
