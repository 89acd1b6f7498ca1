import type { Clock } from '@sheaf/kernel';
import { isInstanceHost, type Call, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import type { Log } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';

// An instance's new host is noticed within this time. Its name takes about as long to resolve to this deployment.
const rememberMs = 60_000;
// An attempt waits at most this long, and only for an unknown host.
const waitMs = 500;
// How often to ask `workspaces` while it does not answer.
const askAgainMs = 1_000;

interface Known {
  isOwn: boolean;
  askedAt: number;
}

interface Parts {
  workspaces: Pick<Client<WorkspacesDefinition>, 'resolveHost'>;
  clock: Clock;
  callWithin: (ms: number) => Call;
  log: Pick<Log, 'warn'>;
}

/**
 * Knows which hosts belong to instances of this deployment. Answers from `workspaces` are remembered for a minute, negative ones too; those
 * in use are refreshed earlier, in the background. While `workspaces` is away the last answer counts, and a host without one is let
 * through: webhooks do not wait for it, and the `Sheaf-Hop` header still stops a webhook that leads back here.
 */
export class InstanceHosts {
  private readonly known = new LRUCache<string, Known>({ max: 10_000 });
  private readonly asking = new Map<string, Promise<boolean>>();
  private failedAt = -Infinity;

  constructor(private readonly parts: Parts) {}

  has(host: string): boolean | Promise<boolean> {
    const known = this.known.get(host);
    const now = this.now();
    const age = known ? now - known.askedAt : Infinity;
    if (known && age < rememberMs / 2) return known.isOwn;
    if (now - this.failedAt < askAgainMs) return known?.isOwn ?? false;

    const asked = this.asking.get(host) ?? this.ask(host, known);
    return known && age < rememberMs ? known.isOwn : asked;
  }

  private ask(host: string, known: Known | undefined): Promise<boolean> {
    const askedAt = this.now();
    const { workspaces, callWithin, log } = this.parts;
    const asked = isInstanceHost(workspaces, callWithin(waitMs), host)
      .then((isOwn) => {
        this.known.set(host, { isOwn, askedAt });
        return isOwn;
      })
      .catch((error: unknown) => {
        this.failedAt = this.now();
        log.warn({ err: error, host }, 'nobody says whether a host is ours: the last answer counts');
        return known?.isOwn ?? false;
      })
      .finally(() => this.asking.delete(host));
    this.asking.set(host, asked);
    return asked;
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}
