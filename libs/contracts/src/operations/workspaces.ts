import { z } from 'zod';
import { described } from '../described';
import { createdAt, email as address, ownId, role, text, trimmed, updatedAt, wholeListOf, workspaceRole, workspaceSlug } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { idOfWorkspace, userId, workspaceId } from './params';

const email = () => described(z.string(), 'The e-mail address.', 'ada@example.org');
const personName = () => described(z.string(), 'The name.', 'Ada Lovelace');

export const AuthMe = described(z.object({ id: ownId(), email: email(), name: personName() }), 'A person or a service account.');
carriedAs(AuthMe, { message: 'Me' });

const workspaceName = <T extends z.ZodType>(shape: T) => described(shape, 'The name.', 'Field work');
const color = <T extends z.ZodType>(shape: T) => described(shape, 'The color; may be empty.', 'teal');

export const WorkspaceSummary = described(
  z.object({
    id: ownId(),
    name: workspaceName(z.string()),
    color: color(z.string()),
    role: role(z.string()),
    created_at: createdAt(),
    updated_at: updatedAt(),
  }),
  "A workspace with the caller's role in it.",
);
carriedAs(WorkspaceSummary, { message: 'Workspace' });

export const WorkspaceList = described(wholeListOf(WorkspaceSummary), 'A list of workspaces.');
carriedAs(WorkspaceList, { names: { data: 'workspaces' } });

const slug = <T extends z.ZodType>(shape: T, more = '') =>
  described(shape, `The first label of the workspace's host name.${more}`, 'field-work');

/** The workspace, as its owners and admins see it. */
export const OwnWorkspace = described(
  WorkspaceSummary.extend({ slug: slug(z.string()) }),
  'A workspace with the settings that its owners and admins may change.',
);

export const WorkspaceCreateRequest = described(
  z.object({
    name: workspaceName(trimmed(1, 100)),
    slug: slug(workspaceSlug().optional(), ' If absent, it is derived from the name.'),
    color: color(trimmed(0, 32).optional()),
  }),
  'The workspace to create.',
);

export const WorkspaceUpdateRequest = described(
  z.object({
    name: workspaceName(trimmed(1, 100).optional()),
    slug: slug(workspaceSlug().optional()),
    color: color(trimmed(0, 32).nullable().optional()),
  }),
  'Changes to a workspace. Absent properties stay unchanged.',
);
carriedAs(WorkspaceUpdateRequest, { message: 'WorkspacePatch' });

