import { searchSubmissions } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { pageBytes, submissionDetail, submissionPage } from '../submission-page';
import { param, type Services } from '../services';

const request = asking(searchSubmissions);

/** Looks for submissions by their answers, status, time and assignee. */
export const search = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(searchSubmissions),
    handle: async ({ call, params, query }) => {
      // A client that follows the changes reads them from the oldest on.
      const sort = query.sort ?? (query.changed_since === undefined ? '-created' : 'updated');
      const added = { sort, max_bytes: pageBytes, as_json: true };
      const { total, next_cursor, indexed, ...page } = await submissions.findSubmissions(call, request({ params, query }, added));
      const found = (page.in_json ?? page.submissions.length) + page.rest.length;
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
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
