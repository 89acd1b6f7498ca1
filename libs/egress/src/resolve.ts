import { lookup, Resolver } from 'node:dns/promises';
import { OwnFailure } from './failure';

/**
 * All addresses of a host name.
 * @param scope `internet`: what the DNS says. `anywhere`: what this machine says, its hosts file and search domains included.
 * @throws whatever the lookup threw, or the signal's reason.
 */
export type Resolve = (host: string, scope: 'internet' | 'anywhere', signal: AbortSignal) => Promise<string[]>;

// The second try waits twice as long, and then there has to be time left to find out whose fault it is.
const queryTimeoutMs = 2_500;

// getaddrinfo, which `lookup` asks, blocks one of the four threads that all file and password work of the process shares, until the
// name server answers: a few names with a dead name server would hold up everything. It is only asked for targets that an operator allowed.
export const resolve: Resolve = async (host, scope, signal) => {
  try {
    return scope === 'internet' ? await fromDns(host, signal) : (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw (await isOurs(error)) ? new OwnFailure('name', error) : error;
  }
};

// Nobody listens where this machine asks, or it cannot ask at all.
const cannotAsk = new Set(['ECONNREFUSED', 'ENOTINITIALIZED', 'EFILE', 'ENOMEM', 'EMFILE']);
// Somebody did not answer: our name server, or the one of that host, for which ours waits.
const unanswered = new Set(['ETIMEOUT', 'EAI_AGAIN']);
const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** Whether a name was not found because of our own name server. What it answers, SERVFAIL included, is the host's affair. */
async function isOurs(error: unknown): Promise<boolean> {
  if (cannotAsk.has(codeOf(error))) return true;
  return unanswered.has(codeOf(error)) && !(await ownServerAnswers());
}

const probeTimeoutMs = 1_000;
const rememberMs = 5_000;
let probe: { at: number; answers: Promise<boolean> } | undefined;

/** Whether our name server answers anything, asked for what it knows without asking others. Once for all who wonder at the same time. */
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

/** What the DNS says, or what it is to these name servers (`address:port`). */
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
