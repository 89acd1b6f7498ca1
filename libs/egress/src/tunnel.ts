import { request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { Failure, OwnFailure } from './failure';

/** A proxy for webhooks, which takes CONNECT over plain HTTP. */
export interface Proxy {
  host: string;
  port: number;
  /** `name:password` */
  credentials?: string | undefined;
}

/** The answer of a proxy that opens no connection. */
class Refusal extends Error {
  readonly code: string;

  constructor(readonly status: number) {
    super(`the proxy answered ${status}`);
    this.code = `PROXY_${status}`;
  }
}

/**
 * Has the proxy connect to one of these hosts, one after the other, until it reaches one.
 * @throws Failure `proxy`, or OwnFailure if the proxy itself cannot be reached: nothing was sent then.
 */
export async function openTunnel(proxy: Proxy, hosts: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let last: unknown;
  for (const host of hosts) {
    signal.throwIfAborted();
    try {
      return await tunnelTo(proxy, `${isIPv6(host) ? `[${host}]` : host}:${port}`, signal);
    } catch (error) {
      last = error;
      // It does not let us pass at all: another address would change nothing.
      if (!(error instanceof Failure && error.cause instanceof Refusal && error.cause.status >= 500)) break;
    }
  }
  throw last;
}

function tunnelTo({ host, port, credentials }: Proxy, authority: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isReached = false;
    const asked = request({
      agent: false,
      host,
      port,
      method: 'CONNECT',
      path: authority,
      headers: {
        Host: authority,
        ...(credentials === undefined ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    });
    const onAbort = () => asked.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const fail = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
    };
    asked.once('socket', (socket: Socket) => socket.once('connect', () => (isReached = true)));
    asked.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => undefined).destroy();
        return fail(new Failure('proxy', 'is not reached through the proxy', { cause: new Refusal(statusCode) }));
      }
      signal.removeEventListener('abort', onAbort);
      if (head.length > 0) socket.unshift(head);
      resolve(socket.setNoDelay(true));
    });
    asked.on('error', (error) =>
      fail(isReached ? new Failure('proxy', 'is not reached through the proxy', { cause: error }) : new OwnFailure('proxy', error)),
    );
    asked.end();
  });
}
