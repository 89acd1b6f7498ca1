import { z } from 'zod';
import { Actor } from '../app/actor';
import { described } from '../described';
import { createdAt, instant, ownId, password, trimmed, wholeListOf } from '../shapes';
import { carriedAs, uncarried } from './message';
import { operation } from './operation';
import { pathParam, workspaceId } from './params';
import { asCookie, SignedIn, signingIn } from './sessions';
import { WorkspaceMember } from './workspaces';

const { name, email, role } = WorkspaceMember.shape;
const senderName = () => described(z.string().optional(), "The sender's name; absent for the operator.", 'Grace Hopper');
const expiresAt = () => described(instant(), 'The time until which it can be accepted.', '2027-01-01T00:00:00.000Z');

/** The invitation, as the page that accepts it shows it. */
export const SeenInvitation = described(
  z.object({
    email,
    name: described(
      z.string().optional(),
      'The name of the invited person, as the sender wrote it; absent if they wrote none.',
      'Ada Lovelace',
    ),
    workspace: described(
      z.object({ name: described(z.string(), 'The name of the workspace.', 'Field work') }),
      'The workspace that the person will act in first.',
    ),
    role,
    invited_by_name: senderName(),
    expires_at: expiresAt(),
  }),
  'An invitation as the invited person sees it.',
);
carriedAs(SeenInvitation, { flat: { workspace: 'workspace' } });

export const Inviter = described(Actor.extend({ name: senderName() }), 'The sender of an invitation.');

export const Invitation = described(
  z.object({
    id: ownId(),
    email,
    name,
    role,
    invited_by: described(Inviter.optional(), 'The sender; absent if it is not known.'),
    created_at: createdAt(),
    expires_at: expiresAt(),
    valid: described(
      z.boolean(),
      'Whether its link can be accepted. False if its sender may not assign the roles of the person any more; a new link helps.',
      true,
    ),
  }),
  'An invitation to a workspace that nobody has accepted.',
);
carriedAs(Invitation, { flat: { invited_by: 'inviter' } });

export const InvitationList = described(wholeListOf(Invitation), 'The pending invitations to a workspace.');
carriedAs(InvitationList, { names: { data: 'invitations' } });

export const RenewedInvitation = described(
  z.object({
    invitation_url: described(
      z.string(),
      'The new URL. Its last path segment is the token. It is shown only once.',
      'https://forms.example.org/invitations/Zk1…',
    ),
    expires_at: expiresAt(),
  }),
  'The new link of an invitation.',
);

export const InvitationRequest = described(
  uncarried(
    z.object({
      name: described(trimmed(1, 100), 'The name.', 'Ada Lovelace'),
      password: described(password(), 'The password.', 'a good long password'),
      cookie: asCookie(),
    }),
    'cookie',
  ),
  'The name and password of the invited person.',
);

const byToken = {
  path: '/app/v1/invitations/:token',
  params: { token: pathParam('token', 'The token: the last path segment of the link.', { sample: 'Zk1oVnN3' }) },
} as const;

export const getInvitation = operation({
  ...byToken,
  method: 'get',
  summary: 'Get an invitation',
  description:
    'Returns an invitation for the page that accepts it. An invitation that was used or has expired, or whose sender may not assign the roles any more, is 404.',
  access: 'anyone',
  status: 200,
  reply: SeenInvitation,
  errors: [404],
  rpc: 'workspaces.GetInvitation',
  callers: ['service'],
  composed: true,
  added: z.object({ instance_id: signingIn.instance_id }),
});

export const acceptInvitation = operation({
  ...byToken,
  method: 'post',
  summary: 'Accept an invitation',
  description:
    'Sets the name and password of an invited person, and signs them in. An invitation works once, and only as long as its sender may assign all roles that the person is about to get.',
  access: 'anyone',
  body: InvitationRequest,
  status: 201,
  reply: SignedIn,
  errors: [400, 403, 404],
  rpc: 'workspaces.AcceptInvitation',
  callers: ['service'],
  composed: true,
  added: z.object(signingIn),
  answer: 'SignedIn',
});

const path = '/app/v1/workspaces/:id/invitations';
const params = { id: workspaceId };
const ofInvitation = {
  path: `${path}/:invitationId`,
  params: { ...params, invitationId: pathParam('id', "The invitation's id.") },
} as const;

export const listInvitations = operation({
  method: 'get',
  path,
  params,
  summary: 'List the pending invitations of a workspace',
  description: 'Lists the invitations to a workspace that nobody has accepted, newest first. For owners and admins.',
  access: 'person',
  status: 200,
  reply: InvitationList,
  errors: [401, 403, 404],
  rpc: 'workspaces.ListInvitations',
});

export const renewInvitationLink = operation({
  ...ofInvitation,
  method: 'post',
  path: `${path}/:invitationId/link`,
  summary: 'Make a new link for an invitation',
  description:
    'Makes a new link for an invitation, with the full time to accept it; the earlier link stops working. For owners and admins who may assign all roles that the person is about to get.',
  access: 'session',
  status: 201,
  reply: RenewedInvitation,
  errors: [401, 403, 404],
  rpc: 'workspaces.RenewInvitationLink',
  composed: true,
  answer: 'RenewedInvitation',
});

export const revokeInvitation = operation({
  ...ofInvitation,
  method: 'delete',
  summary: 'Revoke an invitation',
  description:
    'Takes the invited person out of the workspace. Their link stops working, unless they are invited to another workspace as well. For owners and admins; only an owner revokes the invitation of an owner.',
  access: 'session',
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.RevokeInvitation',
});
