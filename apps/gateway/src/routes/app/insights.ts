import { getFormInsights } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const request = asking(getFormInsights);

/** Counts of a form's submissions. */
export const insights = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(getFormInsights),
    handle: async ({ call, params, query }) => {
      const { timezone = 'UTC' } = await forms.getForm(call, { id: param(params, 'id') });
      const { fields, steps, ...counts } = await submissions.getInsights(call, request({ params, query }, { timezone }));
      return {
        ...counts,
        timezone,
        ...(steps.length > 0 && { steps }),
        fields: fields.map((counted) => fieldInsights(counted, (counts.narrowed ?? counts).submissions)),
      };
    },
  }),
];

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 10_000);

type Counted = Awaited<ReturnType<Services['submissions']['getInsights']>>['fields'][number];

const fieldInsights = ({ key, label, answered, asked, options, numbers, rows, places, omitted }: Counted, submissions: number) => ({
  key,
  ...(label === undefined ? {} : { label }),
  answered,
  ...(asked === undefined ? {} : { asked }),
  answered_share: shareOf(answered, asked ?? submissions),
  ...(options.length > 0 ? { options } : {}),
  ...(numbers ? { numbers } : {}),
  ...(rows.length > 0 ? { rows } : {}),
  ...(places.length > 0 ? { places } : {}),
  ...(omitted ? { omitted } : {}),
});