export const ActiveWorkspaceRequest = described(
  z.object({ workspace_id: described(text(1, 64), "The workspace's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04') }),
  'The workspace to act in.',
);

export const WorkspaceMember = described(
  z.object({
    user_id: described(z.string(), "The person's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05'),
    name: personName(),
    email: email(),
    avatar_url: described(z.string(), 'The URL of a picture; may be empty.', ''),
    role: role(z.string()),
    created_at: createdAt(),
  }),
  'A person in a workspace.',
);
carriedAs(WorkspaceMember, { message: 'Member' });

export const WorkspaceMemberList = described(wholeListOf(WorkspaceMember), 'A list of members.');
carriedAs(WorkspaceMemberList, { message: 'MemberList', names: { data: 'members' } });

export const MemberRequest = described(
  z.object({
    email: described(address(), 'The e-mail address.', 'ada@example.org'),
    name: described(trimmed(1, 100).optional(), 'The name.', 'Ada Lovelace'),
    role: role(workspaceRole()),
  }),
  'The person to add to a workspace.',
);

export const AddedMember = described(
  WorkspaceMember.extend({
    invitation: described(
      z.enum(['made', 'pending', 'needed']).optional(),
      'The state of the invitation of a person who has no password yet. `made`: a new invitation, at `invitation_url`, has replaced any earlier one. ' +
        '`pending`: an earlier invitation is still valid and now includes this role. `needed`: no invitation is valid, because neither you nor the ' +
        'sender of an earlier one may assign all roles that the person is about to get; somebody with those rights must add the person again.',
    ),
    invitation_url: described(
      z.string().optional(),
      'The URL of the new invitation; absent if none was created. Its last path segment is the token.',
      'https://forms.example.org/invitations/Zk1…',
    ),
  }),
  'A new member of a workspace. Includes an invitation if the person has no password yet.',
);

export const MemberRoleRequest = described(z.object({ role: role(workspaceRole()) }), 'The new role of a member.');

export const getCaller = operation({
  method: 'get',
  path: '/api/v1/auth/me',
  summary: 'Get the authenticated caller',
  description:
    'Returns the person or service account that the credential belongs to. A service account has its own id and name, and an e-mail address that does not exist.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: AuthMe,
  errors: [401],
  rpc: 'workspaces.GetMe',
});

export const switchWorkspace = operation({
  method: 'patch',
  path: '/api/v1/auth/workspace',
  summary: 'Switch the active workspace',
  description:
    "Switches a session's active workspace. A key always acts in its owner's default workspace: the response is that workspace, and nothing changes.",
  access: { scope: 'workspaces:manage' },
  changesAccess: true,
  body: ActiveWorkspaceRequest,
  status: 200,
  reply: WorkspaceSummary,
  errors: [400, 401, 403],
  rpc: 'workspaces.SwitchWorkspace',
});

export const listWorkspaces = operation({
  method: 'get',
  path: '/api/v1/workspaces',
  summary: 'List workspaces',
  description: 'Lists the workspaces that the caller is a member of. The list is empty for a service account.',
  access: { scope: 'workspaces:manage' },
  status: 200,
  reply: WorkspaceList,
  errors: [401],
  rpc: 'workspaces.ListWorkspaces',
});

export const listWorkspaceMembers = operation({
  method: 'get',
  path: '/api/v1/workspaces/:id/members',
  params: { id: workspaceId },
  summary: 'List the members of a workspace',
  description:
    'Lists the members of a workspace and their roles. The response is 403 if the caller is not a member or the workspace does not exist.',
  access: { scope: 'workspaces:manage' },
  status: 200,
  reply: WorkspaceMemberList,
  errors: [401, 403],
  rpc: 'workspaces.ListMembers',
});

export const createWorkspace = operation({
  method: 'post',
  path: '/app/v1/workspaces',
  summary: 'Create a workspace',
  description: 'Creates a workspace that the caller owns. For owners and admins of the instance.',
  access: 'person',
  onInstance: 'create workspaces',
  body: WorkspaceCreateRequest,
  status: 201,
  reply: OwnWorkspace,
  errors: [400, 401, 403],
  rpc: 'workspaces.CreateWorkspace',
  composed: true,
  answer: 'OwnWorkspace',
});

export const updateWorkspace = operation({
  method: 'patch',
  path: '/app/v1/workspaces/:id',
  params: { id: idOfWorkspace },
  summary: 'Update a workspace',
  description: 'Changes the name, slug or color of a workspace. A new slug changes its host name. For owners and admins.',
  access: 'person',
  patch: WorkspaceUpdateRequest,
  status: 200,
  reply: OwnWorkspace,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.UpdateWorkspace',
  composed: true,
  answer: 'OwnWorkspace',
});

export const addWorkspaceMember = operation({
  method: 'post',
  path: '/app/v1/workspaces/:id/members',
  params: { id: workspaceId },
  summary: 'Add a member to a workspace',
  description:
    'Adds a person by e-mail address. A person without a password receives an invitation. For owners and admins; an admin cannot add an owner.',
  access: 'session',
  body: MemberRequest,
  status: 201,
  reply: AddedMember,
  errors: [400, 401, 403, 404, 409],
  rpc: 'workspaces.AddMember',
  composed: true,
  answer: 'AddedMember',
});

const ofMember = { path: '/app/v1/workspaces/:id/members/:userId', params: { id: workspaceId, userId } } as const;

export const updateWorkspaceMember = operation({
  ...ofMember,
  method: 'patch',
  summary: 'Change the role of a workspace member',
  description: 'Changes the role of a member. For owners and admins. The last owner cannot be demoted.',
  access: 'session',
  body: MemberRoleRequest,
  status: 200,
  reply: WorkspaceMember,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.ChangeMemberRole',
});

export const removeWorkspaceMember = operation({
  ...ofMember,
  method: 'delete',
  summary: 'Remove a member from a workspace',
  description: "Removes a member. The member's access through the workspace ends within a second. The last owner cannot be removed.",
  access: 'session',
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.RemoveMember',
});
