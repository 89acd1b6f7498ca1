import { maySetRole, type FormRole, type InstanceRole, type WorkspaceRole } from '@sheaf/kernel';

/** The access that awaits a person without a password. The holder of their invitation's token becomes this person. */
export interface PendingAccess {
  memberships: readonly { workspace_id: string; role: WorkspaceRole }[];
  /** The roles that were granted to them on forms, with the workspaces of these. */
  forms: readonly { workspace_id: string; role: FormRole }[];
}

/** The roles of the inviter at the moment; the operator is owner everywhere. */
export type Inviter = { roles: Readonly<Record<string, WorkspaceRole>>; instanceRole?: InstanceRole | undefined } | 'operator';

/**
 * Whether this inviter could grant all of this access. Roles in a workspace, and on its forms, are granted by its owners and admins. The roles
 * of editors and viewers may also be granted by those who run the instance: they may create a service account, which may edit every form of it
 * anyway.
 */
export function couldGrant(inviter: Inviter, { memberships, forms }: PendingAccess): boolean {
  if (inviter === 'operator') return true;
  const { roles, instanceRole } = inviter;
  const manages = (role: WorkspaceRole | undefined) => role === 'owner' || role === 'admin';
  const byInstanceRole = (role: WorkspaceRole | FormRole) => instanceRole !== undefined && !manages(role);
  return (
    memberships.every(({ workspace_id, role }) => maySetRole(roles[workspace_id], role) || byInstanceRole(role)) &&
    forms.every(({ workspace_id, role }) => manages(roles[workspace_id]) || byInstanceRole(role))
  );
}
