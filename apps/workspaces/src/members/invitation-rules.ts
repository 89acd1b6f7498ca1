import { maySetRole, type InstanceRole, type WorkspaceRole } from '@sheaf/kernel';

/** The access that awaits a person without a password. The holder of their invitation's token becomes this person. */
export interface PendingAccess {
  memberships: readonly { workspace_id: string; role: WorkspaceRole }[];
  /** The forms that they were made an owner of. */
  forms: readonly { workspace_id: string }[];
}

/** What the inviter is at the moment; the operator is owner everywhere. */
export type Inviter = { roles: Readonly<Record<string, WorkspaceRole>>; instanceRole?: InstanceRole | undefined } | 'operator';

/**
 * Whether this inviter could grant all of this access. The roles of owners and admins, and the ownership of forms, are granted by the owners and
 * admins of the same workspace. The roles of editors and viewers may also be granted by those who run the instance: they may create a service
 * account, which may edit every form of it anyway.
 */
export function couldGrant(inviter: Inviter, { memberships, forms }: PendingAccess): boolean {
  if (inviter === 'operator') return true;
  const { roles, instanceRole } = inviter;
  const manages = (role: WorkspaceRole | undefined) => role === 'owner' || role === 'admin';
  return (
    memberships.every(
      ({ workspace_id, role }) => maySetRole(roles[workspace_id], role) || (instanceRole !== undefined && !manages(role)),
    ) && forms.every(({ workspace_id }) => manages(roles[workspace_id]))
  );
}
