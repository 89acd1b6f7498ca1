import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

/** One kind of request, repeated over several connections. */
export interface Load {
  /** Includes the path. */
  url: string;
  method?: 'GET' | 'POST' | 'PATCH';
  headers?: Record<string, string>;
  /** A function creates a new body for each request. */
  body?: string | (() => string);
  /** For paths that differ between requests. */
  path?: () => string;
  /** Sends a new Idempotency-Key with each request. */
  withKeys?: boolean;
  connections?: number;
  /** The kind of answer that counts as good; 2xx if absent. */
  good?: '2xx' | '3xx';
  /** Reads each answer. */
  onBody?: (body: string) => void;
}

/** The result of a load. Times are in milliseconds. */
export interface Measurement {
  perSecond: number;
  p50: number;
  p99: number;
  requests: number;
}

/** Concurrent connections, unless a row sets its own number. */
const connections = 32;

/** A duration, or a fixed number of responses per connection, which is only enough to show that the load works. */
export type Length = { seconds: number } | { answers: number };

/** @throws Error if any answer was not a good one: refusals are fast and would distort the figures. */
export async function measure(load: Load, length: Length): Promise<Measurement> {
  const { body, path, withKeys = false, good = '2xx', onBody } = load;
  const prepare = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    ...(path ? { path: path() } : {}),
    ...(typeof body === 'function' ? { body: body() } : {}),
    ...(withKeys ? { headers: { ...request.headers, 'idempotency-key': randomUUID() } } : {}),
  });
  const varies = typeof body === 'function' || path !== undefined || withKeys || onBody !== undefined;
  const result = await autocannon({
    url: load.url,
    method: load.method ?? 'GET',
    headers: load.headers ?? {},
    connections: load.connections ?? connections,
    // `sampleInt` is how often autocannon checks whether it is done, in milliseconds.
    ...('seconds' in length ? { duration: length.seconds } : { amount: length.answers * (load.connections ?? connections), sampleInt: 50 }),
    timeout: 30,
    ...(typeof body === 'string' ? { body } : {}),
    ...(varies
      ? { requests: [{ setupRequest: prepare, ...(onBody ? { onResponse: (_status: number, text: string) => onBody(text) } : {}) }] }
      : {}),
  });
  const answered = result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'];
  const refused = answered - result[good];
  if (refused > 0 || result.errors > 0 || result[good] === 0) {
    throw new Error(
      `${load.method ?? 'GET'} ${load.url}: ${refused} refused, ${result.errors} failed, ${result[good]} good: ${JSON.stringify(result.statusCodeStats)}`,
    );
  }
  return { perSecond: result[good] / result.duration, p50: result.latency.p50, p99: result.latency.p99, requests: result[good] };
}
