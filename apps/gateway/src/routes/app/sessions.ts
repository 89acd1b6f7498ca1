import { acceptInvitation, createSession, endCurrentSession, endSession } from '@sheaf/contracts';
import type { Request } from 'express';
import { route, type HandlerContext, type Route } from '../../route';
import { deviceCookie, newDevice, setDeviceCookie } from '../../callers/device-cookie';
import { originOf } from '../../origins/link-origin';
import { setSessionCookie, refuseCrossOrigin, clearSessionCookie } from '../../callers/session-cookie';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const acceptRequest = asking(acceptInvitation);

/** Signing in with a password, a link or an invitation, and the sessions of a person. */
export const sessions = ({ workspaces }: Services): Route[] => [
  route({
    ...rowOf(createSession),
    handle: async (context) => {
      const { email = '', password = '', link } = context.body;
      const [call, instance_id] = [context.gatewayCall(), context.instanceId];
      const client = { user_agent: userAgentOf(context.request), origin: originOf(context.request) };
      return signedIn(context, (device) =>
        link === undefined
          ? workspaces.signIn(call, { instance_id, email, password, ...client, device })
          : workspaces.signInWithLink(call, { instance_id, token: link, ...client, device }),
      );
    },
  }),
  route({
    ...rowOf(endCurrentSession),
    handle: async ({ call, request, response }) => {
      await workspaces.endSession(call, {});
      clearSessionCookie({ request, response });
    },
  }),
  route({
    ...rowOf(acceptInvitation),
    handle: async (context) => {
      const { instanceId: instance_id, request } = context;
      return signedIn(context, (device) =>
        workspaces.acceptInvitation(
          context.gatewayCall(),
          acceptRequest(context, { instance_id, user_agent: userAgentOf(request), device }),
        ),
      );
    },
  }),
  route({
    ...rowOf(endSession),
    handle: async ({ call, caller, params, request, response }) => {
      const id = param(params, 'id');
      await workspaces.endOwnSession(call, { id });
      if ('credentialId' in caller && caller.credentialId === id) clearSessionCookie({ request, response });
    },
  }),
];

const maxUserAgent = 200;

const userAgentOf = ({ headers }: Request): string | undefined => headers['user-agent']?.slice(0, maxUserAgent);

/** proto-loader sets an unset message to null; our responses omit absent properties. */
const sessionOf = <S extends { workspace?: unknown }>(session: S) => ({ ...session, workspace: session.workspace ?? undefined });

/**
 * Opens a session and returns it as a token, or as a cookie if the request asks for one. Never as both. A browser that gets a cookie is known
 * from then on.
 */
async function signedIn<S extends { token: string; expires_at: string; workspace?: unknown }>(
  { body, request, response }: Pick<HandlerContext<unknown, { cookie?: boolean | undefined }>, 'body' | 'request' | 'response'>,
  open: (device: string | undefined) => Promise<S>,
): Promise<object> {
  const known = deviceCookie(request);
  if (body.cookie !== true) return sessionOf(await open(known));
  refuseCrossOrigin(request);
  const device = known ?? newDevice();
  const { token, ...session } = await open(device);
  setSessionCookie({ request, response }, { token, expires_at: session.expires_at });
  setDeviceCookie({ request, response }, device);
  return sessionOf(session);
}
