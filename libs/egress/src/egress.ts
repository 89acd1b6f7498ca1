import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Problem } from '@sheaf/kernel';
import { isPublic } from './address';
import { Failure, nameOf, ownFailure, type FailureName } from './failure';
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
   * Sends one POST over a connection of its own. Redirects are not followed, proxy variables not read. `timeoutMs` bounds everything
   * up to the head of the answer: DNS, connection, TLS, sending, waiting. Never throws for what the other side does.
   * @throws OwnFailure for what we do: then nothing was sent.
   */
  post(url: string, request: { headers: Record<string, string>; body: string; timeoutMs: number }): Promise<Outcome>;
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
 *   just these origins (`http://automation.internal:5678`), by whatever address they have. `resolve` is another for tests, and so is `ca`: the authorities that are trusted.
 */
export function createEgress(rules: { allowPrivateTargets: boolean; privateOrigins: readonly string[]; resolve?: Resolve; ca?: string }): Egress {
  const { allowPrivateTargets, resolve = resolveName } = rules;
  const privateOrigins = new Set(rules.privateOrigins.map((origin) => new URL(origin).origin));

  const check = async (text: string, signal: AbortSignal): Promise<Target> => {
    const url = parse(text);
    const anywhere = allowPrivateTargets || privateOrigins.has(url.origin);
    if (url.protocol !== 'https:' && !(anywhere && url.protocol === 'http:')) throw new Failure('url_not_allowed', 'must be an https URL');
    if (url.username !== '' || url.password !== '') throw new Failure('url_not_allowed', 'must not contain credentials');

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

    async post(text, { headers, body, timeoutMs }) {
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const durationMs = () => Math.round(performance.now() - startedAt);
      let sent = false;
      try {
        const target = await check(text, signal);
        const socket = await connectTo(target, rules.ca, signal);
        sent = true;
        return await exchange(socket, target.url, { headers, body, signal, durationMs });
      } catch (error) {
        if (signal.aborted) return { durationMs: durationMs(), error: 'timeout' };
        const own = sent ? undefined : ownFailure(error);
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

/**
 * Connects to one of the addresses that were vetted, and to no other: the name is not looked up again.
 */
function connectTo({ url, addresses }: Target, ca: string | undefined, signal: AbortSignal): Promise<Socket> {
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

  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const socket = secure
      ? connectTls({ ...options, ...(isIP(name) ? {} : { servername: name }), ca, ALPNProtocols: ['http/1.1'] })
      : connectTcp(options);
    let connected = false;
    const onAbort = () => socket.destroy(signal.reason as Error);
    const onError = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      reject(connected ? new Failure('tls', 'has no valid TLS', { cause: error }) : error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => (connected = true));
    socket.once('error', onError);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      // An error that comes while nobody waits for anything must not be one that nobody handles.
      socket.off('error', onError).on('error', () => undefined);
      signal.removeEventListener('abort', onAbort);
      resolve(socket);
    });
  });
}

/**
 * One request on one connection, which ends with it. Kept connections would save handshakes, but a subscriber that closes an idle one at
 * the wrong moment would cost a delivery one of its three attempts.
 */
async function exchange(
  socket: Socket,
  { host, pathname, search }: URL,
  { headers, body, signal, durationMs }: { headers: Record<string, string>; body: string; signal: AbortSignal; durationMs: () => number },
): Promise<Outcome> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // As the connection is given, `node:http` speaks over TLS too; it cannot know that 443 is no port to be named.
      httpRequest({ createConnection: () => socket, method: 'POST', path: pathname + search, headers: { host, ...headers }, signal })
        .on('response', resolve)
        .on('error', reject)
        .end(body);
    });
    const status = answer.statusCode ?? 0;
    const outcome = { durationMs: durationMs(), status };
    // Judged by now; whatever becomes of the rest changes nothing.
    if (status >= 200 && status < 300) await discard(answer);
    return outcome;
  } finally {
    socket.destroy();
  }
}

function discard(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, discardMs);
    const over = () => {
      clearTimeout(late);
      resolve();
    };
    let bytes = 0;
    answer
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > discardBytes) over();
      })
      .on('end', over)
      .on('error', over);
  });
}
