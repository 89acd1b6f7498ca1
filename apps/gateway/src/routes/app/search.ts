import { FoundSubmissions, readFilters, SubmissionSearch } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { pageBytes, submissionDetail, submissionPage } from '../submission-page';
import { param, type Services } from '../services';

/** Looks for submissions by their answers, status, time and assignee. */
export const search = ({ submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id/submissions',
    summary: 'Search the submissions of a form',
    access: { scope: 'submissions:read' },
    query: SubmissionSearch,
    status: 200,
    reply: FoundSubmissions,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query: { status, filter, sort, ...query } }) => {
      const formId = param(params, 'id');
      // A client that follows the changes reads them from the oldest on.
      const order = sort ?? (query.changed_since === undefined ? '-created' : 'updated');
      const asked = {
        ...query,
        sort: order,
        form_id: formId,
        statuses: status ?? [],
        filters: readFilters(filter),
        max_bytes: pageBytes,
        as_json: true,
      };
      const { total, next_cursor, indexed, ...page } = await submissions.findSubmissions(call, asked);
      const found = (page.in_json ?? page.submissions.length) + page.rest.length;
      return submissionPage({ submissions }, page, {
        formId,
        shape: submissionDetail,
        envelope: (data) => ({
          data,
          ...(total === undefined ? { total_at_least: found } : { total }),
          next_cursor: next_cursor ?? null,
          ...(indexed === undefined ? {} : { indexed }),
        }),
      });
    },
  }),
];
