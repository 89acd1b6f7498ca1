import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hopHeader, isPublic, Problem, systemClock, urlIn, type Clock } from '@sheaf/kernel';
import type { Authorities } from './authorities';
import { tlsOf, type ConnectionFacts } from './connection-facts';
import { excerptOf, readSuccess, type Excerpt } from './excerpt';
import { codeOf, Failure, nameOf, ownFailure, type FailureName } from './failure';
import { KeptConnections } from './kept-connections';
import { retryAfterMs } from './retry-after';
import { resolve as resolveName, type Resolve } from './resolve';
import { openTunnel, type Proxy } from './tunnel';

/** A URL that may be called, and the vetted addresses of its host: none if only the proxy may look up its name. */
export interface Target {
  url: URL;
  addresses: readonly string[];
  /** Whether the proxy, if there is one, has to be passed. */
  isBehindProxy: boolean;
}

/**
 * How a POST ended: the status if the response head arrived in time, otherwise an error. `durationMs` is the time until then. The beginning of the
 * body follows within a second, and within the limit of the POST; it decides nothing.
 */
export type Outcome = { durationMs: number; connection?: ConnectionFacts } &
  /** `retryAfterMs`: how long the server asks us to wait before we call again. */
  (
    | { status: number; response?: Promise<Excerpt | undefined>; retryAfterMs?: number | undefined }
    /** `code`: as Node names the failure, such as `CERT_HAS_EXPIRED`. */
    | { error: FailureName; code?: string | undefined }
  );

export interface Egress {
  /**
   * Checks that this URL may be called now.
   * @throws Problem `bad_request` that names `target_url` and the reason.
   */
  vet(url: string): Promise<Target>;

  /**
   * Sends one POST. It neither follows redirects nor reads the proxy variables of others. `timeoutMs` covers everything up to the response head: DNS,
   * connecting, TLS, sending, waiting. Failures of the other side are returned, not thrown.
   *
   * `connection`: `new` opens a connection for this POST; `kept` may reuse the connection of an earlier `kept` POST to the same origin and
   * addresses. If a reused connection breaks before the response, the POST may or may not have arrived: it fails (`reset`) and is not resent.
   * @throws OwnFailure if the failure is ours; nothing was sent then.
   */
  post(url: string, request: Post): Promise<Outcome>;
}

export interface Post {
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  connection: 'kept' | 'new';
}

export interface Rules {
  allowPrivateTargets: boolean;
  privateOrigins: readonly string[];
  isOwnOrigin?: (url: URL) => boolean | Promise<boolean>;
  proxy?: Proxy;
  proxyHosts?: readonly string[];
  authorities?: Authorities;
  resolve?: Resolve;
  ca?: string;
  clock?: Clock;
  idleMs?: number;
}

const maxUrlLength = 2_048;
const vetTimeoutMs = 5_000;
// If a host has several addresses, the next one is tried after this time without a connection.
const nextAddressMs = 1_000;
// Node's own limit is 16 KB, which some servers exceed with cookies and policies.
const maxHeadBytes = 64 * 1024;

/**
 * Decides which addresses webhooks may reach, and connects to them.
 * @param rules `allowPrivateTargets` allows all private addresses and plain http, for development; `privateOrigins` allows only these
 *   origins (`http://automation.internal:5678`), whatever their addresses. `isOwnOrigin` must tell quickly whether a URL leads back to this
 *   deployment. `proxy` opens the connections to all but `privateOrigins`. If there are `proxyHosts` (`hooks.example.com`, `*.example.com`), it
 *   also looks up their names, and nothing else but `privateOrigins` is allowed. `authorities` may have issued receivers' certificates.
 *   The rest is for tests: `resolve`, `clock`, `idleMs` (how long an idle connection is kept) and `ca` (the trusted authorities).
 */
