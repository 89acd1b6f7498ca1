import { getSubmissionViewCounts, SubmissionViewCounts } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf, showing } from '../derived';
import { param, type Services } from '../services';

const request = asking(getSubmissionViewCounts);
const shown = showing(SubmissionViewCounts);

/** Numbers for the tabs above a list: `forms` has the views, and `submissions` counts. The other operations on views are derived. */
export const views = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(getSubmissionViewCounts),
    endsWithClient: true,
    handle: async ({ call, params }) => {
      const { views: all } = await forms.listViews(call, { form_id: param(params, 'id') });
      const pinned = all.filter((view) => view.pinned);
      if (pinned.length === 0) return { data: [] };
      const message = request({ params }, { views: [] });
      // The searches are JSON already.
      return shown(await submissions.countViews(call, { ...message, views: pinned.map(({ id, search }) => ({ id, search })) }));
    },
  }),
];
