import { SubjectErasure, SubjectErasureRequest, SubjectMatches, SubjectsQuery } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import type { Services } from '../services';

/** The submissions of one person in all forms that the caller owns. */
export const subjects = ({ submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/subjects',
    summary: "Find a person's submissions",
    access: 'person',
    query: SubjectsQuery,
    status: 200,
    reply: SubjectMatches,
    errors: [400, 401, 403],
    handle: async ({ call, query }) => {
      const { matches, next_cursor: next, indexed } = await submissions.findSubject(call, query);
      return { data: matches.map(({ data, ...match }) => ({ ...match, data: RawJson.of(data) })), next_cursor: next ?? null, indexed };
    },
  }),
  route({
    method: 'post',
    path: '/app/v1/subjects/erase',
    summary: "Erase a person's submissions for good",
    access: 'person',
    body: SubjectErasureRequest,
    status: 202,
    reply: SubjectErasure,
    errors: [400, 401, 403],
    handle: async ({ call, body }) => {
      const { next_cursor: next, ...outcome } = await submissions.eraseSubject(call, body);
      return { ...outcome, next_cursor: next ?? null };
    },
  }),
];
