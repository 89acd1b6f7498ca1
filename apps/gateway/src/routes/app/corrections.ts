import { addSubmission, assignSubmission, correctSubmission, getSubmissionDetail, IdempotencyKey } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { idempotencyKey } from '../idempotency-key';
import type { Services } from '../services';
import { submissionDetail } from '../submission-page';

const entry = asking(addSubmission);
const detailRequest = asking(getSubmissionDetail);
const correction = asking(correctSubmission);
const assignment = asking(assignSubmission);

/** Single submissions with everything that v1 does not show: their entry by members, corrections of their answers, and who takes care of them. */
export const corrections = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(addSubmission),
    headers: { 'Idempotency-Key': IdempotencyKey },
    handle: async ({ call, params, body, request }) => {
      const key = idempotencyKey(request.headers['idempotency-key']);
      return submissionDetail(await submissions.enterSubmission(call, entry({ params, body }, { idempotency_key: key })));
    },
  }),
  route({
    ...rowOf(getSubmissionDetail),
    handle: async ({ call, params }) => submissionDetail(await submissions.getSubmissionDetail(call, detailRequest({ params }))),
  }),
  route({
    ...rowOf(correctSubmission),
    handle: async ({ call, params, body }) => submissionDetail(await submissions.correctSubmission(call, correction({ params, body }))),
  }),
  route({
    ...rowOf(assignSubmission),
    handle: async ({ call, params, body: { user_id, ...condition } }) => {
      const wanted = assignment({ params, body: condition }, { user_id });
      if (user_id !== null) {
        const { role } = await forms.getPersonRole(call, { form_id: wanted.form_id, user_id });
        if (role === undefined) throw Problem.badRequest('user_id: must be a person with a role on the form');
      }
      return submissionDetail(await submissions.assignSubmission(call, wanted));
    },
  }),
];
