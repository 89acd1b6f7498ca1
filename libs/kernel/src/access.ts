import type { ServiceAccount, User } from './caller';
import { Problem } from './problem';
import { formRoles, instanceRoles, workspaceRoles, type FormRole, type InstanceRole, type WorkspaceRole } from './role';

/** The data that determines roles on a form. It changes rarely and holds nothing about the caller, so it can be cached. */
export interface FormAccess {
  workspaceId: string;
  creator: { kind: 'user' | 'service_account'; id: string };
  /** Explicit grants, by user id. */
  grants: Readonly<Record<string, FormRole>>;
}

/** A person or program that may have a role on forms and folders. */
export type Principal = Pick<User, 'kind' | 'id' | 'roles'> | Pick<ServiceAccount, 'kind' | 'id'>;

const fromWorkspace: Record<WorkspaceRole, FormRole> = { owner: 'owner', admin: 'owner', editor: 'editor', viewer: 'viewer' };

const highest = (roles: readonly (FormRole | undefined)[]): FormRole | undefined => formRoles.find((role) => roles.includes(role));

/**
 * The caller's role on a form of their own instance, or undefined for no access. A user has the highest of three roles: owner as the creator,
 * while they are a member of the form's workspace; an explicit grant; the role that follows from their workspace role. A service account
 * may edit every form and owns the forms that it created.
 */
export function formRole(caller: Principal, form: FormAccess): FormRole | undefined {
  const created = form.creator.kind === caller.kind && form.creator.id === caller.id ? 'owner' : undefined;
  if (caller.kind === 'service_account') return created ?? 'editor';

  const inWorkspace = caller.roles[form.workspaceId];
  return highest([inWorkspace && created, form.grants[caller.id], inWorkspace && fromWorkspace[inWorkspace]]);
}

/** Whether the caller owns the form for more than having created it: by their role in its workspace, or by a grant. */
export const ownsForm = (caller: Principal, { workspaceId, grants }: FormAccess): boolean =>
  caller.kind === 'user' && (grants[caller.id] === 'owner' || ['owner', 'admin'].includes(caller.roles[workspaceId] ?? ''));

/** Folders have the same roles as forms. */
export type FolderRole = FormRole;

/** The data that determines roles on a folder. Folders have no explicit grants. */
export type FolderAccess = Omit<FormAccess, 'grants'>;

/** The caller's role on a folder of their own instance, by the same rules as for forms. */
export const folderRole = (caller: Principal, folder: FolderAccess): FolderRole | undefined => formRole(caller, { ...folder, grants: {} });

const formActions = {
  'read this form': formRoles,
  'duplicate this form': formRoles,
  'change this form': ['owner', 'editor'],
  'publish this form': ['owner', 'editor'],
  'delete this form': ['owner'],
  'restore this form': ['owner'],
  'erase this form': ['owner'],
  'move this form to another workspace': ['owner'],
  'decide how long this form keeps submissions': ['owner'],
  'see who has access to this form': ['owner', 'editor'],
  'decide who has access to this form': ['owner'],
  'read submissions of this form': formRoles,
  'change submissions of this form': ['owner', 'editor'],
  'erase submissions of this form': ['owner'],
  'subscribe to this form': formRoles,
  'remove subscriptions of others to this form': ['owner', 'editor'],
  'read deliveries of this form': formRoles,
  'read webhooks of this form': formRoles,
  'change webhooks of this form': ['owner', 'editor'],
  'send deliveries of this form again': ['owner', 'editor'],
} as const satisfies Record<string, readonly FormRole[]>;

export type FormAction = keyof typeof formActions;

export function canActOnForm(role: FormRole | undefined, action: FormAction): role is FormRole {
  const allowed: readonly (FormRole | undefined)[] = formActions[action];
  return allowed.includes(role);
}

/** @throws Problem `forbidden` if the role does not allow the action. */
export function authorize(role: FormRole | undefined, action: FormAction): asserts role is FormRole {
  if (!canActOnForm(role, action)) throw Problem.forbidden(`Your role does not allow you to ${action}.`);
}

