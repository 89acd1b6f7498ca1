import { FormInsights, InsightsQuery } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

/** Counts of a form's submissions. */
export const insights = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id/insights',
    summary: 'Get the insights of a form',
    access: { scope: 'submissions:read' },
    query: InsightsQuery,
    status: 200,
    reply: FormInsights,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query: { field, ...period } }) => {
      const id = param(params, 'id');
      const { timezone = 'UTC' } = await forms.getForm(call, { id });
      const { fields, ...counts } = await submissions.getInsights(call, { form_id: id, timezone, ...period, keys: field ?? [] });
      return { ...counts, timezone, fields: fields.map((counted) => fieldInsights(counted, counts.submissions)) };
    },
  }),
];

type Counted = Awaited<ReturnType<Services['submissions']['getInsights']>>['fields'][number];

const fieldInsights = ({ key, answered, options, numbers, omitted }: Counted, submissions: number) => ({
  key,
  answered,
  answered_share: submissions === 0 ? 0 : Math.round((10_000 * answered) / submissions) / 10_000,
  ...(options.length > 0 ? { options } : {}),
  ...(numbers ? { numbers } : {}),
  ...(omitted ? { omitted } : {}),
});
