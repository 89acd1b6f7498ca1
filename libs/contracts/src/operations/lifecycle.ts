import { z } from 'zod';
import { Actor } from '../app/actor';
import { described } from '../described';
import { bool, instant, listOf, offsetInstant, oneOf, page, text, wholeListOf } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, submissionId } from './params';
import { inPages, Submission, submissionStatuses, versionId } from './submissions';

/** Repeated ids count once. */
export const BulkRequest = described(
  z.object({
    submission_ids: described(
      z
        .array(text(1, 64), 'must be an array')
        .min(1, 'must have between 1 and 500 items')
        .max(500, 'must have between 1 and 500 items')
        .overwrite((ids) => [...new Set(ids)]),
      'The ids of the submissions.',
      ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'],
    ),
  }),
  'Several submissions of a form.',
);

/** With it, *Undo* takes back a change, and leaves alone what somebody has changed since. */
export const ifChangedAt = () =>
  described(
    offsetInstant().optional(),
    'Only if the last change was at this time, as the answer to that change told. Others stay unchanged, also those that are gone.',
    '2026-03-04T16:05:12.000Z',
  );

/** A change of several submissions, which may take back an earlier one. */
export const BulkChangeOfRequest = described(
  BulkRequest.extend({ if_changed_at: ifChangedAt() }),
  'Several submissions of a form that change.',
);

export const BulkStatusRequest = described(
  BulkChangeOfRequest.extend({ status: described(oneOf(submissionStatuses), 'The new status.', 'approved') }),
  'The new status of several submissions.',
);

/** `unchanged` lists the submissions that were already as requested. */
export const BulkResult = described(
  z.object({
    updated: described(z.array(z.string()), 'The ids of the submissions that changed.', ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07']),
    unchanged: described(
      z.array(z.string()),
      'The ids of the submissions that already had this status, or that `if_changed_at` leaves alone.',
      [],
    ),
    changed_at: described(
      instant().optional(),
      'The time at which they changed, as `if_changed_at` takes it; absent if none did.',
      '2026-03-04T16:05:12.000Z',
    ),
  }),
  'The result of a bulk change: the ids that changed, and those that were already as requested.',
);
carriedAs(BulkResult, { message: 'BulkReply' });

/** `status` is the status after the change, the same as `to`. The entry of a submission by a member has no `from`. */
export const StatusChange = described(
  z.object({
    status: described(z.string(), 'The status after the change, the same as `to`.', 'approved'),
    from: described(z.string().optional(), 'The status before the change; absent where a member entered the submission.', 'new'),
    to: described(z.string(), 'The status after the change.', 'approved'),
    actor: described(Actor, 'The person, service account or process that made the change.', {
      kind: 'user',
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
    }),
    at: described(instant(), 'The time of the change.', '2026-03-04T16:05:12.000Z'),
  }),
  'One status change of a submission.',
);

export const StatusHistory = described(wholeListOf(StatusChange), 'The status changes of a submission.');

export const deedKinds = ['assigned', 'marked_as_spam', 'released', 'looked_up'] as const;

/** An act on a submission beside changing its status and its answers; `looked_up` is reading these as the data of a person. `assignee`, of `assigned`, is absent for nobody. */
export const SubmissionDeed = described(
  z.object({
    kind: described(z.enum(deedKinds), 'The deed. `looked_up`: somebody looked for its person, and got the answers.', 'assigned'),
    assignee: described(
      z.string().optional(),
      'The person whom it was assigned to; absent for nobody.',
      '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
    ),
    actor: described(Actor, 'The person or service account that did it.', { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05' }),
    at: described(instant(), 'The time of the deed.', '2026-03-04T16:05:12.000Z'),
  }),
  'Something that somebody did with a submission, beside changing its status and its answers.',
);

export const SubmissionActivity = described(
  wholeListOf(SubmissionDeed),
  'The assignments of a submission, its ways into spam and out of it, and who looked for its person.',
);

export const PageQuery = z.object(page);

export const TrashedSubmission = described(
  Submission.extend({
    version_id: versionId(),
    deleted_at: described(instant(), 'The time of deletion.', '2026-03-05T11:20:00.000Z'),
  }),
  'A submission in the trash.',
);

export const TrashList = described(listOf(TrashedSubmission), 'A page of deleted submissions.');

const reasonText = 'The reason: `honeypot`, `too_fast`, `too_many_links`, `no_proof`, `checker`, or `marked` (by a person).';
const spamAtText = 'The time at which the submission was classified as spam.';

const spam = {
  version_id: versionId(),
  spam_reason: described(z.string(), reasonText, 'too_many_links'),
  spam_at: described(instant(), spamAtText, '2026-03-05T11:20:00.000Z'),
};

export const SpamSubmission = described(Submission.extend(spam), 'A submission that was classified as spam.');

export const SpamList = described(listOf(SpamSubmission), 'A page of spam submissions.');

export const SpamMarkRequest = described(
  z.object({ spam: described(bool(), 'Whether the submission is spam.', true) }),
  'Whether a submission is spam.',
);

export const BulkSpamRequest = described(
  BulkChangeOfRequest.extend(SpamMarkRequest.shape),
  'Several submissions of a form, and whether they are spam.',
);

/** `spam_reason` and `spam_at` are absent if the submission is not spam. */
export const MarkedSubmission = described(
  Submission.extend({
    spam_reason: described(spam.spam_reason.optional(), reasonText, 'too_many_links'),
    spam_at: described(spam.spam_at.optional(), spamAtText, '2026-03-05T11:20:00.000Z'),
  }),
  'A submission that may be spam. `spam_reason` and `spam_at` are absent if it is not.',
);
carriedAs(MarkedSubmission, { message: 'Submission' });

export const updateSubmissionStatuses = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-status',
  params: { id: formId },
  summary: 'Change the status of several submissions',
  description:
    'Changes the status of up to 500 submissions, all or none, and sends one `submission.status_changed` event. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: BulkStatusRequest,
  status: 200,
  reply: BulkResult,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ChangeStatuses',
  answer: 'ChangeStatusesReply',
});

export const trashSubmissions = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-trash',
  params: { id: formId },
  summary: 'Move several submissions to the trash',
  description:
    'Moves up to 500 submissions to the trash, all or none, and sends `submission.deleted` for each. Those that are there already stay unchanged. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: BulkChangeOfRequest,
  status: 200,
  reply: BulkResult,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.TrashSubmissions',
});

