import { getInvitation, renewInvitationLink } from '@sheaf/contracts';
import { linkOrigin } from '../../origins/link-origin';
import { route, type Route } from '../../route';
import { asking, rowOf, showing } from '../derived';
import type { Services } from '../services';

const getRequest = asking(getInvitation);
const shown = showing(getInvitation.reply);
const renewRequest = asking(renewInvitationLink);

/** Invitations that nobody has accepted yet. Accepting one opens a session: `sessions.ts`. */
export const invitations = ({ workspaces }: Services): Route[] => [
  route({
    ...rowOf(getInvitation),
    handle: async ({ gatewayCall, instanceId, params }) =>
      shown(await workspaces.getInvitation(gatewayCall(), getRequest({ params }, { instance_id: instanceId }))),
  }),
  route({
    ...rowOf(renewInvitationLink),
    handle: async (context) => {
      // First, because the token is shown only once.
      const origin = await linkOrigin(workspaces, context);
      const { token, expires_at } = await workspaces.renewInvitationLink(context.call, renewRequest(context));
      return { invitation_url: invitationUrl(origin, token), expires_at };
    },
  }),
];

/** The page that accepts an invitation. */
export const invitationUrl = (origin: string, token: string): string => `${origin}/invitations/${token}`;