export function createEgress(rules: Rules): Egress {
  const { allowPrivateTargets, isOwnOrigin = () => false, resolve = resolveName, proxy, proxyHosts = [], authorities } = rules;
  const privateOrigins = new Set(rules.privateOrigins.map((origin) => new URL(origin).origin));
  const clock = rules.clock ?? systemClock;
  const kept = new KeptConnections(clock, rules.idleMs);

  const check = async (text: string, signal: AbortSignal, facts?: ConnectionFacts): Promise<Target> => {
    const url = parse(text);
    const isPrivate = privateOrigins.has(url.origin);
    const anywhere = allowPrivateTargets || isPrivate;
    if (url.protocol !== 'https:' && !(anywhere && url.protocol === 'http:')) throw new Failure('url_not_allowed', 'must be an https URL');
    if (url.username !== '' || url.password !== '') throw new Failure('url_not_allowed', 'must not contain credentials');
    if (await isOwnOrigin(url)) throw new Failure('origin_not_allowed', 'must not be an address of this deployment');

    const host = hostOf(url);
    if (proxyHosts.length > 0 && !isPrivate) {
      if (isIP(host) || !proxyHosts.some((pattern) => isHost(host, pattern)))
        throw new Failure('address_not_allowed', 'its host must be one that the proxy may look up');
      return { url, addresses: [], isBehindProxy: true };
    }
    const startedAt = performance.now();
    const addresses = isIP(host) ? [host] : await allOf(host, anywhere ? 'anywhere' : 'internet', signal);
    if (facts && !isIP(host)) facts.dnsMs = since(startedAt);
    // One private address is enough to refuse: chance, or the owner of the name server, decides which address a connection uses.
    if (!anywhere && !addresses.every(isPublic)) throw new Failure('address_not_allowed', 'its host must have public addresses only');
    return { url, addresses, isBehindProxy: !isPrivate };
  };

  const allOf = async (host: string, scope: 'internet' | 'anywhere', signal: AbortSignal): Promise<string[]> => {
    try {
      const addresses = await untilAborted(signal, resolve(host, scope, signal));
      if (addresses.length > 0) return addresses;
    } catch (error) {
      throw new Failure('dns', 'its host cannot be found', { cause: error });
    }
    throw new Failure('dns', 'its host cannot be found');
  };

  return {
    vet: (text) =>
      check(text, AbortSignal.timeout(vetTimeoutMs)).catch((error: unknown) => {
        throw error instanceof Failure ? new Problem('bad_request', `target_url: ${error.message}`, { cause: error }) : error;
      }),

    async post(text, { headers, body, timeoutMs, connection }) {
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const durationMs = () => since(startedAt);
      const facts: ConnectionFacts = { isReused: false };
      const progress: Progress = { connected: false, reused: false, atProxy: false, facts };
      let origin = '';
      try {
        const target = await check(text, signal, facts);
        ({ origin } = target.url);
        const agent = connection === 'kept' && kept.trusts(origin) ? kept : undefined;
        return await exchange(target, {
          headers,
          body,
          signal,
          durationMs,
          clock,
          agent,
          proxy,
          trust: { authorities, ca: rules.ca },
          progress,
        });
      } catch (error) {
        if (progress.reused) kept.distrust(origin);
        if (signal.aborted) {
          const failure = progress.atProxy ? ({ error: 'proxy', code: 'ETIMEDOUT' } as const) : ({ error: 'timeout' } as const);
          return { durationMs: durationMs(), connection: facts, ...failure };
        }
        const own = progress.connected ? undefined : ownFailure(error);
        if (own) throw own;
        return { durationMs: durationMs(), connection: facts, error: nameOf(error), code: codeOf(error) };
      }
    },
  };
}

const since = (startedAt: number): number => Math.round(performance.now() - startedAt);

function parse(text: string): URL {
  if (text.length > maxUrlLength) throw new Failure('url_not_allowed', `must have at most ${maxUrlLength} characters`);
  // `new URL` would repair or drop these; a URI (RFC 3986) cannot contain them.
  const url = /[\s\\\p{Cc}]/u.test(text) ? undefined : urlIn(text);
  if (!url) throw new Failure('url_not_allowed', 'must be a URL');
  // `new URL` would take the host from the path: http:///host.
  if (/^https?:(?!\/\/[^/?#])/i.test(text)) throw new Failure('url_not_allowed', 'must be a URL with a host after two slashes');
  if (url.port === '0') throw new Failure('url_not_allowed', 'must have a port between 1 and 65535, or none');
  return url;
}

/** The host as a name or a bare address: without the brackets of IPv6 and the dot that ends an absolute name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a host is that of the pattern, or below the domain of `*.domain`. */
const isHost = (host: string, pattern: string): boolean => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern);

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Connects to one of the vetted addresses, directly or through the proxy, and to no other: the name is not looked up again. */
function connectTo(
  { url, addresses, isBehindProxy }: Target,
  { proxy, trust, signal, progress }: Pick<Exchange, 'proxy' | 'trust' | 'signal' | 'progress'>,
  done: (error: Error | null, socket: Socket) => void,
): void {
  const { facts } = progress;
  const name = hostOf(url);
  const vetted: LookupFunction = (_host, _options, found) =>
    found(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const tlsOptions = {
    ...(isIP(name) ? {} : { servername: name }),
    ...(trust.authorities ? { secureContext: trust.authorities.context } : { ca: trust.ca }),
    ALPNProtocols: ['http/1.1'],
  };

  const startedAt = performance.now();
  let connected = false;
  const onceReady = (socket: Socket) => {
    const onAbort = () => socket.destroy(signal.reason as Error);
    const onError = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      done(connected ? new Failure('tls', 'has no valid TLS', { cause: error }) : error, socket);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => {
      connected = true;
      facts.connectMs ??= since(startedAt);
    });
    socket.once('error', onError);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      // An idle connection may fail, and an unhandled error would end the process.
      socket.off('error', onError).on('error', () => undefined);
      signal.removeEventListener('abort', onAbort);
      if (secure) facts.tlsMs = since(startedAt) - (facts.connectMs ?? 0);
      noteTls(facts, socket);
      done(null, socket);
    });
  };

  if (proxy && isBehindProxy) {
    progress.atProxy = true;
    // By its address, so that the proxy reaches what was vetted and nothing else. TLS is with the receiver: the proxy cannot read along.
    openTunnel(proxy, addresses.length > 0 ? addresses : [name], port, signal).then(
      (tunnel) => {
        progress.atProxy = false;
        connected = true;
        facts.connectMs = since(startedAt);
        tunnel.on('error', () => undefined);
        if (secure) onceReady(connectTls({ socket: tunnel, host: name, ...tlsOptions }));
        else done(null, tunnel);
      },
      (error: unknown) => (done as (error: unknown) => void)(error),
    );
    return;
  }
  const options = {
    // Node looks up names only, not addresses.
    host: name,
    port,
    lookup: vetted,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    noDelay: true,
  };
  onceReady(secure ? connectTls({ ...options, ...tlsOptions }) : connectTcp(options));
}

