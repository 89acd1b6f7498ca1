import { InvitationList, RenewedInvitation, SeenInvitation } from '@sheaf/contracts';
import { linkOrigin } from '../../origins/link-origin';
import { route, type Route } from '../../route';
import { param, wholeList, type Services } from '../services';

const base = '/app/v1';

/** Invitations that nobody has accepted yet. Accepting one opens a session: `sessions.ts`. */
export const invitations = ({ workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/invitations/:token`,
    summary: 'Get an invitation',
    access: 'anyone',
    status: 200,
    reply: SeenInvitation,
    errors: [404],
    handle: async ({ gatewayCall, instanceId, params }) => {
      const { workspace_name: workspace, ...seen } = await workspaces.getInvitation(gatewayCall(), {
        instance_id: instanceId,
        token: param(params, 'token'),
      });
      return { ...seen, workspace: { name: workspace } };
    },
  }),
  route({
    method: 'get',
    path: `${base}/workspaces/:id/invitations`,
    summary: 'List the pending invitations of a workspace',
    access: 'person',
    status: 200,
    reply: InvitationList,
    errors: [401, 403, 404],
    handle: async ({ call, params }) =>
      wholeList((await workspaces.listInvitations(call, { workspace_id: param(params, 'id') })).invitations.map(shown)),
  }),
  route({
    method: 'post',
    path: `${base}/workspaces/:id/invitations/:invitationId/link`,
    summary: 'Make a new link for an invitation',
    access: 'session',
    status: 201,
    reply: RenewedInvitation,
    errors: [401, 403, 404],
    handle: async ({ call, params, ...context }) => {
      // First, because the token is shown only once.
      const origin = await linkOrigin(workspaces, context);
      const { token, expires_at } = await workspaces.renewInvitationLink(call, namedIn(params));
      return { invitation_url: invitationUrl(origin, token), expires_at };
    },
  }),
  route({
    method: 'delete',
    path: `${base}/workspaces/:id/invitations/:invitationId`,
    summary: 'Revoke an invitation',
    access: 'session',
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => workspaces.revokeInvitation(call, namedIn(params)),
  }),
];

/** The page that accepts an invitation. */
export const invitationUrl = (origin: string, token: string): string => `${origin}/invitations/${token}`;

const namedIn = (params: Readonly<Record<string, string>>) => ({ workspace_id: param(params, 'id'), id: param(params, 'invitationId') });

type InvitationMessage = Awaited<ReturnType<Services['workspaces']['listInvitations']>>['invitations'][number];

const shown = ({ inviter_kind: kind, inviter_id: id, inviter_name: name, ...invitation }: InvitationMessage) => ({
  ...invitation,
  invited_by: kind === undefined || id === undefined ? undefined : { kind, id, name },
});
