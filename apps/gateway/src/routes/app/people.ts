import { AddedMember, MemberRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { linkOrigin } from '../../origins/link-origin';
import { invitationUrl } from './invitations';
import { param, type Services } from '../services';

const base = '/app/v1';

/** New members of workspaces. */
export const people = ({ workspaces }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/workspaces/:id/members`,
    summary: 'Add a member to a workspace',
    access: 'session',
    body: MemberRequest,
    status: 201,
    reply: AddedMember,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, ...context }) => {
      // First, because the token is shown only once.
      const origin = await linkOrigin(workspaces, context);
      const { member, invitation_token, invitation } = await workspaces.addMember(call, { workspace_id: param(params, 'id'), ...body });
      return {
        ...member,
        invitation,
        invitation_url: invitation_token === undefined ? undefined : invitationUrl(origin, invitation_token),
      };
    },
  }),
];
