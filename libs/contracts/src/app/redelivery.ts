import { z } from 'zod';
import { offsetInstant, oneOf, text } from '../shapes';

const longestMs = 31 * 24 * 60 * 60 * 1_000;

/** Selects the deliveries to send again: planned at or after `from` and before `to`; if `state` is absent, all that are not pending. */
export const RedeliverRequest = z
  .object({
    from: offsetInstant(),
    to: offsetInstant(),
    state: oneOf(['succeeded', 'failed', 'cancelled']).optional(),
    subscription_id: text(0, 64).optional(),
  })
  .superRefine(({ from, to }, issues) => {
    const lengthMs = Date.parse(to) - Date.parse(from);
    if (lengthMs <= 0) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be after from' });
    else if (lengthMs > longestMs) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be at most 31 days after from' });
  });

export const Redelivered = z.object({ redelivered: z.int() });
