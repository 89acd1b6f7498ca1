import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hopHeader, isPublic, Problem, systemClock, type Clock } from '@sheaf/kernel';
import { Failure, nameOf, ownFailure, type FailureName } from './failure';
import { Kept } from './kept';
import { resolve as resolveName, type Resolve } from './resolve';

/** A URL that may be called, and the addresses that were looked at when that was decided. */
export interface Target {
  url: URL;
  addresses: readonly string[];
}

/** How a POST ended: with the status of an answer whose head came in time, or without one. `durationMs` is the time until then. */
export type Outcome = { durationMs: number } & ({ status: number } | { error: FailureName });

export interface Egress {
  /**
   * Whether this URL may be called at the moment.
   * @throws Problem `bad_request` that says of `target_url` what is wrong with it.
   */
  vet(url: string): Promise<Target>;

  /**
   * Sends one POST. Redirects are not followed, proxy variables not read. `timeoutMs` bounds everything up to the head of the answer: DNS,
   * connection, TLS, sending, waiting. Never throws for what the other side does.
   *
   * `connection`: `new` is one of its own; `kept` may be one that an earlier `kept` POST to the same origin and addresses has left. Where that
   * breaks before the answer nobody can know whether the POST arrived: it has failed (`reset`) and is not sent again.
   * @throws OwnFailure for what we do: then nothing was sent.
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
  resolve?: Resolve;
  ca?: string;
  clock?: Clock;
  idleMs?: number;
}

const maxUrlLength = 2_048;
const vetTimeoutMs = 5_000;
// An address of several that does not answer gives way to the next one after this time.
const nextAddressMs = 1_000;
// The rest of an accepted answer is read so that its sender sees a proper end, within these bounds.
const discardBytes = 64 * 1024;
const discardMs = 1_000;

/**
 * The way out: what of the world may be called, and how.
 * @param rules `allowPrivateTargets` opens private addresses and plain http to everybody, for development; `privateOrigins` opens
 *   just these origins (`http://automation.internal:5678`), by whatever address they have. `isOwnOrigin` says whether a URL leads back to this
 *   deployment, and answers soon. `resolve` is another for tests, and so are `clock`,
 *   `idleMs`, how long a connection may wait for another POST, and `ca`: the authorities that are trusted.
 */
export function createEgress(rules: Rules): Egress {
  const { allowPrivateTargets, isOwnOrigin = () => false, resolve = resolveName } = rules;
  const privateOrigins = new Set(rules.privateOrigins.map((origin) => new URL(origin).origin));
  const kept = new Kept(rules.clock ?? systemClock, rules.idleMs);

  const check = async (text: string, signal: AbortSignal): Promise<Target> => {
    const url = parse(text);
    const anywhere = allowPrivateTargets || privateOrigins.has(url.origin);
    if (url.protocol !== 'https:' && !(anywhere && url.protocol === 'http:')) throw new Failure('url_not_allowed', 'must be an https URL');
    if (url.username !== '' || url.password !== '') throw new Failure('url_not_allowed', 'must not contain credentials');
    if (await isOwnOrigin(url)) throw new Failure('origin_not_allowed', 'must not be an address of this deployment');

    const host = hostOf(url);
    const addresses = isIP(host) ? [host] : await allOf(host, anywhere ? 'anywhere' : 'internet', signal);
    // One that is not public is enough: which of them a connection takes is up to chance, or to whoever runs the name server.
    if (!anywhere && !addresses.every(isPublic)) throw new Failure('address_not_allowed', 'its host must have public addresses only');
    return { url, addresses };
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
      const durationMs = () => Math.round(performance.now() - startedAt);
      const progress: Progress = { connected: false, reused: false };
      let origin = '';
      try {
        const target = await check(text, signal);
        ({ origin } = target.url);
        const agent = connection === 'kept' && kept.trusts(origin) ? kept : undefined;
        return await exchange(target, { headers, body, signal, durationMs, agent, ca: rules.ca, progress });
      } catch (error) {
        if (progress.reused) kept.distrust(origin);
        if (signal.aborted) return { durationMs: durationMs(), error: 'timeout' };
        const own = progress.connected ? undefined : ownFailure(error);
        if (own) throw own;
        return { durationMs: durationMs(), error: nameOf(error) };
      }
    },
  };
}

function parse(text: string): URL {
  if (text.length > maxUrlLength) throw new Failure('url_not_allowed', `must have at most ${maxUrlLength} characters`);
  // `new URL` would repair or drop these; a URI (RFC 3986) does not contain them.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) throw new Failure('url_not_allowed', 'must be a URL');
  return new URL(text);
}