function noteTls(facts: ConnectionFacts, socket: Socket): void {
  const tls = tlsOf(socket);
  if (tls) facts.tls = tls;
}

/** How far a POST has got. */
interface Progress {
  /** The POST has a connection, so part of it may have been sent. */
  connected: boolean;
  /** An earlier POST used the same connection. */
  reused: boolean;
  /** The proxy was asked for a connection, and has not opened it yet. */
  atProxy: boolean;
  facts: ConnectionFacts;
}

interface Exchange extends Pick<Post, 'headers' | 'body'> {
  signal: AbortSignal;
  durationMs: () => number;
  clock: Clock;
  agent: KeptConnections | undefined;
  proxy: Proxy | undefined;
  trust: { authorities: Authorities | undefined; ca: string | undefined };
  progress: Progress;
}

/** Makes one request, then closes its connection unless an agent may keep it. */
async function exchange(
  target: Target,
  { headers, body, signal, durationMs, clock, agent, proxy, trust, progress }: Exchange,
): Promise<Outcome> {
  signal.throwIfAborted();
  const { origin, host, pathname, search } = target.url;
  // The agent's key for reuse: it stands in for `host`, but nothing connects to it.
  const same = [origin, ...[...target.addresses].sort()].join(' ');
  agent?.closeExpired(same);
  // With its own connection, `node:http` also works over TLS, but it would add port 443 to the Host header, so we set that header.
  const request = httpRequest({
    agent,
    host: same,
    createConnection: (_options, done) => {
      connectTo(target, { proxy, trust, signal, progress }, done);
      return undefined;
    },
    maxHeaderSize: maxHeadBytes,
    method: 'POST',
    path: pathname + search,
    headers: rowOf({ Host: host, 'Content-Length': String(Buffer.byteLength(body)), [hopHeader]: '1' }, headers),
  });
  const { facts } = progress;
  progress.connected = progress.reused = facts.isReused = request.reusedSocket;
  let readyAt = performance.now();
  // Node's own `signal` option adds a dozen listeners to each request.
  const onAbort = () => request.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const close = (ended: boolean) => {
    signal.removeEventListener('abort', onAbort);
    // If either side did not finish, data may still be in flight, so the connection cannot be reused.
    if (!(ended && request.writableFinished && request.shouldKeepAlive)) request.destroy();
  };
  let answer: IncomingMessage;
  try {
    answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request
        .once('socket', (socket: Socket) => {
          progress.connected = true;
          readyAt = performance.now();
          if (facts.isReused) noteTls(facts, socket);
        })
        .on('response', resolve)
        .on('error', reject);
      // A 101 is not a success. Without this listener Node ends the request with neither a response nor an error.
      request.on('upgrade', (switched: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve(switched);
      });
      // Covers any other ending: an attempt must never wait for an event that can no longer come.
      request.on('close', () => reject(new Failure('reset', 'closed the connection before it answered')));
      request.end(body);
    });
  } catch (error) {
    close(false);
    throw error;
  }
  // The status alone decides; the rest of the response changes nothing.
  facts.firstByteMs = since(readyAt);
  const outcome = { durationMs: durationMs(), connection: facts, status: answer.statusCode ?? 0 };
  if (outcome.status < 200 || outcome.status > 299)
    return {
      ...outcome,
      retryAfterMs: retryAfterMs(answer.headers, clock.now()),
      response: excerptOf(answer, target.url).finally(() => close(false)),
    };
  const { hasEnded, excerpt } = await readSuccess(answer);
  close(hasEnded);
  return excerpt ? { ...outcome, response: Promise.resolve(excerpt) } : outcome;
}

/** Headers as a flat list, which Node writes directly instead of storing each header first. */
function rowOf(...all: readonly Record<string, string>[]): string[] {
  const row: string[] = [];
  for (const headers of all) for (const name in headers) row.push(name, headers[name] ?? '');
  return row;
}
