import { hostNameOf, isOwnOrigin, portOf, Problem, urlIn } from '@sheaf/kernel';
import { isInstanceHost, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import type { HandlerContext } from '../route';

/**
 * Rejects webhooks to this deployment: to the host of the request and to the hosts of all instances, at the standard web ports and at the
 * port of the request. `delivery` checks again at each attempt, because an instance may get a host later.
 * @throws Problem `bad_request`
 */
export async function refuseOwnOrigin(
  workspaces: Client<WorkspacesDefinition>,
  { request, gatewayCall }: Pick<HandlerContext<unknown, unknown>, 'request' | 'gatewayCall'>,
  target: string | undefined,
): Promise<void> {
  // An invalid URL passes here, because `hooks` rejects it with an explanation.
  const url = target === undefined ? undefined : urlIn(target);
  if (!url) return;
  const here = new URL(`${request.protocol}://${request.headers.host ?? 'localhost'}`);
  const isHere = (host: string) =>
    host === hostNameOf(here) || (isLoopback(host) && isLoopback(hostNameOf(here)) && portOf(url) === portOf(here));
  const isOwn = await isOwnOrigin(url, {
    ports: [portOf(here)],
    isOwnHost: (host) => isHere(host) || isInstanceHost(workspaces, gatewayCall(), host),
  });
  if (isOwn) throw Problem.badRequest('target_url: must not be an address of this deployment');
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host === '0.0.0.0' || host.startsWith('127.');
