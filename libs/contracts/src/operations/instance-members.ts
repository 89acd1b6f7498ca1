import { instanceRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { described } from '../described';
import { email, instanceRole, wholeListOf } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { userId } from './params';
import { WorkspaceMember } from './workspaces';

export const InstanceMember = described(
  WorkspaceMember.extend({
    role: described(z.enum(instanceRoles), 'The role in the instance. Treat an unknown value as no access.', 'admin'),
  }),
  'A person who runs the instance.',
);
carriedAs(InstanceMember, { message: 'Member' });

export const InstanceMemberList = described(wholeListOf(InstanceMember), 'A list of the people who run the instance.');
carriedAs(InstanceMemberList, { message: 'MemberList', names: { data: 'members' } });

export const InstanceRoleRequest = described(
  z.object({ role: described(instanceRole(), 'The role in the instance.', 'admin') }),
  'The role of a person in the instance.',
);

export const InstanceMemberRequest = described(
  InstanceRoleRequest.extend({ email: described(email(), 'The e-mail address.', 'ada@example.org') }),
  'A person, by their address, and their role in the instance.',
);

const path = '/app/v1/instance/members';
const ofMember = { path: `${path}/:userId`, params: { userId } } as const;
const byThoseWhoRunIt = { access: 'session', onInstance: 'manage who runs this instance' } as const;

export const listInstanceMembers = operation({
  ...byThoseWhoRunIt,
  method: 'get',
  path,
  summary: 'List the people who run the instance',
  description: 'Lists the people who run the instance, by name. For owners and admins of the instance, with a session.',
  status: 200,
  reply: InstanceMemberList,
  errors: [401, 403],
  rpc: 'workspaces.ListInstanceMembers',
});

export const addInstanceMember = operation({
  ...byThoseWhoRunIt,
  method: 'post',
  path,
  summary: 'Give a person a role in the instance by their address',
  description:
    'Gives a person a role in the instance by their e-mail address, within a second. A person without an account, or who is in no workspace, is 404; somebody who has not accepted their invitation is 409. For owners and admins of the instance, with a session; an admin cannot add an owner.',
  changesAccess: true,
  body: InstanceMemberRequest,
  status: 200,
  reply: InstanceMember,
  errors: [400, 401, 403, 404, 409],
  rpc: 'workspaces.AddInstanceMember',
});

export const updateInstanceMember = operation({
  ...byThoseWhoRunIt,
  ...ofMember,
  method: 'put',
  summary: 'Give a person a role in the instance',
  description:
    'Gives a person a role in the instance, or another one, within a second. A person who has not accepted their invitation is 409. For owners and admins of the instance, with a session; only an owner changes owners. The last owner cannot be demoted.',
  changesAccess: true,
  body: InstanceRoleRequest,
  status: 200,
  reply: InstanceMember,
  errors: [400, 401, 403, 404, 409],
  rpc: 'workspaces.SetInstanceRole',
});

export const removeInstanceMember = operation({
  ...byThoseWhoRunIt,
  ...ofMember,
  method: 'delete',
  summary: "Take a person's role in the instance away",
  description:
    "Takes a person's role in the instance away, within a second; their roles in workspaces stay, and so do service accounts that they made, with the keys. For owners and admins of the instance, with a session; only an owner removes owners. The last owner cannot be removed.",
  changesAccess: true,
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.RemoveInstanceMember',
});
