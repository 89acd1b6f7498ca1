import { z } from 'zod';
import { instant, listOf, text } from '../shapes';

export const AuthMe = z.object({ id: z.string(), email: z.string(), name: z.string() });

export const WorkspaceSummary = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  role: z.string(),
  created_at: instant(),
  updated_at: instant(),
});

export const WorkspaceList = listOf(WorkspaceSummary);

export const ActiveWorkspaceRequest = z.object({ workspace_id: text(1, 64) });

export const WorkspaceMember = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  avatar_url: z.string(),
  role: z.string(),
  created_at: instant(),
});

export const WorkspaceMemberList = listOf(WorkspaceMember);
