import type { Listening } from '@sheaf/contracts';
import { LRUCache } from 'lru-cache';
import type { Broker } from './broker';
import { eventRoot, type DomainEvent } from '../event';
import { leaseMs, type Sight } from './sight';

/** A cached value, and the tags by which an event can drop it. */
export interface Remembered<V> {
  value: V;
  tags: readonly string[];
}

interface Kept<V> extends Remembered<V> {
  /** When the look-up began. */
  at: number;
  /** Whether an event would have dropped the value if it had changed since. */
  isWatched: boolean;
}

interface Loading<V> {
  at: number;
  found: Promise<V>;
}

/**
 * Caches another service's data until an event says that it changed. While events may be missed (the broker is down, or a connection has fallen
 * silent), it returns only values that were looked up in the last `leaseMs`. In both cases a returned value lags behind its source by at most
 * `leaseMs`: see `Sight`. The TTL only limits memory.
 */
export class EventCache<V extends object> {
  private readonly kept: LRUCache<string, Kept<V>>;
  private readonly loading = new Map<string, Loading<V>>();
  private readonly byTag = new Map<string, Set<string>>();
  /** Increases with every event, so that an answer from before the event is not cached after it. */
  private epoch = 0;
  private readonly sight: Pick<Sight, 'isClear' | 'now'>;

  constructor(
    broker: Pick<Broker, 'listen' | 'sightOf'>,
    /** The events of `source` announce changes. */
    options: Listening & {
      /** The maximum number of values, and their total size in bytes. */
      max: number;
      maxBytes: number;
      ttlMs: number;
      /** The size of a value without its key; 1 KiB by default. */
      bytesOf?: (value: V) => number;
      tagsOf: (event: DomainEvent) => readonly string[];
    },
  ) {
    const { bytesOf = () => 1_024 } = options;
    this.kept = new LRUCache({
      max: options.max,
      maxSize: options.maxBytes,
      // A string may take two bytes per UTF-16 unit.
      sizeCalculation: ({ value, tags }, key) =>
        Math.ceil(bytesOf(value)) + 2 * tags.reduce((length, tag) => length + tag.length, key.length),
      ttl: options.ttlMs,
      dispose: ({ tags }, key) => this.untag(key, tags),
    });
    this.sight = broker.sightOf(options.source);
    broker.listen(`${eventRoot}.${options.source}.>`, {
      onEvent: (event) => {
        this.forget(options.tagsOf(event));
      },
      onGap: () => {
        this.startEpoch();
        this.kept.clear();
      },
    });
  }

  /** Returns the cached value of a key, or loads it. Concurrent calls share one look-up. */
  async get(key: string, load: () => Promise<Remembered<V>>): Promise<V> {
    const now = this.sight.now();
    const isClear = this.sight.isClear(now);
    const isFresh = ({ at }: { at: number }) => now - at < leaseMs;

    const known = this.kept.get(key);
    if (known && ((isClear && known.isWatched) || isFresh(known))) return known.value;

    const inProgress = this.loading.get(key);
    if (inProgress && (isClear || isFresh(inProgress))) return inProgress.found;

    const { epoch } = this;
    const found = load().then(({ value, tags }) => {
      if (epoch === this.epoch) this.keep(key, { value, tags, at: now, isWatched: isClear });
      return value;
    });
    this.loading.set(key, { at: now, found });
    try {
      return await found;
    } finally {
      if (this.loading.get(key)?.found === found) this.loading.delete(key);
    }
  }

  /** Drops all values with one of the tags; look-ups in progress are not cached. */
  forget(tags: readonly string[]): void {
    this.startEpoch();
    for (const tag of tags) for (const key of [...(this.byTag.get(tag) ?? [])]) this.kept.delete(key);
  }

  private keep(key: string, found: Kept<V>): void {
    this.kept.set(key, found);
    // A value larger than the whole cache is not cached.
    if (!this.kept.has(key)) return;
    for (const tag of found.tags) {
      const keys = this.byTag.get(tag);
      if (keys) keys.add(key);
      else this.byTag.set(tag, new Set([key]));
    }
  }

  private untag(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.byTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.byTag.delete(tag);
    }
  }

  /** Later calls do not share earlier look-ups. */
  private startEpoch(): void {
    this.epoch += 1;
    this.loading.clear();
  }
}
