import { z } from 'zod';
import { Field } from '../app/draft';
import { Payment } from '../app/payment';
import { instant, text } from '../shapes';

export const PublicForm = z.object({
  id: z.string(),
  title: z.string(),
  version: z.int(),
  fields: z.array(Field),
  payment: Payment.optional(),
  open: z.boolean(),
  opens_at: instant().optional(),
  closes_at: instant().optional(),
  closed_message: z.string().optional(),
  started: z.string().meta({ description: 'To be sent back with the answers, where there is a page that people fill in: it says when they were given the form.' }),
});

/** The answers are checked against the form by the service that knows its version. */
export const SubmitRequest = z.object({
  data: z.record(z.string(), z.unknown(), 'must be an object'),
  hp: text(0, 1_000)
    .optional()
    .meta({ description: 'What came in a field that a page shows to programs only. People leave it empty, and clients without a page leave it out.' }),
  started: text(0, 1_000).optional().meta({ description: 'The `started` that came with the form.' }),
});

/** Under the same key the same answers are accepted once; the header is `Idempotency-Key`. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');

/** `payment_url` is where the respondent pays, while they can. */
export const SubmissionReceipt = z.object({ id: z.string(), form_id: z.string(), status: z.string(), created_at: instant(), payment_url: z.string().optional() });
