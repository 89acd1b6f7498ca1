import { InstanceRetention, InstanceRetentionRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asPatch, type Services } from '../services';
import { retentionSchedule } from './retention';

const retention = '/app/v1/instance/retention';

/** The settings of the whole instance. */
export const instance = ({ submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: retention,
    summary: 'Get the retention of the instance',
    access: 'person',
    status: 200,
    reply: InstanceRetention,
    errors: [401, 403],
    handle: async ({ call }) => shown(await submissions.getInstanceRetention(call, {})),
  }),
  route({
    method: 'patch',
    path: retention,
    summary: 'Update the retention of the instance',
    access: 'person',
    onInstance: 'decide how long this instance keeps submissions',
    body: InstanceRetentionRequest,
    status: 200,
    reply: InstanceRetention,
    errors: [400, 401, 403],
    handle: async ({ call, body }) => shown(await submissions.updateInstanceRetention(call, asPatch(body))),
  }),
];

type RetentionMessage = Awaited<ReturnType<Services['submissions']['getInstanceRetention']>>;

/** An earlier release of `submissions` sends no schedule: all days are in force there. */
const shown = ({ schedule, ...days }: RetentionMessage) => ({
  ...days,
  ...retentionSchedule(schedule ?? { in_force: days, upcoming: [] }),
});
