import { BulkChange, createBulkChange } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { asking, rowOf, showing } from '../derived';
import type { Services } from '../services';

const request = asking(createBulkChange);
const shown = showing(BulkChange);

/** Changes of all submissions that a search finds. The other operations on them are derived. */
export const bulkChanges = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(createBulkChange),
    handle: async ({ call, params, query, body }) => {
      const wanted = request({ params, query, body });
      if (body.new_assignee !== undefined) {
        const { role } = await forms.getPersonRole(call, { form_id: wanted.form_id, user_id: body.new_assignee });
        if (role === undefined) throw Problem.badRequest('new_assignee: must be a person with a role on the form');
      }
      return shown(await submissions.startBulkChange(call, wanted));
    },
  }),
];
