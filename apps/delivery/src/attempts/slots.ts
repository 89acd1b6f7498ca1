import { LRUCache } from 'lru-cache';
import { lanes, type Lane } from '../subscriptions/lanes';

// Shares of a process's slots; the quick lane has the rest.
const slowShare = 1 / 4;
const unprovenShare = 1 / 8;
const queuedMs = 1_000;

interface Settings {
  DELIVERY_CONCURRENCY: number;
  DELIVERY_PER_SUBSCRIPTION: number;
}

export interface SlotsListener {
  /** Slots were taken or freed. @param freed the lanes in which there may be room again. */
  onChange(freed: readonly Lane[]): void;
  /** An attempt has moved its subscription to another lane. */
  onMoved(subscriptionId: string, lane: Lane): void;
}

/** The slot of an attempt. */
export interface Slot {
  /** Reports that the attempt hangs: its subscription is slow, although it was not known to be. */
  hangs(): void;
  /** @param lane the subscription's lane after the attempt. */
  end(lane: Lane): void;
}

/** A look at the queue. It reserves all slots that are free when it begins, so that nothing else takes them before it ends. */
export interface Look {
  /** The free slots of each lane, and the most attempts that may be in flight to one of its subscriptions. */
  lanes: readonly { lane: Lane; free: number; most: number }[];
  /** The subscriptions at their limit. */
  full: readonly string[];
  /** The number of attempts in flight to each of the others. */
  busy: readonly { id: string; taken: number }[];
  /** Ends the look. @param turns the subscriptions examined, and whether each still has something due. */
  found(turns: readonly { id: string; lane: Lane; behind: boolean }[]): void;
  /** Ends the look if `found` was not called, so that it remains unknown whether anything is due. */
  end(): void;
}

/**
 * Allots the slots of a process: each lane has its share, and a subscription that is not known to be quick has only one slot.
 * 1. A look reserves all free slots (`look`), begins attempts in some (`begin`) and gives back the rest (`found`, `end`).
 * 2. Otherwise planning takes free slots (`take`), unless deliveries of the same subscription are queued or others wait in the lane.
 * 3. An attempt that hangs counts as slow from then on (`hangs`), so that subscribers that all fall silent at once give their slots back to
 *    the others. Including those attempts, up to twice `DELIVERY_CONCURRENCY` can be in flight.
 * 4. The end of an attempt frees its slot (`Slot.end`).
 */
