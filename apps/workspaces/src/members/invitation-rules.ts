import { maySetRole, type WorkspaceRole } from '@sheaf/kernel';

/** The access that awaits a person without a password. The holder of their invitation's token becomes this person. */
export interface PendingAccess {
  memberships: readonly { workspace_id: string; role: WorkspaceRole }[];
  /** The forms that they were made an owner of. */
  forms: readonly { workspace_id: string }[];
}

/** The inviter's current roles by workspace; the operator is owner everywhere. */
export type InviterRoles = Readonly<Record<string, WorkspaceRole>> | 'operator';

/**
 * Whether a person with these roles could grant all of this access. The roles of owners and admins, and the ownership of forms, are granted
 * by the owners and admins of the same workspace. The roles of editors and viewers may be granted by the owners and admins of any
 * workspace: they may create a service account, which may edit every form of the instance anyway.
 */
export function couldGrant(roles: InviterRoles, { memberships, forms }: PendingAccess): boolean {
  if (roles === 'operator') return true;
  const manages = (role: WorkspaceRole | undefined) => role === 'owner' || role === 'admin';
  const managesAny = Object.values(roles).some(manages);
  return (
    memberships.every(({ workspace_id, role }) => maySetRole(roles[workspace_id], role) || (managesAny && !manages(role))) &&
    forms.every(({ workspace_id }) => manages(roles[workspace_id]))
  );
}
