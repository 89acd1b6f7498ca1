import { authorizeInAny, type Operator, type User, type WorkspaceAction, type WorkspaceRole } from '@sheaf/kernel';

/** Who looks after workspaces, their members and robots: people with a role there, and whoever runs the deployment. */
export type Manager = User | Operator;

/** Whoever runs the deployment may do what the owner of each workspace may. */
export const roleIn = (caller: Manager, workspaceId: string): WorkspaceRole | undefined =>
  caller.kind === 'user' ? caller.roles[workspaceId] : 'owner';

export function authorizeManager(caller: Manager, action: WorkspaceAction): void {
  if (caller.kind === 'user') authorizeInAny(caller, action);
}
