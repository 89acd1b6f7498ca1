import type { Notice, TailListener } from '@sheaf/events';
import { changeOf, type Change } from './changes';

/** A change, and the position of its message in the stream. Undefined: a message that does not tell what changed. */
export interface FeedEntry {
  position: number;
  change: Change | undefined;
}

/** Changes that are kept for clients that come back or read slowly. */
const maxEntries = 20_000;

/** The latest changes of all forms, in memory. */
export class ChangeFeed implements TailListener {
  /** Names the stream: positions in another one mean nothing here. */
  stream = '';
  /** The position of the last message. */
  last = 0;
  isReady = false;
  /** Changes at this position or before are no longer here. */
  private oldest = 0;
  private entries: FeedEntry[] = [];

  /** @param onNotice called with every event, also those that no screen shows */
  constructor(
    private readonly onNotice: (notice: Notice) => void,
    private readonly onNews: () => void,
    private readonly max = maxEntries,
  ) {}

  onStream(created: string): void {
    this.stream = Date.parse(created).toString(36);
    this.onLost();
  }

  onLost(): void {
    this.isReady = false;
    this.last = 0;
    this.entries = [];
  }

  onMessage(position: number, notices: Notice[] | undefined): void {
    if (this.last === 0) this.oldest = position - 1;
    this.last = position;
    if (!notices) this.entries.push({ position, change: undefined });
    for (const notice of notices ?? []) {
      const change = changeOf(notice);
      if (change) this.entries.push({ position, change });
      if (this.isReady) this.onNotice(notice);
    }
    if (this.entries.length > this.max) this.drop(Math.ceil(this.max / 4));
    this.onNews();
  }

  onCaughtUp(position: number): void {
    if (this.last === 0) this.oldest = position;
    this.last = Math.max(this.last, position);
    this.isReady = true;
    this.onNews();
  }

  /** The next changes after a position, of up to `max` messages or so. Undefined if some of them are no longer here. */
  after(position: number, max: number): FeedEntry[] | undefined {
    if (position < this.oldest) return undefined;
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    let end = Math.min(low + max, this.entries.length);
    // All changes of a message have its position, at which a client may continue.
    while (end < this.entries.length && this.entries[end]?.position === this.entries[end - 1]?.position) end++;
    return this.entries.slice(low, end);
  }

  private drop(count: number): void {
    const dropped = this.entries.splice(0, count);
    this.oldest = dropped.at(-1)?.position ?? this.oldest;
  }
}
