import { isId, Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { Actor } from '../app/actor';
import { languageTag } from '../app/draft';
import { described } from '../described';
import { cursorListOf, cursorPage, instant, text, trimmed, updatedAt, whole } from '../shapes';
import { IdempotencyKey } from './intake';
import { ifChangedAt } from './lifecycle';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam, submissionId } from './params';
import { Submission, versionId } from './submissions';

const person = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05';
const member = { kind: 'user', id: person };
const answers = { name: 'Ada Lovelace', stars: 5 };
const languageText = 'The language in which the respondent filled in the form, as a language tag; absent if the client did not send it.';

/** `revision` counts the corrections so far. `updated_at` is `created_at` until something changes. */
export const SubmissionDetail = described(
  Submission.extend({
    status: described(Submission.shape.status, 'The status. New values may be added.', 'in_review'),
    reference: described(
      z.string().optional(),
      'A short name of the submission that people can read out. It never changes, and `q` finds it. Absent for a moment during an upgrade.',
      'V5Q2-N0D0-6H',
    ),
    version_id: versionId(),
    updated_at: updatedAt(),
    revision: described(z.int(), 'The number of corrections so far.', 1),
    edited: described(z.boolean(), 'Whether the answers have been corrected.', true),
    language: described(z.string().optional(), languageText, 'en'),
    assignee: described(z.string().optional(), 'The id of the person who takes care of it.', person),
    notes: described(z.int().optional(), 'The number of notes on it.', 2),
    entered_by: described(Actor.optional(), "The member who entered it on somebody's behalf; absent if a respondent sent it.", member),
    fill_seconds: described(
      z.int().optional(),
      'The time from the first opening of the page to the answers, in seconds; absent where the sender had no page, or sent no start token. Answers that were saved and resumed count from their first opening.',
      94,
    ),
    spam_at: described(
      instant().optional(),
      'The time at which it was classified as spam; absent if it is none.',
      '2026-03-05T11:20:00.000Z',
    ),
    deleted_at: described(
      instant().optional(),
      'The time at which it was moved to the trash; absent if it is not there.',
      '2026-03-05T11:20:00.000Z',
    ),
  }),
  'A submission with everything that v1 does not show.',
);

export const EntryRequest = described(
  z.object({
    data: described(z.record(z.string(), z.unknown(), 'must be an object'), 'The answers by field key.', answers),
    language: described(languageTag().optional(), languageText, 'en'),
  }),
  "Answers that a member enters on somebody's behalf.",
);

export const CorrectionRequest = described(
  z.object({
    data: described(
      z.record(z.string(), z.unknown(), 'must be an object'),
      'All answers by field key, including those that stay the same.',
      answers,
    ),
    reason: described(
      trimmed(1, 500).optional(),
      'The reason for the correction, for the people who read the revisions.',
      'The name was misspelled.',
    ),
    revision: described(whole(0, 2_147_483_647), 'The `revision` of the submission that you have read.', 0),
  }),
  'The corrected answers of a submission.',
);

export const AssigneeRequest = described(
  z.object({
    user_id: described(
      z.string('must be a string, or null').max(64, 'must have at most 64 characters').nullable(),
      'The id of the person, who must have a role on the form, or null for nobody.',
      person,
    ),
    if_changed_at: ifChangedAt(),
  }),
  'The person who takes care of a submission.',
);

const numberText = 'The number of the revision. 0 has the answers as they were submitted.';

/** Answers that a correction replaced. `changed_at`, `changed_by` and `reason` describe that correction. */
export const SubmissionRevision = described(
  z.object({
    number: described(z.int(), numberText, 0),
    changed_at: described(instant(), 'The time of the correction that replaced these answers.', '2026-03-04T16:05:12.000Z'),
    changed_by: described(Actor, 'The person or service account that replaced these answers.', member),
    reason: described(z.string().optional(), 'The reason for the correction; absent if none was given.', 'The name was misspelled.'),
  }),
  'Answers that a correction replaced, and that correction.',
);
carriedAs(SubmissionRevision, { message: 'Revision', flat: { changed_by: 'changed_by' } });

