import { InstanceRetention, InstanceRetentionRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asPatch, type Services } from '../services';

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
    handle: ({ call }) => submissions.getInstanceRetention(call, {}),
  }),
  route({
    method: 'patch',
    path: retention,
    summary: 'Update the retention of the instance',
    access: 'person',
    body: InstanceRetentionRequest,
    status: 200,
    reply: InstanceRetention,
    errors: [400, 401, 403],
    handle: ({ call, body }) => submissions.updateInstanceRetention(call, asPatch(body)),
  }),
];
