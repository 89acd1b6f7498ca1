import type { Clock } from '@sheaf/kernel';
import { isInstanceHost, type Call, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import type { Log } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';

// An instance's new host is noticed within this time. It takes about as long for the new name to resolve to this deployment.
const cacheMs = 60_000;
// An attempt waits at most this long, and only for an unknown host.
const timeoutMs = 500;
// How often to ask `workspaces` while it does not answer.
const retryAfterMs = 1_000;

interface CachedAnswer {
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
 * in use are refreshed earlier, in the background. While `workspaces` is unavailable, the last answer counts, and an unknown host is
 * allowed: webhooks do not wait for it, and the `Sheaf-Hop` header still stops a webhook that leads back here.
 */
export class InstanceHosts {
  private readonly known = new LRUCache<string, CachedAnswer>({ max: 10_000 });
  private readonly pending = new Map<string, Promise<boolean>>();
  private failedAt = -Infinity;

  constructor(private readonly parts: Parts) {}

  has(host: string): boolean | Promise<boolean> {
    const known = this.known.get(host);
    const now = this.now();
    const age = known ? now - known.askedAt : Infinity;
    if (known && age < cacheMs / 2) return known.isOwn;
    if (now - this.failedAt < retryAfterMs) return known?.isOwn ?? false;

    const answer = this.pending.get(host) ?? this.ask(host, known);
    return known && age < cacheMs ? known.isOwn : answer;
  }

  private ask(host: string, known: CachedAnswer | undefined): Promise<boolean> {
    const askedAt = this.now();
    const { workspaces, callWithin, log } = this.parts;
    const answer = isInstanceHost(workspaces, callWithin(timeoutMs), host)
      .then((isOwn) => {
        this.known.set(host, { isOwn, askedAt });
        return isOwn;
      })
      .catch((error: unknown) => {
        this.failedAt = this.now();
        log.warn({ err: error, host }, 'resolving a host failed, using the last answer');
        return known?.isOwn ?? false;
      })
      .finally(() => this.pending.delete(host));
    this.pending.set(host, answer);
    return answer;
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}
