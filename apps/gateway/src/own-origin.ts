import { hostNameOf, isOwnOrigin, portOf, Problem } from '@sheaf/kernel';
import { isInstanceHost } from '@sheaf/rpc';
import type { Given } from './route';
import type { Services } from './routes/services';

/**
 * Refuses webhooks to this deployment itself: to the host that the request came to, and to the hosts of all instances, at the ports that the
 * web or this request uses. `delivery` looks again at each attempt, as an instance may get a host later.
 * @throws Problem `bad_request`
 */
export async function refuseOwnOrigin(workspaces: Services['workspaces'], { request, ownCall }: Pick<Given<unknown, unknown>, 'request' | 'ownCall'>, target: string | undefined): Promise<void> {
  // `hooks` says what is wrong with one that is no URL.
  if (target === undefined || !URL.canParse(target)) return;
  const url = new URL(target);
  const here = new URL(`${request.protocol}://${request.headers.host ?? 'localhost'}`);
  const isHere = (host: string) => host === hostNameOf(here) || (isLoopback(host) && isLoopback(hostNameOf(here)) && portOf(url) === portOf(here));
  const isOwn = await isOwnOrigin(url, { ports: [portOf(here)], isOwnHost: (host) => isHere(host) || isInstanceHost(workspaces, ownCall(), host) });
  if (isOwn) throw Problem.badRequest('target_url: must not be an address of this deployment');
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host === '0.0.0.0' || host.startsWith('127.');
