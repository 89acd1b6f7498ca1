import type { Clock } from '@sheaf/kernel';
import { isInstanceHost, type Call, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import type { Log } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';

// A host that an instance gets is noticed within this time. It takes about as long until its name leads here.
const rememberMs = 60_000;
// An attempt waits no longer than this, and only for a host that is not known.
const waitMs = 500;
// How often `workspaces` is asked while it does not answer.
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
 * Which hosts are instances' of this deployment, asked of `workspaces` and remembered for a minute, also where they are not. What is in use is
 * asked anew before that, beside the attempts. While `workspaces` is away the last answer counts, and a host without one is let
 * through: webhooks do not wait for it, and the header `Sheaf-Hop` stops one that leads back here all the same.
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
