import { addWorkspaceMember } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { linkOrigin } from '../../origins/link-origin';
import { asking, rowOf } from '../derived';
import { invitationUrl } from './invitations';
import type { Services } from '../services';

const request = asking(addWorkspaceMember);

/** New members of workspaces. */
export const people = ({ workspaces }: Services): Route[] => [
  route({
    ...rowOf(addWorkspaceMember),
    handle: async (context) => {
      // First, because the token is shown only once.
      const origin = await linkOrigin(workspaces, context);
      const { member, invitation_token, invitation } = await workspaces.addMember(context.call, request(context));
      return {
        ...member,
        invitation,
        invitation_url: invitation_token === undefined ? undefined : invitationUrl(origin, invitation_token),
      };
    },
  }),
];