export class Slots {
  /** The lane of each subscription when this process last learned of it. */
  private readonly lanes = new LRUCache<string, Lane>({ max: 100_000 });
  private readonly taken: Record<Lane, number> = { quick: 0, unproven: 0, slow: 0 };
  private readonly reserved: Record<Lane, number> = { quick: 0, unproven: 0, slow: 0 };
  private readonly subscriptions = new Map<string, { lane: Lane; busy: number }>();
  /** Subscriptions with deliveries in the queue. Remembered only briefly: another process may have sent them. */
  private readonly queued = new LRUCache<string, true>({ max: 10_000, ttl: queuedMs });
  /** Lanes that were full at some time since the last look that left room in them: other subscriptions may wait there. */
  private readonly crowded = new Set<Lane>();
  /** Resolves when the latest look ends. */
  private lookEnded: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly listener: SlotsListener = { onChange: () => undefined, onMoved: () => undefined },
  ) {}

  /** The lane that we remember for a subscription. */
  laneOf = (id: string): Lane => this.lanes.get(id) ?? 'quick';

  noteLane(id: string, lane: Lane): void {
    this.lanes.set(id, lane);
  }

  /** How many attempts may begin in each lane now. */
  free(): { lane: Lane; free: number }[] {
    return lanes.map((lane) => ({ lane, free: this.freeIn(lane) }));
  }

  get size(): number {
    return lanes.reduce((sum, lane) => sum + this.taken[lane], 0);
  }

  inLane = (lane: Lane): number => this.taken[lane];

  /** The subscriptions at their limit. */
  full(): string[] {
    return [...this.subscriptions].flatMap(([id, { lane, busy }]) => (busy >= this.limitOf(lane) ? [id] : []));
  }

  /** @param most the most attempts that may begin in each lane. */
  look(most = Infinity): Look {
    const open = this.free().map(({ lane, free }) => ({ lane, free: Math.min(free, most), most: this.limitOf(lane) }));
    for (const { lane, free } of open) this.reserved[lane] += free;
    let resolveEnded: () => void = () => undefined;
    this.lookEnded = new Promise((resolve) => (resolveEnded = resolve));
    let state: 'looking' | 'ended' = 'looking';
    const end = () => {
      if (state === 'ended') return;
      state = 'ended';
      for (const { lane, free } of open) this.reserved[lane] -= free;
      resolveEnded();
    };
    return {
      lanes: open,
      full: this.full(),
      // A busy subscription below its limit is known to be quick.
      busy: [...this.subscriptions].flatMap(([id, { lane, busy }]) => (busy < this.limitOf(lane) ? [{ id, taken: busy }] : [])),
      found: (turns) => {
        for (const { lane, free } of open.filter(({ free }) => free > 0)) {
          if (turns.filter((turn) => turn.lane === lane).length < free) this.crowded.delete(lane);
          else this.crowded.add(lane);
        }
        for (const { id, behind } of turns) {
          if (behind) this.noteQueued(id);
          else this.queued.delete(id);
        }
        end();
      },
      end,
    };
  }

  /** Notes that deliveries of this subscription wait in the queue: no others begin before a look has handled them. */
  noteQueued(id: string): void {
    this.queued.set(id, true);
  }

  /** Whether another attempt to the subscription could begin now, or could once the current look ends. */
  hasRoom(id: string, lane: Lane): boolean {
    const { taken, most } = this.roomOf(id, lane);
    return taken < most && this.freeIn(lane) + this.reserved[lane] > 0;
  }

  /** Resolves when a current look that may leave room in these lanes ends; undefined if there is nothing to wait for. */
  afterLook(these: readonly Lane[]): Promise<void> | undefined {
    return these.some((lane) => this.reserved[lane] > 0 && !this.crowded.has(lane)) ? this.lookEnded : undefined;
  }

  /** Takes a slot, unless deliveries of this subscription wait in the queue or others may wait for the slot. */
  take(id: string, lane: Lane): Slot | undefined {
    if (this.reserved[lane] > 0 || this.queued.has(id) || this.crowded.has(lane) || this.freeIn(lane) === 0) return undefined;
    const { taken, most } = this.roomOf(id, lane);
    return taken < most ? this.begin(id, lane) : undefined;
  }

  begin(id: string, lane: Lane): Slot {
    this.noteLane(id, lane);
    const subscription = this.subscriptions.get(id) ?? { lane, busy: 0 };
    this.subscriptions.set(id, subscription);
    subscription.lane = lane;
    subscription.busy++;
    let counted = lane;
    this.taken[counted]++;
    if (this.freeIn(lane) === 0) this.crowded.add(lane);
    this.listener.onChange([]);
    return {
      hangs: () => {
        this.taken[counted]--;
        counted = 'slow';
        this.taken[counted]++;
        subscription.lane = 'slow';
        this.listener.onChange([lane]);
        this.moveTo(id, 'slow');
      },
      end: (after) => {
        this.taken[counted]--;
        subscription.lane = after;
        if (--subscription.busy === 0) this.subscriptions.delete(id);
        this.listener.onChange([lane, after]);
        if (after !== lane) this.moveTo(id, after);
      },
    };
  }

  private moveTo(id: string, lane: Lane): void {
    this.noteLane(id, lane);
    this.listener.onMoved(id, lane);
  }

  private freeIn(lane: Lane): number {
    const { DELIVERY_CONCURRENCY: all } = this.settings;
    const slow = Math.max(1, Math.floor(all * slowShare));
    const unproven = Math.max(1, Math.floor(all * unprovenShare));
    const shares = { slow, unproven, quick: Math.max(1, all - slow - unproven) };
    return Math.max(0, Math.min(shares[lane] - this.taken[lane] - this.reserved[lane], 2 * all - this.size));
  }

  private limitOf = (lane: Lane): number => (lane === 'quick' ? this.settings.DELIVERY_PER_SUBSCRIPTION : 1);

  /** @param lane the lane in the database; this process is the first to know that an attempt hangs. */
  private roomOf(id: string, lane: Lane): { taken: number; most: number } {
    const known = this.subscriptions.get(id);
    return { taken: known?.busy ?? 0, most: Math.min(this.limitOf(lane), this.limitOf(known?.lane ?? lane)) };
  }
}
