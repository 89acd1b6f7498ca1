import { getSubmissionActivity, getSubmissionHistory, listSpamSubmissions, listTrashedSubmissions } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { pageBytes, submissionPage } from '../submission-page';
import { pageOf, param, v1Submission, wholeList, type Services } from '../services';

const historyRequest = asking(getSubmissionHistory);
const trashRequest = asking(listTrashedSubmissions);
const spamRequest = asking(listSpamSubmissions);

/** The history of a submission, and the lists of trash and spam. */
export const lifecycle = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(getSubmissionHistory),
    handle: async ({ call, params }) => {
      const { changes } = await submissions.getHistory(call, historyRequest({ params }));
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
    ...rowOf(getSubmissionActivity),
    handle: async ({ call, params }) => {
      const { deeds } = await submissions.getHistory(call, historyRequest({ params }));
      return wholeList(deeds.map(({ actor_kind: kind, actor_id: id, ...deed }) => ({ ...deed, actor: { kind, id } })));
    },
  }),
  route({
    ...rowOf(listTrashedSubmissions),
    handle: async ({ call, params, query }) => {
      const page = await submissions.listTrash(call, trashRequest({ params, query }, { max_bytes: pageBytes }));
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
        envelope: (data) => pageOf(data, page.total, query),
        shape: (trashed) => ({ ...v1Submission(trashed), version_id: trashed.version_id, deleted_at: trashed.deleted_at }),
      });
    },
  }),
  route({
    ...rowOf(listSpamSubmissions),
    handle: async ({ call, params, query }) => {
      const page = await submissions.listSpam(call, spamRequest({ params, query }, { max_bytes: pageBytes }));
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
        envelope: (data) => pageOf(data, page.total, query),
        shape: ({ spam_reason, spam_at, ...submission }) => ({
          ...v1Submission(submission),
          version_id: submission.version_id,
          spam_reason,
          spam_at,
        }),
      });
    },
  }),
];
