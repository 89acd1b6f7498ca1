import { z } from 'zod';
import { instant, listOf } from '../shapes';
import { WorkspaceMember } from '../operations/workspaces';
import { Actor } from './actor';

const role = WorkspaceMember.shape.role;

/** What the page that accepts an invitation shows. `invited_by_name` is absent for the operator. */
export const SeenInvitation = z.object({
  email: z.string(),
  /** As the sender wrote it; absent if they wrote none. */
  name: z.string().optional(),
  workspace: z.object({ name: z.string() }),
  role,
  invited_by_name: z.string().optional(),
  expires_at: instant(),
});

/** `name` is absent for the operator. */
export const Inviter = Actor.extend({ name: z.string().optional() });

/** `invited_by` is absent if nobody noted it. */
export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  invited_by: Inviter.optional(),
  created_at: instant(),
  expires_at: instant(),
  valid: z.boolean(),
});
export const InvitationList = listOf(Invitation);

/** The only response that contains the link. */
export const RenewedInvitation = z.object({ invitation_url: z.string(), expires_at: instant() });
