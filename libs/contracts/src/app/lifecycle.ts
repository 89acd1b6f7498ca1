import { z } from 'zod';
import { instant, listOf, oneOf, page, text, truth } from '../shapes';
import { Submission, submissionStatuses } from '../v1/submissions';
import { Actor } from './actor';

/** Ids that come twice count once. */
export const BulkStatusRequest = z.object({
  submission_ids: z
    .array(text(1, 64), 'must be an array')
    .min(1, 'must have between 1 and 500 items')
    .max(500, 'must have between 1 and 500 items')
    .overwrite((given) => [...new Set(given)]),
  status: oneOf(submissionStatuses),
});

/** Those that had the status already are `unchanged`. */
export const BulkStatusResult = z.object({ updated: z.array(z.string()), unchanged: z.array(z.string()) });

/** `status` is what it has been since: the same as `to`. */
export const StatusChange = z.object({
  status: z.string(),
  from: z.string(),
  to: z.string(),
  actor: Actor,
  at: instant(),
});

export const StatusHistory = listOf(StatusChange);

export const PageQuery = z.object(page);

export const TrashedSubmission = Submission.extend({ deleted_at: instant() });

export const TrashList = listOf(TrashedSubmission);

/** Reasons that we have ourselves: `honeypot`, `too_fast`, `too_many_links`, `checker`, and `marked` for what a person called spam. */
const spam = { spam_reason: z.string(), spam_at: instant() };

export const SpamSubmission = Submission.extend(spam);

export const SpamList = listOf(SpamSubmission);

export const SpamMarkRequest = z.object({ spam: truth() });

/** `spam_reason` and `spam_at` are left out of what is no spam. */
export const MarkedSubmission = Submission.extend(z.object(spam).partial().shape);
