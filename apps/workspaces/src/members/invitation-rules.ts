import { maySetRole, type WorkspaceRole } from '@sheaf/kernel';

/** Everything that a person without a password gets with it. Whoever holds the token of their invitation becomes this person. */
export interface Waiting {
  memberships: readonly { workspace_id: string; role: WorkspaceRole }[];
  /** Forms that they were made an owner of. */
  forms: readonly { workspace_id: string }[];
}

/** The inviter's present roles by workspace; the operator has the owner's everywhere. */
export type InviterRoles = Readonly<Record<string, WorkspaceRole>> | 'operator';

/**
 * Whether somebody with these roles could give all of it themselves. The places of owners and admins, and the ownership of forms, are for the
 * owners and admins of their workspace to give. The places of editors and viewers are for those of any workspace: with a service account, which
 * they may make, they edit every form of the instance as it is.
 */
export function couldGive(roles: InviterRoles, { memberships, forms }: Waiting): boolean {
  if (roles === 'operator') return true;
  const manages = (role: WorkspaceRole | undefined) => role === 'owner' || role === 'admin';
  const managesAny = Object.values(roles).some(manages);
  return (
    memberships.every(({ workspace_id, role }) => maySetRole(roles[workspace_id], role) || (managesAny && !manages(role))) &&
    forms.every(({ workspace_id }) => manages(roles[workspace_id]))
  );
}
