import { z } from 'zod';
import { described } from '../described';
import { BulkRequest } from './lifecycle';
import { carriedAs } from './message';
import { operation, type Partly } from './operation';
import { formId, idOfForm, submissionId } from './params';

const forever = z.object({
  forever: described(
    z.literal('true', 'must be true, as nothing brings back what is erased'),
    'Must be `true`: nothing brings back what is erased.',
  ),
});

/** Says that the caller knows: nothing brings back what is erased. */
export const ForeverQuery = carriedAs(forever, { without: ['forever'] }) as typeof forever & Partly<'forever'>;

/** The id under which listErasures and getErasure show how far it is. */
export const ErasureStarted = described(
  z.object({
    erasure_id: described(z.string(), 'The id of the erasure, for `getErasure`.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0e'),
  }),
  'An erasure that has begun.',
);

export const eraseForm = operation({
  method: 'delete',
  path: '/app/v1/forms/:id',
  params: { id: idOfForm },
  summary: 'Erase a form for good',
  description:
    'Erases a form from the trash for good, with its versions, submissions, files, webhooks and everything else that belongs to it. Nothing brings it back. Answers before every copy is gone: `getErasure` tells how far it is. A form that is not in the trash, or under legal hold, is 409. For owners of the form.',
  access: { scope: 'forms:write' },
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.EraseForm',
  answer: 'EraseFormReply',
});

export const eraseSubmission = operation({
  method: 'delete',
  path: '/app/v1/forms/:id/submissions/:subId',
  params: { id: formId, subId: submissionId },
  summary: 'Erase a submission for good',
  description:
    'Erases a submission from the trash for good, with its revisions, files and history, and its answers in the delivery log. Nothing brings it back. Answers before every copy is gone: `getErasure` tells how far it is. A submission that is not in the trash, and a form under legal hold, are 409. For owners of the form.',
  access: { scope: 'submissions:write' },
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'submissions.EraseSubmission',
  answer: 'EraseSubmissionsReply',
});

export const eraseSubmissions = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-erase',
  params: { id: formId },
  summary: 'Erase several submissions for good',
  description: 'Erases up to 500 submissions from the trash for good, all or none. For owners of the form.',
  access: { scope: 'submissions:write' },
  body: BulkRequest,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'submissions.EraseSubmissions',
  answer: 'EraseSubmissionsReply',
});
