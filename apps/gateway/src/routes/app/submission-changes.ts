import { listSubmissionChanges } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import type { Services } from '../services';

const request = asking(listSubmissionChanges);

/** Returns the changes of the submissions of a form. The service has printed it, answers and all. */
export const submissionChanges = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(listSubmissionChanges),
    handle: async ({ call, params, query }) => {
      const { json, has_more, next_cursor } = await submissions.listSubmissionChanges(call, request({ params, query }));
      return { data: RawJson.of(json), has_more, next_cursor };
    },
  }),
];
