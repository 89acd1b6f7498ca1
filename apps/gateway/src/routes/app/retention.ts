import { getFormRetention, getInstanceRetention, updateInstanceRetention, type Keeping } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const formRequest = asking(getFormRetention);
const instanceRequest = asking(getInstanceRetention);
const change = asking(updateInstanceRetention);

/** The days for which a form and the instance keep things now, and from when they will keep less. */
export const retention = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(getFormRetention),
    handle: async ({ call, params }) => {
      const { settings } = await forms.getFormSettings(call, { id: param(params, 'id') });
      const { retention: days } = JSON.parse(settings.toString()) as Keeping;
      return scheduleOf(await submissions.getFormRetention(call, formRequest({ params }, { days })));
    },
  }),
  route({
    ...rowOf(getInstanceRetention),
    handle: async ({ call, params }) => ofInstance(await submissions.getInstanceRetention(call, instanceRequest({ params }))),
  }),
  route({
    ...rowOf(updateInstanceRetention),
    handle: async ({ call, params, body }) => ofInstance(await submissions.updateInstanceRetention(call, change({ params, body }))),
  }),
];

type ScheduleMessage = Pick<Awaited<ReturnType<Services['submissions']['getFormRetention']>>, 'in_force' | 'upcoming'>;

const scheduleOf = ({ in_force, upcoming }: ScheduleMessage) => ({
  in_force: in_force ?? {},
  upcoming: upcoming.map((planned) => ({ ...planned, undo_days: planned.undo_days ?? null })),
});

type RetentionMessage = Awaited<ReturnType<Services['submissions']['getInstanceRetention']>>;

/** An earlier release of `submissions` sends no schedule: all days are in force there. */
const ofInstance = ({ schedule, ...days }: RetentionMessage) => ({
  ...days,
  ...scheduleOf(schedule ?? { in_force: days, upcoming: [] }),
});
