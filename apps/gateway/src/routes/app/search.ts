import { searchSubmissions } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { pageBytes, submissionDetail, submissionPage } from '../submission-page';
import { param, type Services } from '../services';
import { namesOf } from './names';

const request = asking(searchSubmissions);

/** Looks for submissions by their answers, status, time and assignee. */
export const search = ({ forms, submissions, workspaces }: Services): Route[] => [
  route({
    ...rowOf(searchSubmissions),
    handle: async (context) => {
      const { call, params, query } = context;
      // A client that follows the changes reads them from the oldest on.
      const sort = query.sort ?? (query.changed_since === undefined ? '-created' : 'updated');
      const people = isByPerson(sort) ? inOrder(await namesOf({ forms, workspaces }, param(params, 'id'), context)) : [];
      const added = { sort, people, max_bytes: pageBytes, as_json: true };
      const { total, next_cursor, indexed, preparing, ...page } = await submissions.findSubmissions(
        call,
        request({ params, query }, added),
      );
      const found = (page.in_json ?? page.submissions.length) + page.rest.length;
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
        shape: submissionDetail,
        envelope: (data) => ({
          data,
          ...(total === undefined ? { total_at_least: found } : { total }),
          next_cursor: next_cursor ?? null,
          ...(preparing ? { preparing } : {}),
          ...(indexed === undefined ? {} : { indexed }),
        }),
      });
    },
  }),
];

const isByPerson = (sort: string): boolean => sort === 'assignee' || sort === '-assignee';

/** The ids in the order of the names. */
const inOrder = (names: Readonly<Record<string, string>>): string[] =>
  Object.entries(names)
    .sort(([oneId, one], [otherId, other]) => byName.compare(one, other) || (oneId < otherId ? -1 : 1))
    .map(([id]) => id);
const byName = new Intl.Collator('und');
