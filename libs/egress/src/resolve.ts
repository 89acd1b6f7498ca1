import { lookup, Resolver } from 'node:dns/promises';
import { OwnFailure } from './failure';

/**
 * Finds all addresses of a host name.
 * @param scope `internet`: from DNS only. `anywhere`: as this machine resolves names, including its hosts file and search domains.
 * @throws the error of the lookup, or the signal's reason.
 */
export type Resolve = (host: string, scope: 'internet' | 'anywhere', signal: AbortSignal) => Promise<string[]>;

// The second try waits twice as long, and time must remain to find out whether the fault is ours.
const queryTimeoutMs = 2_500;

// `lookup` uses getaddrinfo, which blocks one of four threads until the name server answers. File access and password hashing share those
// threads, so a few names with a dead name server would block them all. It is used only for targets that an operator has allowed.
export const resolve: Resolve = async (host, scope, signal) => {
  try {
    return scope === 'internet' ? await fromDns(host, signal) : (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw (await isOurs(error)) ? new OwnFailure('name', error) : error;
  }
};

// No name server listens at the configured address, or this machine cannot query at all.
const cannotAsk = new Set(['ECONNREFUSED', 'ENOTINITIALIZED', 'EFILE', 'ENOMEM', 'EMFILE']);
// Either our name server did not answer, or it was waiting for the host's name server.
const unanswered = new Set(['ETIMEOUT', 'EAI_AGAIN']);
const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** Whether the lookup failed because of our own name server. If it answers at all, even with SERVFAIL, the fault is the host's. */
async function isOurs(error: unknown): Promise<boolean> {
  if (cannotAsk.has(codeOf(error))) return true;
  return unanswered.has(codeOf(error)) && !(await ownServerAnswers());
}

const probeTimeoutMs = 1_000;
const rememberMs = 5_000;
let probe: { at: number; answers: Promise<boolean> } | undefined;

/** Probes whether our name server answers a query that it can resolve on its own. Concurrent callers share one probe. */
function ownServerAnswers(): Promise<boolean> {
  if (!probe || performance.now() - probe.at > rememberMs) {
    const answers = new Resolver({ timeout: probeTimeoutMs, tries: 1 }).resolveNs('.').then(
      () => true,
      (error: unknown) => !cannotAsk.has(codeOf(error)) && !unanswered.has(codeOf(error)),
    );
    probe = { at: performance.now(), answers };
  }
  return probe.answers;
}

/** Resolves a name in DNS. `servers` (`address:port`) replace the configured name servers. */
export async function fromDns(host: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
