import { RetentionSchedule, type Keeping } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

/** What a form keeps now, and from when it will keep less. */
export const retention = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id/retention',
    summary: 'Get the retention of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: RetentionSchedule,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const id = param(params, 'id');
      const { settings } = await forms.getFormSettings(call, { id });
      const { retention: days } = JSON.parse(settings.toString()) as Keeping;
      return retentionSchedule(await submissions.getFormRetention(call, { form_id: id, days }));
    },
  }),
];

type ScheduleMessage = Pick<Awaited<ReturnType<Services['submissions']['getFormRetention']>>, 'in_force' | 'upcoming'>;

export const retentionSchedule = ({ in_force, upcoming }: ScheduleMessage) => ({
  in_force: in_force ?? {},
  upcoming: upcoming.map((change) => ({ ...change, undo_days: change.undo_days ?? null })),
});
