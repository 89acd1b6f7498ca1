import {
  MarkedSubmission,
  PageQuery,
  SpamList,
  SpamMarkRequest,
  StatusHistory,
  Submission,
  SubmissionActivity,
  TrashList,
} from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { pageBytes, submissionPage } from '../submission-page';
import { pageOf, param, v1Submission, wholeList, type Services } from '../services';

const base = '/app/v1/forms/:id/submissions';

/** Operations on submissions that the v1 contract lacks: history, trash and spam. */
export const lifecycle = ({ submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/:subId/history`,
    summary: 'Get the status history of a submission',
    access: { scope: 'submissions:read' },
    status: 200,
    reply: StatusHistory,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const { changes } = await submissions.getHistory(call, { form_id: param(params, 'id'), id: param(params, 'subId') });
      return wholeList(
        changes.map(({ from, to, actor_kind, actor_id, at }) => ({
          status: to,
          from: from === '' ? undefined : from,
          to,
          actor: { kind: actor_kind, id: actor_id },
          at,
        })),
      );
    },
  }),
  route({
    method: 'get',
    path: `${base}/:subId/activity`,
    summary: 'Get the activity on a submission',
    access: { scope: 'submissions:read' },
    status: 200,
    reply: SubmissionActivity,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const { deeds } = await submissions.getHistory(call, { form_id: param(params, 'id'), id: param(params, 'subId') });
      return wholeList(deeds.map(({ actor_kind: kind, actor_id: id, ...deed }) => ({ ...deed, actor: { kind, id } })));
    },
  }),
  route({
    method: 'get',
    path: `${base}/trash`,
    summary: 'List the deleted submissions of a form',
    access: { scope: 'submissions:read' },
    query: PageQuery,
    status: 200,
    reply: TrashList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const formId = param(params, 'id');
      const page = await submissions.listTrash(call, { form_id: formId, ...query, max_bytes: pageBytes });
      return submissionPage({ submissions }, page, {
        formId,
        envelope: (data) => pageOf(data, page.total, query),
        shape: (trashed) => ({ ...v1Submission(trashed), deleted_at: trashed.deleted_at }),
      });
    },
  }),
  route({
    method: 'post',
    path: `${base}/:subId/restore`,
    summary: 'Restore a deleted submission',
    access: { scope: 'submissions:write' },
    status: 200,
    reply: Submission,
    errors: [401, 403, 404],
    handle: async ({ call, params }) =>
      v1Submission(await submissions.restoreSubmission(call, { form_id: param(params, 'id'), id: param(params, 'subId') })),
  }),
  route({
    method: 'get',
    path: `${base}/spam`,
    summary: 'List the spam submissions of a form',
    access: { scope: 'submissions:read' },
    query: PageQuery,
    status: 200,
    reply: SpamList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const formId = param(params, 'id');
      const page = await submissions.listSpam(call, { form_id: formId, ...query, max_bytes: pageBytes });
      return submissionPage({ submissions }, page, { formId, envelope: (data) => pageOf(data, page.total, query), shape: withSpam });
    },
  }),
  route({
    method: 'put',
    path: `${base}/:subId/spam`,
    summary: 'Mark a submission as spam, or release it',
    access: { scope: 'submissions:write' },
    body: SpamMarkRequest,
    status: 200,
    reply: MarkedSubmission,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) =>
      withSpam(await submissions.markSpam(call, { form_id: param(params, 'id'), id: param(params, 'subId'), spam: body.spam })),
  }),
];

const withSpam = (submission: Parameters<typeof v1Submission>[0]) => ({
  ...v1Submission(submission),
  spam_reason: submission.spam_reason,
  spam_at: submission.spam_at,
});
