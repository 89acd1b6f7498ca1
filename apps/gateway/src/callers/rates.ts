import { Problem, publicNetwork, type Clock } from '@sheaf/kernel';
import { PerMinute, type Window } from '@sheaf/runtime';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';

const maxAddresses = 50_000;
const maxCredentials = 50_000;

/** The requests per minute that this process accepts from one client. 0 means no limit. */
export interface Limits {
  REQUESTS_PER_ADDRESS_PER_MINUTE: number;
  REQUESTS_PER_CREDENTIAL_PER_MINUTE: number;
}

/** Counts a request and reports how many remain in the response headers. @throws Problem `too_many_requests` */
type CountRequest<Client> = (client: Client, response: Response) => void;

export interface Rates {
  /** For every request, before anything is parsed or looked up. Private addresses have no limit. */
  byAddress: CountRequest<string | undefined>;
  /** For requests with a key or session, once it is authenticated and before the body is read. */
  byCredential: CountRequest<string>;
}

export function rates(clock: Clock, limits: Limits): Rates {
  const countAddress = limiter(clock, { name: 'address', limit: limits.REQUESTS_PER_ADDRESS_PER_MINUTE, max: maxAddresses });
  const countCredential = limiter(clock, { name: 'credential', limit: limits.REQUESTS_PER_CREDENTIAL_PER_MINUTE, max: maxCredentials });
  // Parsing an address takes longer than everything else here.
  const networks = new LRUCache<string, string>({ max: 10_000 });
  const networkOf = (address: string): string => {
    const known = networks.get(address);
    if (known !== undefined) return known;
    const found = publicNetwork(address) ?? '';
    networks.set(address, found);
    return found;
  };

  return {
    byAddress: (address, response) => {
      if (address === undefined || limits.REQUESTS_PER_ADDRESS_PER_MINUTE === 0) return;
      const network = networkOf(address);
      if (network !== '') countAddress(network, response);
    },
    byCredential: countCredential,
  };
}

function limiter(clock: Clock, { name, limit, max }: { name: string; limit: number; max: number }): CountRequest<string> {
  if (limit === 0) return () => undefined;
  const counts = new PerMinute(max);
  return (key, response) => {
    const now = clock.now().getTime();
    const window = counts.count(key, now);
    const seconds = Math.ceil((window.until - now) / 1_000);
    setHeaders(response, name, limit, window, seconds);
    if (window.count > limit) throw Problem.tooManyRequests(`Too many requests from this ${name}. Please try again later.`, seconds);
  };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. Each limit that counts the request appends an item. */
function setHeaders(response: Response, name: string, limit: number, { count }: Window, seconds: number): void {
  appendItem(response, 'RateLimit-Policy', `"${name}";q=${limit};w=60`);
  appendItem(response, 'RateLimit', `"${name}";r=${Math.max(0, limit - count)};t=${seconds}`);
}

function appendItem(response: Response, header: string, item: string): void {
  const items = response.getHeader(header);
  response.setHeader(header, typeof items === 'string' ? `${items}, ${item}` : item);
}
