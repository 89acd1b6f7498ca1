import {
  InstanceMember,
  InstanceMemberList,
  InstanceMemberRequest,
  InstanceRetention,
  InstanceRetentionRequest,
  InstanceRoleRequest,
} from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asPatch, param, wholeList, type Services } from '../services';
import { retentionSchedule } from './retention';

const retention = '/app/v1/instance/retention';
const members = '/app/v1/instance/members';
const running = 'manage who runs this instance';

/** The settings of the whole instance, and the people who run it. */
export const instance = ({ submissions, workspaces }: Services): Route[] => [
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
  route({
    method: 'get',
    path: members,
    summary: 'List the people who run the instance',
    access: 'session',
    onInstance: running,
    status: 200,
    reply: InstanceMemberList,
    errors: [401, 403],
    handle: async ({ call }) => wholeList((await workspaces.listInstanceMembers(call, {})).members),
  }),
  route({
    method: 'post',
    path: members,
    summary: 'Give a person a role in the instance by their address',
    access: 'session',
    onInstance: running,
    body: InstanceMemberRequest,
    status: 200,
    reply: InstanceMember,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, body, forgetCaller }) => {
      const member = await workspaces.addInstanceMember(call, body);
      forgetCaller();
      return member;
    },
  }),
  route({
    method: 'put',
    path: `${members}/:userId`,
    summary: 'Give a person a role in the instance',
    access: 'session',
    onInstance: running,
    body: InstanceRoleRequest,
    status: 200,
    reply: InstanceMember,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, forgetCaller }) => {
      const member = await workspaces.setInstanceRole(call, { user_id: param(params, 'userId'), ...body });
      forgetCaller();
      return member;
    },
  }),
  route({
    method: 'delete',
    path: `${members}/:userId`,
    summary: "Take a person's role in the instance away",
    access: 'session',
    onInstance: running,
    status: 204,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, forgetCaller }) => {
      await workspaces.removeInstanceMember(call, { user_id: param(params, 'userId') });
      forgetCaller();
    },
  }),
];

type RetentionMessage = Awaited<ReturnType<Services['submissions']['getInstanceRetention']>>;

/** An earlier release of `submissions` sends no schedule: all days are in force there. */
const shown = ({ schedule, ...days }: RetentionMessage) => ({
  ...days,
  ...retentionSchedule(schedule ?? { in_force: days, upcoming: [] }),
});
