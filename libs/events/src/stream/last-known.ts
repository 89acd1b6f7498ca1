import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, type Clock } from '@sheaf/kernel';
import { LRUCache } from 'lru-cache';
import type { Broker } from './broker';
import { eventRoot } from '../event';
import { EventCache, type Remembered } from './event-cache';

/** A service that is away often refuses at once, and sometimes hangs: nobody waits longer for it than this while there is something known. */
const waitMs = 500;
/** How often it is asked while it is away. */
const askEveryMs = 1_000;

type Options<V extends object> = ConstructorParameters<typeof EventCache<V>>[1] & {
  /** How old what is given out may be while its owner is away; 0 for never. */
  staleMs: number;
  clock: Clock;
};

/** What was found, when it was found, and when its owner last could not be asked. */
interface Known<V> {
  found: Remembered<V>;
  at: number;
  failedAt: number;
}

/**
 * An `EventCache` that gives out what it knew last while its owner cannot be asked, up to an age. Only for facts that are public and change
 * rarely: whoever may do something is asked anew instead. As long as events arrive, what they name is forgotten here too, so all that is
 * given out is still true; while the broker is away as well, it is as old as the age allows.
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
    this.known = new LRUCache({ max, maxSize: maxBytes, sizeCalculation: ({ found }, key) => Math.ceil(bytesOf(found.value)) + 2 * key.length });
    broker.listen(`${eventRoot}.${source}.>`, { onEvent: (event) => this.forget(tagsOf(event)), onGap: () => undefined });
  }

  async get(key: string, load: () => Promise<Remembered<V>>): Promise<V> {
    const { clock, staleMs } = this.options;
    const now = clock.now().getTime();
    const last = this.known.get(key);
    const isUsable = last !== undefined && now - last.at <= staleMs;
    if (isUsable && now - last.failedAt < askEveryMs) return last.found.value;

    const asked = this.cache.get(key, () => this.load(key, load));
    // On most requests it is in the cache, and nothing is asked.
    if (!isUsable || !this.asking.has(key)) return asked;
    try {
      return await withinMs(asked, waitMs);
    } catch (failure) {
      if (!(failure instanceof Problem) || failure.code !== 'unavailable') throw failure;
      // An event may have dropped it meanwhile.
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
      if (epoch === this.epoch && this.options.staleMs > 0) this.known.set(key, { found, at: this.options.clock.now().getTime(), failedAt: -Infinity });
      return found;
    } catch (failure) {
      // It is gone, or no longer for everybody.
      if (failure instanceof Problem && failure.code !== 'unavailable' && failure.code !== 'internal_error') this.known.delete(key);
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

async function withinMs<T>(work: Promise<T>, ms: number): Promise<T> {
  const stop = new AbortController();
  // It may fail when nobody waits for it any more.
  work.catch(() => undefined);
  const late = sleep(ms, undefined, { signal: stop.signal }).then(() => Promise.reject(Problem.unavailable(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
