import { z } from 'zod';
import { FormEnding, languageTag } from '../app/draft';
import { described, leftOut } from '../described';
import { createdAt, ownId, text } from '../shapes';
import { operation } from './operation';
import { formOrSlug } from './params';
import { Submission } from './submissions';

/** `submissions` checks the answers against the form, because it knows the form's version. */
export const SubmitRequest = described(
  z.object({
    data: described(z.record(z.string(), z.unknown(), 'must be an object'), 'The answers by field key.', {
      name: 'Ada Lovelace',
      stars: 5,
    }),
    hp: described(
      text(0, 1_000).optional(),
      'The value of a hidden field that only bots fill in. People leave it empty; clients without a page omit it.',
      '',
    ),
    started: described(
      text(0, 1_000).optional(),
      'A signed token that records when the form was opened. A page sends it back with the answers.',
      'eyJhbGciOiJIUzI1NiJ9.…',
    ),
    proof: described(
      text(0, 100).optional(),
      'The proof of work, if the form has `proof_bits`: a whole number in decimal notation, so that the SHA-256 of `{started}:{Idempotency-Key}:{proof}` begins with that many zero bits.',
      leftOut,
    ),
    language: described(languageTag().optional(), 'The language in which the respondent filled in the form, as a language tag.', 'en'),
    confirmed: described(
      z.boolean().optional(),
      'True once a person has confirmed answers that were sent very soon after the form was opened. Without it they are refused: 400, with `started` and the code `too_fast` in `details`.',
      true,
    ),
  }),
  'The answers of a respondent.',
);

/** The `Idempotency-Key` header. The same answers under the same key are accepted once. */
export const IdempotencyKey = described(
  z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
  'A key that you choose for this submission. Repeating the request with the same key and the same answers returns the first response.',
);

/** The code of the fault that a key has if it was used before, with other answers. */
export const keyReused = 'key_reused';

/** The code of the fault that a start token has if the form was opened so shortly before that a person is asked to confirm the answers. */
export const sentTooFast = 'too_fast';

/** The code of the fault that the field of a price has if a page of ours showed another amount, so that its respondent has to see the one that is due. */
export const priceChanged = 'price_changed';

export const EndingReached = described(
  FormEnding.omit({ type: true, if: true }),
  "The form's ending for these answers. Absent if it has none for them: then its thank-you applies.",
);

/** `payment_url` is present only while the respondent can pay. */
export const SubmissionReceipt = described(
  z.object({
    id: ownId(),
    form_id: Submission.shape.form_id,
    status: Submission.shape.status,
    created_at: createdAt(),
    payment_url: described(z.string().optional(), 'The page on which the respondent pays; absent if nothing is due.', leftOut),
    ending: described(EndingReached.optional(), 'How the form ends for these answers; absent if its thank-you applies.', leftOut),
  }),
  'The confirmation that a submission was accepted.',
);

/** Nothing is derived for it but its row: its path from the gateway into the database is written to cost as little as it can. */
export const submitForm = operation({
  method: 'post',
  path: '/public/v1/forms/:form/submissions',
  params: { form: formOrSlug },
  summary: 'Submit answers to a form',
  description:
    "Stores a respondent's answers. To repeat the request safely, send an `Idempotency-Key`: the same answers under the same key are stored once.",
  access: 'anyone',
  body: SubmitRequest,
  status: 201,
  reply: SubmissionReceipt,
  errors: [400, 403, 404, 429],
  composed: true,
});