export const SubmissionRevisionList = described(cursorListOf(SubmissionRevision), 'A page of revisions.');
carriedAs(SubmissionRevisionList, { message: 'RevisionList', names: { data: 'revisions' } });

export const SubmissionRevisionDetail = described(
  SubmissionRevision.extend({ schema_version: Submission.shape.schema_version, data: Submission.shape.data }),
  'Answers that a correction replaced, with the answers themselves.',
);
carriedAs(SubmissionRevisionDetail, { message: 'Revision', flat: { changed_by: 'changed_by' } });

/** One that is no number is treated like an unknown one. */
const revisionNumber = z
  .string()
  .transform((digits) => {
    if (!/^\d{1,9}$/.test(digits)) throw Problem.notFound('revision');
    return Number(digits);
  })
  .pipe(whole(0, 2_147_483_647));

const list = '/app/v1/forms/:id/submissions';
const one = { path: `${list}/:subId`, params: { id: formId, subId: submissionId } } as const;
const read = { scope: 'submissions:read' } as const;
const write = { scope: 'submissions:write' } as const;
// The gateway tells from `revision` whether a submission was edited.
const detail = { reply: SubmissionDetail, answer: 'Submission', composed: true } as const;

export const addSubmission = operation({
  method: 'post',
  path: list,
  params: { id: formId },
  summary: "Enter a submission on somebody's behalf",
  description:
    'Stores answers that a member enters on behalf of somebody else, for example from paper. They are checked like those of a respondent and send the same `submission.created`, but are never taken for spam, and no payment is due. They count towards the limit of the form; a closed or full form takes them, one in the trash or never published does not (404). For owners and editors of the form.',
  access: write,
  body: EntryRequest,
  status: 201,
  ...detail,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.EnterSubmission',
  added: z.object({ idempotency_key: IdempotencyKey.optional() }),
});

export const getSubmissionDetail = operation({
  ...one,
  method: 'get',
  summary: 'Get a submission with its details',
  description:
    'Returns one submission with its answers and everything that v1 does not show, such as the revision that correctSubmission expects.',
  access: read,
  status: 200,
  ...detail,
  errors: [401, 403, 404],
  rpc: 'submissions.GetSubmissionDetail',
});

export const correctSubmission = operation({
  ...one,
  method: 'patch',
  summary: 'Correct the answers of a submission',
  description:
    'Replaces the answers of a submission. They are checked against the version that the submission was made against. Earlier answers stay readable as revisions. Sends `submission.corrected`, which only webhooks of the application receive. A stale revision is 409. For owners and editors of the form.',
  access: write,
  body: CorrectionRequest,
  status: 200,
  ...detail,
  errors: [400, 401, 403, 404, 409],
  rpc: 'submissions.CorrectSubmission',
});

export const assignSubmission = operation({
  ...one,
  path: `${one.path}/assignee`,
  method: 'put',
  summary: 'Assign a submission to a person',
  description:
    'Names the person who takes care of a submission, who must have a role on the form, or nobody. A person who loses access later stays named. Subscribers are not notified. For owners and editors of the form.',
  access: write,
  body: AssigneeRequest,
  status: 200,
  ...detail,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.AssignSubmission',
  // The gateway has checked that the person has a role on the form.
  added: z.object({
    user_id: described(text(1, 64).refine(isId, 'must be the id of a person').nullable(), "The person's id; absent for nobody."),
  }),
});

export const listSubmissionRevisions = operation({
  ...one,
  path: `${one.path}/revisions`,
  method: 'get',
  summary: 'List the earlier revisions of a submission',
  description: 'Lists the answers that corrections replaced, newest first, without the answers themselves.',
  access: read,
  query: z.object(cursorPage),
  status: 200,
  reply: SubmissionRevisionList,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ListRevisions',
});

export const getSubmissionRevision = operation({
  method: 'get',
  path: `${one.path}/revisions/:number`,
  params: { ...one.params, number: pathParam('number', numberText, { shape: revisionNumber, sample: '0' }) },
  summary: 'Get an earlier revision of a submission',
  description: 'Returns answers that a correction replaced, with the version of the form that they were made against.',
  access: read,
  status: 200,
  reply: SubmissionRevisionDetail,
  errors: [401, 403, 404],
  rpc: 'submissions.GetRevision',
});