const folderActions = {
  'put forms into this folder': ['owner', 'editor'],
  'change this folder': ['owner', 'editor'],
  'delete this folder': ['owner'],
} as const satisfies Record<string, readonly FolderRole[]>;

export type FolderAction = keyof typeof folderActions;

export function canActOnFolder(role: FolderRole | undefined, action: FolderAction): role is FolderRole {
  const allowed: readonly (FolderRole | undefined)[] = folderActions[action];
  return allowed.includes(role);
}

/** `authorize` for an action on a folder. */
export function authorizeOnFolder(role: FolderRole | undefined, action: FolderAction): asserts role is FolderRole {
  if (!canActOnFolder(role, action)) throw Problem.forbidden(`Your role does not allow you to ${action}.`);
}

const workspaceActions = {
  'create forms in this workspace': ['owner', 'admin', 'editor'],
  'move forms out of this workspace': ['owner', 'admin', 'editor'],
  'move forms into this workspace': ['owner', 'admin', 'editor'],
  'create folders in this workspace': ['owner', 'admin', 'editor'],
  'read the members of this workspace': workspaceRoles,
  'manage the members of this workspace': ['owner', 'admin'],
  'change this workspace': ['owner', 'admin'],
  'erase this workspace': ['owner'],
  'manage webhooks of this workspace': ['owner', 'admin'],
  'read the audit log': ['owner', 'admin'],
} as const satisfies Record<string, readonly WorkspaceRole[]>;

export type WorkspaceAction = keyof typeof workspaceActions;

export function canActInWorkspace(role: WorkspaceRole | undefined, action: WorkspaceAction): role is WorkspaceRole {
  const allowed: readonly (WorkspaceRole | undefined)[] = workspaceActions[action];
  return allowed.includes(role);
}

/** `authorize` for an action in a workspace. */
export function authorizeIn(role: WorkspaceRole | undefined, action: WorkspaceAction): asserts role is WorkspaceRole {
  if (!canActInWorkspace(role, action)) throw Problem.forbidden(`Your role does not allow you to ${action}.`);
}

/** For what several workspaces have: the required role in any of them is enough to ask for what belongs to these. */
export function authorizeInAny(caller: User, action: WorkspaceAction): void {
  const roles = Object.values(caller.roles);
  authorizeIn(
    workspaceRoles.find((role) => roles.includes(role)),
    action,
  );
}

const instanceActions = {
  'manage who runs this instance': instanceRoles,
  'create workspaces': instanceRoles,
  'erase people': instanceRoles,
  'find and erase what a person sent to any form': instanceRoles,
  'manage service accounts': instanceRoles,
  'rotate webhook keys': instanceRoles,
  'manage webhooks of this instance': instanceRoles,
  'decide how long this instance keeps submissions': instanceRoles,
} as const satisfies Record<string, readonly InstanceRole[]>;

export type InstanceAction = keyof typeof instanceActions;

export function canActOnInstance(role: InstanceRole | undefined, action: InstanceAction): role is InstanceRole {
  const allowed: readonly (InstanceRole | undefined)[] = instanceActions[action];
  return allowed.includes(role);
}

/** `authorize` for an action on the whole instance, which no role in a workspace allows. */
export function authorizeOnInstance({ instanceRole }: Pick<User, 'instanceRole'>, action: InstanceAction): void {
  if (!canActOnInstance(instanceRole, action)) throw Problem.forbidden(`Only owners and admins of the instance can ${action}.`);
}

/**
 * Whether a member of a workspace with role `own`, or somebody who runs the instance, may grant or revoke role `other` there. An admin may do
 * neither with the owner role.
 */
export const maySetRole = (own: WorkspaceRole | undefined, other: WorkspaceRole): boolean =>
  own === 'owner' || (own === 'admin' && other !== 'owner');
