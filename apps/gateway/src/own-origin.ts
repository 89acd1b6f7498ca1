import { Problem } from '@sheaf/kernel';
import type { Given } from './route';
import type { Services } from './routes/services';

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Refuses webhooks to this deployment itself: to the host that the request came to, and to the hosts of all instances, at the ports that the
 * web or this request uses. Another program may listen at another port of the same host.
 * @throws Problem `bad_request`
 */
export async function refuseOwnOrigin(workspaces: Services['workspaces'], { request, ownCall }: Pick<Given<unknown, unknown>, 'request' | 'ownCall'>, target: string | undefined): Promise<void> {
  // `hooks` says what is wrong with one that is no URL.
  if (target === undefined || !URL.canParse(target)) return;
  const url = new URL(target);
  const here = new URL(`${request.protocol}://${request.headers.host ?? 'localhost'}`);
  if (![...Object.values(defaultPorts), portOf(here)].includes(portOf(url))) return;

  const host = nameOf(url);
  const isHere = host === nameOf(here) || (isLoopback(host) && isLoopback(nameOf(here)) && portOf(url) === portOf(here));
  if (isHere || (await isOfAnInstance(workspaces, ownCall, host))) throw Problem.badRequest('target_url: must not be an address of this deployment');
}

async function isOfAnInstance(workspaces: Services['workspaces'], ownCall: Given<unknown, unknown>['ownCall'], host: string): Promise<boolean> {
  try {
    return (await workspaces.resolveHost(ownCall(), { host })).is_named;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false;
    throw error;
  }
}

const portOf = ({ port, protocol }: URL): string => (port === '' ? (defaultPorts[protocol] ?? '') : port);

const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host === '0.0.0.0' || host.startsWith('127.');