export const restoreSubmissions = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-restore',
  params: { id: formId },
  summary: 'Restore several deleted submissions',
  description:
    'Restores up to 500 submissions from the trash, all or none. Those that are not there stay unchanged. Sends `submission.restored`, which only webhooks of the application receive, for each whose `submission.created` was sent before. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: BulkChangeOfRequest,
  status: 200,
  reply: BulkResult,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.RestoreSubmissions',
});

export const setSubmissionsSpam = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-spam',
  params: { id: formId },
  summary: 'Mark several submissions as spam, or release them',
  description:
    'Marks up to 500 submissions as spam, or releases them, all or none. Releasing them sends each `submission.created` event that was held back; if the answers of those exceed 16 MiB, it is refused with 400. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: BulkSpamRequest,
  status: 200,
  reply: BulkResult,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.MarkSubmissionsSpam',
});

export const getSubmissionHistory = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/:subId/history',
  params: { id: formId, subId: submissionId },
  summary: 'Get the status history of a submission',
  description: 'Lists the status changes of a submission, oldest first, with their actors.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: StatusHistory,
  errors: [401, 403, 404],
  rpc: 'submissions.GetHistory',
  // The method answers getSubmissionActivity as well.
  composed: true,
  answer: 'History',
});

export const getSubmissionActivity = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/:subId/activity',
  params: { id: formId, subId: submissionId },
  summary: 'Get the activity on a submission',
  description:
    'Returns who assigned a submission to whom, marked it as spam or released it, who got its answers with listSubjectSubmissions, and when, oldest first. Status changes are in getSubmissionHistory, corrections in listSubmissionRevisions.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: SubmissionActivity,
  errors: [401, 403, 404],
  composed: true,
});

export const listTrashedSubmissions = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/trash',
  params: { id: formId },
  summary: 'List the deleted submissions of a form',
  description: 'Lists the deleted submissions of a form. They can be restored.',
  access: { scope: 'submissions:read' },
  query: PageQuery,
  status: 200,
  reply: TrashList,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ListTrash',
  composed: true,
  added: z.object(inPages),
  answer: 'SubmissionList',
});

export const restoreSubmission = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/:subId/restore',
  params: { id: formId, subId: submissionId },
  summary: 'Restore a deleted submission',
  description:
    'Restores a submission from the trash. Sends `submission.restored`, which only webhooks of the application receive, if its `submission.created` was sent before. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  status: 200,
  reply: Submission,
  errors: [401, 403, 404],
  rpc: 'submissions.RestoreSubmission',
});

export const listSpamSubmissions = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/spam',
  params: { id: formId },
  summary: 'List the spam submissions of a form',
  description: 'Lists the submissions that were classified as spam, with the reasons.',
  access: { scope: 'submissions:read' },
  query: PageQuery,
  status: 200,
  reply: SpamList,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ListSpam',
  composed: true,
  added: z.object(inPages),
  answer: 'SubmissionList',
});

export const setSubmissionSpam = operation({
  method: 'put',
  path: '/app/v1/forms/:id/submissions/:subId/spam',
  params: { id: formId, subId: submissionId },
  summary: 'Mark a submission as spam, or release it',
  description:
    'Marks a submission as spam, or releases it. Releasing it sends the `submission.created` event that was held back; one that was sent before is followed by `submission.spam_changed`, which only webhooks of the application receive. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: SpamMarkRequest,
  status: 200,
  reply: MarkedSubmission,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.MarkSpam',
});
