import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import type { Request } from 'express';
import type { HandlerContext } from '../route';
import { parseHost } from './host';

/** The origin that a request names. */
export const originOf = ({ protocol, headers }: Request): string => `${protocol}://${headers.host ?? ''}`;

/**
 * The origin of links that leave the system: the host of the request only if it is the instance's own by name. If any host is the instance,
 * it could be anybody's.
 */
export async function linkOrigin(
  workspaces: Client<WorkspacesDefinition>,
  { request, gatewayCall }: Pick<HandlerContext<unknown, unknown>, 'request' | 'gatewayCall'>,
): Promise<string> {
  const { is_named, link_origin } = await workspaces.resolveHost(gatewayCall(), { host: parseHost(request.headers.host ?? '') });
  return is_named ? originOf(request) : (link_origin ?? originOf(request));
}
