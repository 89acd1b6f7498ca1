import { z } from 'zod';
import { described } from '../described';
import { bool, createdAt, listOf, oneOf, ownId, page, whole } from '../shapes';
import { operation } from './operation';
import { formId, submissionId } from './params';

export const submissionStatuses = ['new', 'in_review', 'approved', 'rejected', 'archived', 'pending_payment'] as const;

export const Submission = described(
  z.object({
    id: ownId(),
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    data: described(z.record(z.string(), z.unknown()), 'The answers by field key.', { name: 'Ada Lovelace', stars: 5 }),
    schema_version: described(z.int(), 'The form version that the submission answers.', 2),
    status: described(z.string(), 'The status. New values may be added.', 'new'),
    created_at: createdAt(),
  }),
  'The answers of one respondent.',
);

/** The facts that the application's API tells beside the number. */
export const versionId = () =>
  described(
    z.string().optional(),
    'The id of that version, which is never used again. Absent if the submission was stored before versions had ids.',
    '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0a',
  );

export const SubmissionList = described(listOf(Submission), 'A page of submissions.');

export const SubmissionsQuery = z.object({
  ...page,
  status: described(oneOf(submissionStatuses).optional(), 'The status. New values may be added.'),
});

export const StatusRequest = described(
  z.object({ status: described(oneOf(submissionStatuses), 'The new status.', 'approved') }),
  'The new status of a submission.',
);

/** The fields that the gateway adds to the request for a page of submissions. */
export const inPages = {
  max_bytes: described(whole(1, 2_147_483_647).optional(), 'The maximum number of bytes of answers in the page; unlimited if absent.'),
};

export const listSubmissions = operation({
  method: 'get',
  path: '/api/v1/forms/:id/submissions',
  params: { id: formId },
  summary: 'List the submissions of a form',
  description: 'Lists the submissions of a form, newest first, without trash and spam.',
  access: { scope: 'submissions:read' },
  query: SubmissionsQuery,
  status: 200,
  reply: SubmissionList,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ListSubmissions',
  // A list that does not fit into memory is streamed.
  composed: true,
  added: z.object({
    ...inPages,
    as_json: described(
      bool(),
      'Asks for the page as JSON, for a caller that only passes it on: neither side then has to build or parse messages.',
    ),
  }),
  answer: 'SubmissionList',
});

export const getSubmission = operation({
  method: 'get',
  path: '/api/v1/forms/:id/submissions/:subId',
  params: { id: formId, subId: submissionId },
  summary: 'Get a submission',
  description: 'Returns one submission with its answers, as submitted to its version of the form.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: Submission,
  errors: [401, 403, 404],
  rpc: 'submissions.GetSubmission',
});

export const deleteSubmission = operation({
  method: 'delete',
  path: '/api/v1/forms/:id/submissions/:subId',
  params: { id: formId, subId: submissionId },
  summary: 'Delete a submission',
  description: 'Moves a submission to the trash and sends `submission.deleted`. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  status: 204,
  errors: [401, 403, 404],
  rpc: 'submissions.DeleteSubmission',
});

export const updateSubmissionStatus = operation({
  method: 'patch',
  path: '/api/v1/forms/:id/submissions/:subId/status',
  params: { id: formId, subId: submissionId },
  summary: 'Change the status of a submission',
  description:
    'Changes the status of a submission and sends `submission.status_changed`. Setting the same status again has no effect. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: StatusRequest,
  status: 200,
  reply: Submission,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ChangeStatus',
});
