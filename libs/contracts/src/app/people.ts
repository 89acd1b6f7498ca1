import { z } from 'zod';
import { email, instant, listOf, offsetInstant, password, scopeList, text, trimmed, truth, workspaceRole } from '../shapes';
import { AuthMe, WorkspaceMember, WorkspaceSummary } from '../v1/auth';

/** Whether a browser gets the session as a cookie instead of a token. */
const cookie = () => truth().optional();

export const SignInRequest = z.object({ email: text(1, 254), password: text(1, 200), cookie: cookie() });

/** `workspace` is left out for somebody who is a member of none. */
export const SessionState = z.object({ expires_at: instant(), user: AuthMe, workspace: WorkspaceSummary.optional() });
/** `token` is left out where the session was handed over as a cookie. */
export const SignedIn = SessionState.extend({ token: z.string().optional() });

export const InvitationRequest = z.object({ name: trimmed(1, 100), password: password(), cookie: cookie() });

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  created_at: instant(),
  last_used_at: instant().optional(),
  expires_at: instant().optional(),
});
export const ApiKeyList = listOf(ApiKey);
/** The one answer that holds the key itself. */
export const CreatedApiKey = ApiKey.extend({ key: z.string() });
export const ApiKeyRequest = z.object({ name: trimmed(1, 100), expires_at: offsetInstant().optional() });

export const ServiceAccountKey = ApiKey.omit({ name: true });
/** `keys` are those that are good at the moment: two at most, so that one can take the place of the other without a gap. */
export const ServiceAccount = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: instant(),
  keys: z.array(ServiceAccountKey),
});
export const ServiceAccountList = listOf(ServiceAccount);
export const CreatedServiceAccount = ServiceAccount.extend({ key: z.string() });
export const CreatedServiceAccountKey = ServiceAccountKey.extend({ key: z.string() });
export const ServiceAccountRequest = z.object({ name: trimmed(1, 100), scopes: scopeList() });

export const MemberRequest = z.object({ email: email(), name: trimmed(1, 100).optional(), role: workspaceRole() });
/** Both only for a person who has no password yet. */
export const AddedMember = WorkspaceMember.extend({
  invitation: z.enum(['made', 'pending', 'needed']).optional().meta({
    description:
      'The way in of a person who has no password yet. `made`: the new invitation in `invitation_url`, which ends earlier ones. `pending`: their earlier invitation, which now gives this role as well. ' +
      '`needed`: none yet, as neither you nor the sender of an earlier invitation may give everything that waits for them elsewhere; somebody who may has to add them again.',
  }),
  invitation_url: z.string().optional().meta({ description: 'The address of the invitation that was made; its last path segment is the token.' }),
});
