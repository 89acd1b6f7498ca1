import { attempt } from './attempt';
import { answersWithFile, answersWithNothing, takesIdempotencyKey } from './generated/contract.gen';
import type { Client, OperationRequest } from './operation';
import { addressOf, contentOf } from './request';
import { backoffMs, withRetries } from './retries';
import { systemTime, type Time } from './time';

export interface ClientOptions {
  /** The origin of the instance, `https://forms.example.org`, or the address of its API, as `base_url` in `credentials.json` has it. */
  url: string;
  /**
   * An API key or the token of a session, or a function that returns the current one. Sent with the operations that need it. In a browser, a
   * page of the instance may leave it out and use the cookie of its session.
   */
  key?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Sends the key without TLS to another machine, such as a service of the same cluster. */
  allowHttp?: boolean | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** For each attempt; 30 seconds by default, `Infinity` for no limit. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one, of requests that are safe to repeat; 3 by default. */
  retries?: number | undefined;
  /** The longest wait between two attempts; 30 seconds by default. If the server asks for a longer one, there is no further attempt. */
  maxRetryDelayMs?: number | undefined;
}

/** Makes a client, which every operation takes: `listForms({ client })`. */
export const createClient = (options: ClientOptions): Client => clientIn(systemTime, options);

export function clientIn(time: Time, options: ClientOptions): Client {
  const { key, timeoutMs = 30_000, retries = 3, maxRetryDelayMs: maxDelayMs = 30_000 } = options;
  const { protocol, origin, pathname, hostname } = new URL(options.url);
  if (!/^https?:$/.test(protocol)) throw new TypeError('url: must begin with https:// or http://');
  if (protocol === 'http:' && key !== undefined && options.allowHttp !== true && !isThisMachine(hostname)) {
    throw new TypeError(
      'url: must begin with https://, or everybody on the way could read the key; allowHttp permits it in a network that you trust',
    );
  }
  const base = origin + (/^.*[^/]/.exec(pathname)?.[0] ?? '').replace(/\/api\/v1$/, '');

  const send = (method: string) => async (request: OperationRequest) => {
    const name = `${method} ${request.url}`;
    const address = addressOf(base, request);
    const { body, headers } = contentOf(request);
    const hasKey = takesIdempotencyKey.includes(name);
    if (hasKey && !headers.has('idempotency-key')) headers.set('idempotency-key', newIdempotencyKey());
    const credential = request.security && (typeof key === 'function' ? await key() : key);
    if (credential !== undefined) headers.set('authorization', `Bearer ${checkedKey(credential)}`);

    const isStream = body instanceof ReadableStream;
    const init = { method, headers, ...(body === undefined ? {} : { body }), ...(isStream ? { duplex: 'half' } : {}) } as RequestInit;
    const isRepeatable = !isStream && (hasKey || (method !== 'POST' && method !== 'PATCH'));
    const { signal } = request;
    return withRetries(
      () =>
        attempt(address, init, {
          name,
          fetch: options.fetch ?? fetch,
          timeoutMs: request.timeoutMs ?? timeoutMs,
          signal,
          answersWithFile: answersWithFile.includes(name),
          answersWithNothing: answersWithNothing.includes(name),
          time,
        }),
      { retries: isRepeatable ? (request.retries ?? retries) : 0, maxDelayMs, signal, time },
    );
  };

  return {
    get: send('GET') as Client['get'],
    put: send('PUT') as Client['put'],
    post: send('POST') as Client['post'],
    patch: send('PATCH') as Client['patch'],
    delete: send('DELETE') as Client['delete'],
    pause: (failures, signal) => time.sleep(backoffMs(failures, maxDelayMs, time.random), signal),
  };
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The error of `Headers` would show the key. */
function checkedKey(key: string): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError('key: must have visible ASCII characters, and no others');
  return trimmed;
}

// Not `crypto.randomUUID`, which browsers lack on pages without TLS.
/** A new `Idempotency-Key`. Operations that take one get it by themselves; who repeats a call by hand passes the same key again. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
