import type { EventSource } from '@sheaf/contracts';
import { LRUCache } from 'lru-cache';
import type { Broker } from './broker';
import { eventRoot, type DomainEvent } from '../event';
import { leaseMs, type Sight } from './sight';

/** What was looked up, and the names under which an event can drop it. */
export interface Remembered<V> {
  value: V;
  tags: readonly string[];
}

interface Kept<V> extends Remembered<V> {
  /** When it was asked for. */
  at: number;
  /** Whether an event would have dropped it, had it changed since. */
  isWatched: boolean;
}

interface Loading<V> {
  at: number;
  found: Promise<V>;
}

/**
 * Remembers what others own until an event says that it changed. While events may be missed (the broker is away, or a connection has fallen
 * silent) only what was asked for in the last `leaseMs` is given out. Either way nothing is older than that which was committed `leaseMs`
 * before: see `Sight`. The lifetime bounds memory.
 */
export class EventCache<V extends object> {
  private readonly kept: LRUCache<string, Kept<V>>;
  private readonly loading = new Map<string, Loading<V>>();
  private readonly byTag = new Map<string, Set<string>>();
  /** Grows with every event, so that an answer from before it is not kept after it. */
  private epoch = 0;
  private readonly sight: Pick<Sight, 'isClear' | 'now'>;

  constructor(
    broker: Pick<Broker, 'listen' | 'sightOf'>,
    options: {
      /** Whose events say what changed. */
      source: EventSource;
      /** How many are kept at most, and how many bytes they may take together. */
      max: number;
      maxBytes: number;
      ttlMs: number;
      /** What a value takes beside its key; about 1 KiB if left out. */
      bytesOf?: (value: V) => number;
      tagsOf: (event: DomainEvent) => readonly string[];
    },
  ) {
    const { bytesOf = () => 1_024 } = options;
    this.kept = new LRUCache({
      max: options.max,
      maxSize: options.maxBytes,
      // A string may take two bytes for each unit.
      sizeCalculation: ({ value, tags }, key) => Math.ceil(bytesOf(value)) + 2 * tags.reduce((length, tag) => length + tag.length, key.length),
      ttl: options.ttlMs,
      dispose: ({ tags }, key) => this.untag(key, tags),
    });
    this.sight = broker.sightOf(options.source);
    broker.listen(`${eventRoot}.${options.source}.>`, {
      onEvent: (event) => {
        this.forget(options.tagsOf(event));
      },
      onGap: () => {
        this.next();
        this.kept.clear();
      },
    });
  }

  /** What is remembered under the key, or what `load` finds now; several at once share one look-up. */
  async get(key: string, load: () => Promise<Remembered<V>>): Promise<V> {
    const now = this.sight.now();
    const isClear = this.sight.isClear(now);
    const isFresh = ({ at }: { at: number }) => now - at < leaseMs;

    const known = this.kept.get(key);
    if (known && ((isClear && known.isWatched) || isFresh(known))) return known.value;

    const underWay = this.loading.get(key);
    if (underWay && (isClear || isFresh(underWay))) return underWay.found;

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

  /** Drops what has one of the tags, and keeps no answer that was on its way. */
  forget(tags: readonly string[]): void {
    this.next();
    for (const tag of tags) for (const key of [...(this.byTag.get(tag) ?? [])]) this.kept.delete(key);
  }

  private keep(key: string, found: Kept<V>): void {
    this.kept.set(key, found);
    // What alone is larger than the bound is not kept.
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

  /** Whoever asks from now on gets an answer from now on. */
  private next(): void {
    this.epoch += 1;
    this.loading.clear();
  }
}
