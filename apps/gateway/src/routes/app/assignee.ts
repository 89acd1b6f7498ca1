import { AssigneeRequest, SubmissionDetail } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { submissionDetail } from '../submission-page';
import { param, type Services } from '../services';

/** The member who takes care of a submission. */
export const assignee = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'put',
    path: '/app/v1/forms/:id/submissions/:subId/assignee',
    summary: 'Assign a submission to a person',
    access: { scope: 'submissions:write' },
    body: AssigneeRequest,
    status: 200,
    reply: SubmissionDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body: { user_id } }) => {
      const of = { form_id: param(params, 'id'), id: param(params, 'subId') };
      if (user_id === null) return submissionDetail(await submissions.assignSubmission(call, of));
      const { role } = await forms.getPersonRole(call, { form_id: of.form_id, user_id });
      if (role === undefined) throw Problem.badRequest('user_id: must be a person with a role on the form');
      return submissionDetail(await submissions.assignSubmission(call, { ...of, user_id }));
    },
  }),
];
