import { LRUCache } from 'lru-cache';
import type { Broker } from './broker';
import type { DomainEvent } from './event';

/** What was looked up, and the names under which an event can drop it. */
export interface Remembered<V> {
  value: V;
  tags: readonly string[];
}

/**
 * Remembers what others own until an event says that it changed. While events may be missed (the broker is away) nothing is
 * remembered, and the lifetime bounds what a lost event could cost.
 */
export class EventCache<V extends object> {
  private readonly kept: LRUCache<string, Remembered<V>>;
  private readonly loading = new Map<string, Promise<V>>();
  private readonly byTag = new Map<string, Set<string>>();
  /** Grows with every event, so that an answer from before it is not kept after it. */
  private epoch = 0;

  constructor(
    private readonly broker: Pick<Broker, 'connected' | 'listen'>,
    options: { subject: string; max: number; ttlMs: number; tagsOf: (event: DomainEvent) => readonly string[] },
  ) {
    this.kept = new LRUCache({ max: options.max, ttl: options.ttlMs, dispose: ({ tags }, key) => this.untag(key, tags) });
    broker.listen(options.subject, {
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
    const known = this.kept.get(key);
    if (known) return known.value;

    const underWay = this.loading.get(key);
    if (underWay) return underWay;

    const { epoch } = this;
    const look = load().then((found) => {
      if (epoch === this.epoch && this.broker.connected) this.keep(key, found);
      return found.value;
    });
    this.loading.set(key, look);
    try {
      return await look;
    } finally {
      if (this.loading.get(key) === look) this.loading.delete(key);
    }
  }

  /** Drops what has one of the tags, and keeps no answer that was on its way. */
  forget(tags: readonly string[]): void {
    this.next();
    for (const tag of tags) for (const key of [...(this.byTag.get(tag) ?? [])]) this.kept.delete(key);
  }

  private keep(key: string, found: Remembered<V>): void {
    this.kept.set(key, found);
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
