import type { FolderAccess } from '@sheaf/kernel';
import type { FolderAccess__Output } from './generated/sheaf/workspaces/v1/FolderAccess';

/** Converts an answer of `Workspaces.GetFolder` to the kernel's folder access. */
export const toFolderAccess = ({ workspace_id, creator_kind, creator_id }: FolderAccess__Output): FolderAccess => ({
  workspaceId: workspace_id,
  creator: { kind: creator_kind === 'service_account' ? 'service_account' : 'user', id: creator_id },
});