/** The host as a name or a bare address: without the brackets of IPv6 and the dot that ends an absolute name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

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

/** Connects to one of the addresses that were vetted, and to no other: the name is not looked up again. */
function connectTo({ url, addresses }: Target, ca: string | undefined, signal: AbortSignal, done: (error: Error | null, socket: Socket) => void): void {
  const name = hostOf(url);
  const vetted: LookupFunction = (_host, _options, found) => found(null, addresses.map((address) => ({ address, family: isIP(address) })));
  const secure = url.protocol === 'https:';
  const options = {
    // For an address nothing is looked up.
    host: name,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    lookup: vetted,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    noDelay: true,
  };

  const socket = secure ? connectTls({ ...options, ...(isIP(name) ? {} : { servername: name }), ca, ALPNProtocols: ['http/1.1'] }) : connectTcp(options);
  let connected = false;
  const onAbort = () => socket.destroy(signal.reason as Error);
  const onError = (error: Error) => {
    signal.removeEventListener('abort', onAbort);
    done(connected ? new Failure('tls', 'has no valid TLS', { cause: error }) : error, socket);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('connect', () => (connected = true));
  socket.once('error', onError);
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    // An error that comes while nobody waits for anything must not be one that nobody handles.
    socket.off('error', onError).on('error', () => undefined);
    signal.removeEventListener('abort', onAbort);
    done(null, socket);
  });
}

/** How far a POST has come. */
interface Progress {
  /** It has a connection, so that some of it may have been sent. */
  connected: boolean;
  /** Another POST had it before. */
  reused: boolean;
}

interface Exchange extends Pick<Post, 'headers' | 'body'> {
  signal: AbortSignal;
  durationMs: () => number;
  agent: Kept | undefined;
  ca: string | undefined;
  progress: Progress;
}

/** One request. Its connection ends with it, unless there is an agent and nothing speaks against keeping it. */
async function exchange(target: Target, { headers, body, signal, durationMs, agent, ca, progress }: Exchange): Promise<Outcome> {
  signal.throwIfAborted();
  const { origin, host, pathname, search } = target.url;
  // What has to be equal for a kept connection: as the agent calls `host`. Nothing is connected by it.
  const same = [origin, ...[...target.addresses].sort()].join(' ');
  agent?.dropOld(same);
  // As the connection is given, `node:http` speaks over TLS too; it cannot know that 443 is no port to be named.
  const request = httpRequest({
    agent,
    host: same,
    createConnection: (_options, done) => {
      connectTo(target, ca, signal, done);
      return undefined;
    },
    method: 'POST',
    path: pathname + search,
    headers: rowOf({ Host: host, 'Content-Length': String(Buffer.byteLength(body)), [hopHeader]: '1' }, headers),
  });
  progress.connected = progress.reused = request.reusedSocket;
  // Node's own `signal` hangs a dozen listeners on each request.
  const onAbort = () => request.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  let ended = false;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('socket', () => (progress.connected = true)).on('response', resolve).on('error', reject);
      // A 101 is no success. Node hands its socket over, and without a listener it ends the request with neither an answer nor an error.
      request.on('upgrade', (switched: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve(switched);
      });
      // Any other way to end: an attempt must never wait for an event that cannot come any more.
      request.on('close', () => reject(new Failure('reset', 'closed the connection before it answered')));
      request.end(body);
    });
    const status = answer.statusCode ?? 0;
    const outcome = { durationMs: durationMs(), status };
    // Judged by now; whatever becomes of the rest changes nothing.
    if (status >= 200 && status < 300) ended = await discard(answer);
    return outcome;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Of what was not taken to its end, by one side or the other, something may still be on its way.
    if (!(ended && request.writableFinished && request.shouldKeepAlive)) request.destroy();
  }
}

/** Headers as Node writes them at once; each of an object it would keep for others to change. */
function rowOf(...all: readonly Record<string, string>[]): string[] {
  const row: string[] = [];
  for (const headers of all) for (const name in headers) row.push(name, headers[name] ?? '');
  return row;
}

/** @returns whether it came to its end within the bounds. */
function discard(answer: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    const over = (ended: boolean) => {
      clearTimeout(late);
      resolve(ended);
    };
    const late = setTimeout(() => over(false), discardMs);
    let bytes = 0;
    answer
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > discardBytes) over(false);
      })
      .on('end', () => over(true))
      .on('error', () => over(false));
  });
}
