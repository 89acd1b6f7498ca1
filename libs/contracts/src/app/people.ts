import { instanceRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { email, instant, password, text, trimmed, bool, workspaceRole } from '../shapes';
import { AuthMe, WorkspaceMember, WorkspaceSummary } from '../operations/workspaces';

/** Whether to return the session as a cookie instead of a token. */
const cookie = () => bool().optional();

export const passwordCredentials = { email: text(1, 254), password: text(1, 200) };

/** Either `email` and `password`, or the token of a `link`. */
export const SignInRequest = z
  .object({ email: text(1, 254).optional(), password: text(1, 200).optional(), link: text(1, 200).optional(), cookie: cookie() })
  .superRefine(({ email, password, link }, context) => {
    const given = { email, password };
    for (const name of ['email', 'password'] as const) {
      if (link === undefined && given[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is required without a link' });
      if (link !== undefined && given[name] !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'must be absent with a link' });
    }
  });

/**
 * `manages`: the service accounts, the audit log and the keys of webhooks, as what `role` says. `host` is absent without a domain of its own.
 */
export const ShownInstance = z.object({
  name: z.string(),
  host: z.string().optional(),
  manages: z.boolean(),
  role: z.enum(instanceRoles).optional(),
});

/** `workspace` is absent if the person belongs to no workspace. */
export const SessionState = z.object({
  expires_at: instant(),
  user: AuthMe,
  workspace: WorkspaceSummary.optional(),
  instance: ShownInstance,
});
/** `token` is absent if the session was returned as a cookie. */
export const SignedIn = SessionState.extend({ token: z.string().optional() });

export const InvitationRequest = z.object({ name: trimmed(1, 100), password: password(), cookie: cookie() });

export const MemberRequest = z.object({ email: email(), name: trimmed(1, 100).optional(), role: workspaceRole() });
/** `invitation` and `invitation_url` are present only for a person who has no password yet. */
export const AddedMember = WorkspaceMember.extend({
  invitation: z
    .enum(['made', 'pending', 'needed'])
    .optional()
    .meta({
      description:
        'The state of the invitation of a person who has no password yet. `made`: a new invitation, at `invitation_url`, has replaced any earlier one. ' +
        '`pending`: an earlier invitation is still valid and now includes this role. `needed`: no invitation is valid, because neither you nor the ' +
        'sender of an earlier one may assign all roles that the person is about to get; somebody with those rights must add the person again.',
    }),
  invitation_url: z.string().optional(),
});
