import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

/** One kind of request, again and again over some connections. */
export interface Load {
  /** With the path. */
  url: string;
  method?: 'GET' | 'POST' | 'PATCH';
  headers?: Record<string, string>;
  /** Made anew for each request where it is a function. */
  body?: string | (() => string);
  /** For paths that differ from request to request. */
  path?: () => string;
  /** A new Idempotency-Key for each request. */
  withKeys?: boolean;
  connections?: number;
}

/** What came of it. Times are in milliseconds. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  requests: number;
}

/** How many wait for an answer at once, unless a row says otherwise. */
const connections = 32;

/** For so long, or until each connection was answered so often, which says no more than that it works. */
export type Length = { seconds: number } | { answers: number };

/** @throws Error if any answer was not a 2xx: a refusal is fast, and its speed is nobody's business. */
export async function measure(load: Load, length: Length): Promise<Measured> {
  const { body, path, withKeys = false } = load;
  const changed = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    ...(path ? { path: path() } : {}),
    ...(typeof body === 'function' ? { body: body() } : {}),
    ...(withKeys ? { headers: { ...request.headers, 'idempotency-key': randomUUID() } } : {}),
  });
  const changing = typeof body === 'function' || path !== undefined || withKeys;
  const result = await autocannon({
    url: load.url,
    method: load.method ?? 'GET',
    headers: load.headers ?? {},
    connections: load.connections ?? connections,
    // It looks only that often, in milliseconds, whether it is done.
    ...('seconds' in length ? { duration: length.seconds } : { amount: length.answers * (load.connections ?? connections), sampleInt: 50 }),
    timeout: 30,
    ...(typeof body === 'string' ? { body } : {}),
    ...(changing ? { requests: [{ setupRequest: changed }] } : {}),
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${load.method ?? 'GET'} ${load.url}: ${result.non2xx} refused, ${result.errors} failed, ${result['2xx']} good: ${JSON.stringify(result.statusCodeStats)}`,
    );
  }
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99, requests: result['2xx'] };
}
