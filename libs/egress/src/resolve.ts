import { lookup, Resolver } from 'node:dns/promises';

/**
 * All addresses of a host name.
 * @param scope `internet`: what the DNS says. `anywhere`: what this machine says, its hosts file and search domains included.
 * @throws whatever the lookup threw, or the signal's reason.
 */
export type Resolve = (host: string, scope: 'internet' | 'anywhere', signal: AbortSignal) => Promise<string[]>;

const queryTimeoutMs = 3_000;

// getaddrinfo, which `lookup` asks, blocks one of the four threads that all file and password work of the process shares, until the
// name server answers: a few names with a dead name server would hold up everything. It is only asked for targets that an operator allowed.
export const resolve: Resolve = async (host, scope, signal) =>
  scope === 'internet' ? fromDns(host, signal) : (await lookup(host, { all: true })).map(({ address }) => address);

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
