import { z } from 'zod';
import { finishedDeliveryStates } from './deliveries';
import { bool, offsetInstant, oneOf, text } from '../shapes';

const longestMs = 31 * 24 * 60 * 60 * 1_000;

/** Selects the deliveries to send again: planned at or after `from` and before `to`; if `state` is absent, all that are not pending. */
export const RedeliverRequest = z
  .object({
    from: offsetInstant(),
    to: offsetInstant(),
    state: oneOf(finishedDeliveryStates).optional(),
    subscription_id: text(0, 64).optional(),
    /** Only counts the deliveries. */
    dry_run: bool().optional(),
  })
  .superRefine(({ from, to }, issues) => {
    const lengthMs = Date.parse(to) - Date.parse(from);
    if (lengthMs <= 0) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be after from' });
    else if (lengthMs > longestMs) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be at most 31 days after from' });
  });

/** A dry run has `matching`, or `matching_at_least` if there are more than one request may send. */
export const Redelivered = z.object({
  redelivered: z.int(),
  matching: z.int().optional(),
  matching_at_least: z.int().optional(),
});
