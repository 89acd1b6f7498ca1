import { authorizeInAny, type Operator, type User, type WorkspaceAction, type WorkspaceRole } from '@sheaf/kernel';

/** The callers that manage workspaces, members and service accounts: users, and the operator. */
export type Manager = User | Operator;

/** The operator has the rights of an owner in every workspace. */
export const roleIn = (caller: Manager, workspaceId: string): WorkspaceRole | undefined =>
  caller.kind === 'user' ? caller.roles[workspaceId] : 'owner';

export function authorizeManager(caller: Manager, action: WorkspaceAction): void {
  if (caller.kind === 'user') authorizeInAny(caller, action);
}
