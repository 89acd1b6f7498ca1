import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, type Clock } from '@sheaf/kernel';
import { LRUCache } from 'lru-cache';
import type { Broker } from './broker';
import { eventRoot } from '../event';
import { EventCache, type Remembered } from './event-cache';

/** A service that is down usually fails at once but sometimes hangs. This is the longest wait if a last known value exists. */
const waitMs = 500;
/** How often the service is asked while it is down. */
const askEveryMs = 1_000;

type Options<V extends object> = ConstructorParameters<typeof EventCache<V>>[1] & {
  /** The maximum age of a value returned while its owner is down; 0 disables this. */
  staleMs: number;
  clock: Clock;
  /** Whether a failure to load is one of an owner that answered: then the last known value is not its value any more. */
  isAnswered?: (failure: unknown) => boolean;
};

/** A value, when it was found, and when its owner last failed to answer. */
interface Known<V> {
  found: Remembered<V>;
  at: number;
  failedAt: number;
}

/**
 * An `EventCache` that returns the last known value while the owner cannot be reached, up to a maximum age. Use it only for public facts that
 * change rarely, not for permissions. As long as events arrive, they drop values here too, so a returned value is current; while the broker
 * is down as well, it may be as old as the maximum age.
 */
export class LastKnown<V extends object> {
  private readonly cache: EventCache<V>;
  private readonly known: LRUCache<string, Known<V>>;
  private readonly asking = new Set<string>();
  private epoch = 0;

  constructor(
    broker: Pick<Broker, 'listen' | 'sightOf'>,
    private readonly options: Options<V>,
  ) {
    const { source, max, maxBytes, bytesOf = () => 1_024, tagsOf } = options;
    this.cache = new EventCache(broker, options);
    this.known = new LRUCache({
      max,
      maxSize: maxBytes,
      sizeCalculation: ({ found }, key) => Math.ceil(bytesOf(found.value)) + 2 * key.length,
    });
    broker.listen(`${eventRoot}.${source}.>`, { onEvent: (event) => this.forget(tagsOf(event)), onGap: () => undefined });
  }

  async get(key: string, load: () => Promise<Remembered<V>>): Promise<V> {
    const { clock, staleMs } = this.options;
    const now = clock.now().getTime();
    const last = this.known.get(key);
    const isUsable = last !== undefined && now - last.at <= staleMs;
    if (isUsable && now - last.failedAt < askEveryMs) return last.found.value;

    const asked = this.cache.get(key, () => this.load(key, load));
    // Most values come from the cache, without a call.
    if (!isUsable || !this.asking.has(key)) return asked;
    try {
      return await withinMs(asked, waitMs);
    } catch (failure) {
      if (!(failure instanceof Problem) || failure.code !== 'unavailable') throw failure;
      // An event may have dropped the value in the meantime.
      if (this.known.get(key) !== last) throw failure;
      last.failedAt = clock.now().getTime();
      return last.found.value;
    }
  }

  private async load(key: string, load: () => Promise<Remembered<V>>): Promise<Remembered<V>> {
    const { epoch } = this;
    this.asking.add(key);
    try {
      const found = await load();
      if (epoch === this.epoch && this.options.staleMs > 0)
        this.known.set(key, { found, at: this.options.clock.now().getTime(), failedAt: -Infinity });
      return found;
    } catch (failure) {
      // The entity no longer exists, is no longer public, or is one that this release cannot read.
      if (isRefusal(failure) || this.options.isAnswered?.(failure) === true) this.known.delete(key);
      throw failure;
    } finally {
      this.asking.delete(key);
    }
  }

  private forget(tags: readonly string[]): void {
    if (tags.length === 0) return;
    this.epoch += 1;
    const dropped = new Set(tags);
    for (const [key, { found }] of this.known.entries()) if (found.tags.some((tag) => dropped.has(tag))) this.known.delete(key);
  }
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof Problem && failure.code !== 'unavailable' && failure.code !== 'internal_error';

async function withinMs<T>(work: Promise<T>, ms: number): Promise<T> {
  const stop = new AbortController();
  // It may fail after the wait is over, and that must not be an unhandled rejection.
  work.catch(() => undefined);
  const late = sleep(ms, undefined, { signal: stop.signal }).then(() => Promise.reject(Problem.unavailable(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
