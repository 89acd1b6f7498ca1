import { Problem, publicNetwork, type Clock } from '@sheaf/kernel';
import { PerMinute, type Window } from '@sheaf/runtime';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';

const rememberedAddresses = 50_000;
const rememberedCredentials = 50_000;

/** How many requests a minute this process takes from one client. 0 is no limit. */
export interface Limits {
  REQUESTS_PER_ADDRESS_PER_MINUTE: number;
  REQUESTS_PER_CREDENTIAL_PER_MINUTE: number;
}

/** Counts a request and says in its answer how many more there may be. @throws Problem `too_many_requests` */
type Take<Who> = (who: Who, response: Response) => void;

export interface Rates {
  /** For every request, before anything of it is parsed or looked up. Addresses that are not public have no limit. */
  byAddress: Take<string | undefined>;
  /** For requests of a key or a session, when it is known and before the body is read. */
  byCredential: Take<string>;
}

export function rates(clock: Clock, limits: Limits): Rates {
  const address = taker(clock, { name: 'address', limit: limits.REQUESTS_PER_ADDRESS_PER_MINUTE, max: rememberedAddresses });
  const credential = taker(clock, { name: 'credential', limit: limits.REQUESTS_PER_CREDENTIAL_PER_MINUTE, max: rememberedCredentials });
  // To parse an address costs more than all the rest.
  const networks = new LRUCache<string, string>({ max: 10_000 });
  const networkOf = (given: string): string => {
    const known = networks.get(given);
    if (known !== undefined) return known;
    const found = publicNetwork(given) ?? '';
    networks.set(given, found);
    return found;
  };

  return {
    byAddress: (given, response) => {
      if (given === undefined || limits.REQUESTS_PER_ADDRESS_PER_MINUTE === 0) return;
      const network = networkOf(given);
      if (network !== '') address(network, response);
    },
    byCredential: credential,
  };
}

function taker(clock: Clock, { name, limit, max }: { name: string; limit: number; max: number }): Take<string> {
  if (limit === 0) return () => undefined;
  const counts = new PerMinute(max);
  return (key, response) => {
    const now = clock.now().getTime();
    const window = counts.count(key, now);
    const seconds = Math.ceil((window.until - now) / 1_000);
    tell(response, name, limit, window, seconds);
    if (window.count > limit) throw Problem.tooManyRequests(`Too many requests from this ${name}. Please try again later.`, seconds);
  };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers. Each limit that counted the request adds its own item. */
function tell(response: Response, name: string, limit: number, { count }: Window, seconds: number): void {
  add(response, 'RateLimit-Policy', `"${name}";q=${limit};w=60`);
  add(response, 'RateLimit', `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`);
}

function add(response: Response, header: string, item: string): void {
  const before = response.getHeader(header);
  response.setHeader(header, typeof before === 'string' ? `${before}, ${item}` : item);
}
