import { z } from 'zod';
import { offsetInstant, password, pictureUrl, scopeList, text, trimmed, workspaceRole, workspaceSlug } from '../shapes';
import { AuthMe, WorkspaceSummary } from '../operations/workspaces';

/** `avatar_url` is empty if there is no picture; `default_workspace_id` is absent if the person belongs to no workspace. */
export const Profile = AuthMe.extend({
  avatar_url: z.string(),
  default_workspace_id: z.string().optional(),
  has_password: z.boolean(),
});

/** A new `password` requires `current_password`, unless the person has none yet. */
export const ProfileUpdateRequest = z.object({
  name: trimmed(1, 100).optional(),
  avatar_url: pictureUrl().nullable().optional(),
  default_workspace_id: text(1, 64).optional(),
  current_password: text(1, 200).optional(),
  password: password().optional(),
});

/** A workspace as seen by people who may change it. */
export const OwnWorkspace = WorkspaceSummary.extend({ slug: z.string() });

const name = () => trimmed(1, 100);
const color = () => trimmed(0, 32);

export const WorkspaceCreateRequest = z.object({ name: name(), slug: workspaceSlug().optional(), color: color().optional() });
export const WorkspaceUpdateRequest = z.object({
  name: name().optional(),
  slug: workspaceSlug().optional(),
  color: color().nullable().optional(),
});

export const MemberRoleRequest = z.object({ role: workspaceRole() });

export const ServiceAccountUpdateRequest = z.object({ name: trimmed(1, 100).optional(), scopes: scopeList().optional() });
export const ServiceAccountKeyRequest = z.object({ expires_at: offsetInstant().optional() });
