import { authorizeOnInstance, type InstanceAction, type InstanceRole, type Operator, type User, type WorkspaceRole } from '@sheaf/kernel';

/** The callers that manage workspaces, members and service accounts: users, and the operator. */
export type Manager = User | Operator;

/** The operator has the rights of an owner in every workspace. */
export const roleIn = (caller: Manager, workspaceId: string): WorkspaceRole | undefined =>
  caller.kind === 'user' ? caller.roles[workspaceId] : 'owner';

/** The operator has the rights of an owner of the instance. */
export const instanceRoleIn = (caller: Manager): InstanceRole | undefined => (caller.kind === 'user' ? caller.instanceRole : 'owner');

export function authorizeManager(caller: Manager, action: InstanceAction): void {
  authorizeOnInstance({ instanceRole: instanceRoleIn(caller) }, action);
}
