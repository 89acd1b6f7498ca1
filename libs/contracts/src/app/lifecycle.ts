import { z } from 'zod';
import { instant, listOf, oneOf, page, text, bool } from '../shapes';
import { Submission, submissionStatuses } from '../v1/submissions';
import { Actor } from './actor';

/** Repeated ids count once. */
export const BulkRequest = z.object({
  submission_ids: z
    .array(text(1, 64), 'must be an array')
    .min(1, 'must have between 1 and 500 items')
    .max(500, 'must have between 1 and 500 items')
    .overwrite((ids) => [...new Set(ids)]),
});

export const BulkStatusRequest = BulkRequest.extend({ status: oneOf(submissionStatuses) });

/** `unchanged` lists the submissions that were already as requested. */
export const BulkResult = z.object({ updated: z.array(z.string()), unchanged: z.array(z.string()) });

/** `status` is the status after the change, the same as `to`. The entry of a submission by a member has no `from`. */
export const StatusChange = z.object({
  status: z.string(),
  from: z.string().optional(),
  to: z.string(),
  actor: Actor,
  at: instant(),
});

export const StatusHistory = listOf(StatusChange);

export const deedKinds = ['assigned', 'marked_as_spam', 'released'] as const;

/** What somebody did with a submission beside changing its status and its answers. `assignee`, of `assigned`, is absent for nobody. */
export const SubmissionDeed = z.object({ kind: z.enum(deedKinds), assignee: z.string().optional(), actor: Actor, at: instant() });

export const SubmissionActivity = listOf(SubmissionDeed);

export const PageQuery = z.object(page);

export const TrashedSubmission = Submission.extend({ deleted_at: instant() });

export const TrashList = listOf(TrashedSubmission);

/** The reasons are `honeypot`, `too_fast`, `too_many_links`, `no_proof`, `checker`, and `marked` (by a person). */
const spam = { spam_reason: z.string(), spam_at: instant() };

export const SpamSubmission = Submission.extend(spam);

export const SpamList = listOf(SpamSubmission);

export const SpamMarkRequest = z.object({ spam: bool() });

export const BulkSpamRequest = BulkRequest.extend(SpamMarkRequest.shape);

/** `spam_reason` and `spam_at` are absent if the submission is not spam. */
export const MarkedSubmission = Submission.extend(z.object(spam).partial().shape);
