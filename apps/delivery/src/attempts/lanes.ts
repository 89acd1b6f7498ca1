import type { Outcome } from '@sheaf/egress';
import { LRUCache } from 'lru-cache';

/**
 * In which lane a subscription waits. `unproven`: it has never answered. `quick`: it answers fast. `slow`: the last we know is that it
 * kept us waiting.
 */
export const lanes = ['quick', 'unproven', 'slow'] as const;
export type Lane = (typeof lanes)[number];

/**
 * The lane after an attempt. What fails at once holds nobody up, and changes nothing; but only who accepts something fast gets out of
 * the slow lane.
 */
export function laneAfter(lane: Lane, outcome: Outcome, slowMs: number): Lane {
  if (outcome.durationMs >= slowMs || ('error' in outcome && outcome.error === 'timeout')) return 'slow';
  if (!('status' in outcome)) return lane;
  if (lane === 'slow') return outcome.status >= 200 && outcome.status < 300 ? 'quick' : 'slow';
  return 'quick';
}

// The shares of a process's slots; the quick ones have the rest.
const slowShare = 1 / 4;
const unprovenShare = 1 / 8;
const behindMs = 1_000;

interface Settings {
  DELIVERY_CONCURRENCY: number;
  DELIVERY_PER_SUBSCRIPTION: number;
}

/** An attempt that has a slot. */
export interface Slot {
  /** It hangs, although its subscription was not known to be slow. */
  hangs(): void;
  /** @param lane where its subscription belongs after it. */
  end(lane: Lane): void;
}

/** A look at the queue. All slots that are free when it begins are kept for it until it is over, so that nobody else takes them meanwhile. */
export interface Look {
  /** For how many there is room in each lane, and how many may be under way to one of its subscriptions. */
  lanes: readonly { lane: Lane; free: number; most: number }[];
  /** The subscriptions that may have no more. */
  full: readonly string[];
  /** How many are under way to each of the others. */
  busy: readonly { id: string; taken: number }[];
  /** Ends it. @param turns the subscriptions that were looked at, and whether something of theirs is due still. */
  found(turns: readonly { id: string; lane: Lane; behind: boolean }[]): void;
  /** Ends it, if that was not done: nobody knows what it would have found. */
  end(): void;
}

/**
 * The slots of a process, and who may have them: each lane its share, and a subscription that is not known to be quick a single one.
 * An attempt that turns out to hang counts as slow from then on, so that subscribers which all fall silent at the same moment give their
 * slots back to the others; with those, up to twice as many as `DELIVERY_CONCURRENCY` can be under way.
 */
export class Slots {
  private readonly taken: Record<Lane, number> = { quick: 0, unproven: 0, slow: 0 };
  private readonly kept: Record<Lane, number> = { quick: 0, unproven: 0, slow: 0 };
  private readonly subscriptions = new Map<string, { lane: Lane; busy: number }>();
  /** Subscriptions of which something waits in the queue. For a moment only: another process may have worked it off. */
  private readonly behind = new LRUCache<string, true>({ max: 10_000, ttl: behindMs });
  /** Lanes that were full since the last look that left room in them: others may wait there. */
  private readonly crowded = new Set<Lane>();
  /** Resolves when the last look that began is over. */
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly settings: Settings) {}

  /** How many attempts may begin in each lane now. */
  free(): { lane: Lane; free: number }[] {
    return lanes.map((lane) => ({ lane, free: this.freeIn(lane) }));
  }

  get size(): number {
    return lanes.reduce((sum, lane) => sum + this.taken[lane], 0);
  }

  inLane = (lane: Lane): number => this.taken[lane];

  /** The subscriptions that may have no more. */
  full(): string[] {
    return [...this.subscriptions].flatMap(([id, { lane, busy }]) => (busy >= this.mostOf(lane) ? [id] : []));
  }

  /** @param most how many may begin in each lane at most. */
  look(most = Infinity): Look {
    const open = this.free().map(({ lane, free }) => ({ lane, free: Math.min(free, most), most: this.mostOf(lane) }));
    for (const { lane, free } of open) this.kept[lane] += free;
    let over: (() => void) | undefined;
    this.looking = new Promise((resolve) => (over = resolve));
    const end = () => {
      if (!over) return;
      for (const { lane, free } of open) this.kept[lane] -= free;
      over();
      over = undefined;
    };
    return {
      lanes: open,
      full: this.full(),
      // One that may have more is known as quick.
      busy: [...this.subscriptions].flatMap(([id, { lane, busy }]) => (busy < this.mostOf(lane) ? [{ id, taken: busy }] : [])),
      found: (turns) => {
        for (const { lane, free } of open.filter(({ free }) => free > 0)) {
          if (turns.filter((turn) => turn.lane === lane).length < free) this.crowded.delete(lane);
          else this.crowded.add(lane);
        }
        for (const { id, behind } of turns) {
          if (behind) this.waits(id);
          else this.behind.delete(id);
        }
        end();
      },
      end,
    };
  }

  /** Something of this subscription waits in the queue: nothing else of it begins before a look has seen to that. */
  waits(id: string): void {
    this.behind.set(id, true);
  }

  /** Whether one more of it could begin, or could when the look that is under way is over. */
  hasRoom(id: string, lane: Lane): boolean {
    const { taken, most } = this.roomOf(id, lane);
    return taken < most && this.freeIn(lane) + this.kept[lane] > 0;
  }

  /** Resolves when what may be under way in these lanes is over, which may leave room in them; undefined if there is nothing to wait for. */
  afterLook(these: readonly Lane[]): Promise<void> | undefined {
    return these.some((lane) => this.kept[lane] > 0 && !this.crowded.has(lane)) ? this.looking : undefined;
  }

  /** A slot for one of whose subscription nothing waits, unless others may wait for it. */
  take(id: string, lane: Lane): Slot | undefined {
    if (this.kept[lane] > 0 || this.behind.has(id) || this.crowded.has(lane) || this.freeIn(lane) === 0) return undefined;
    const { taken, most } = this.roomOf(id, lane);
    return taken < most ? this.begin(id, lane) : undefined;
  }

  begin(id: string, lane: Lane): Slot {
    const subscription = this.subscriptions.get(id) ?? { lane, busy: 0 };
    this.subscriptions.set(id, subscription);
    subscription.lane = lane;
    subscription.busy++;
    let counted = lane;
    this.taken[counted]++;
    if (this.freeIn(lane) === 0) this.crowded.add(lane);
    return {
      hangs: () => {
        this.taken[counted]--;
        counted = 'slow';
        this.taken[counted]++;
        subscription.lane = 'slow';
      },
      end: (after) => {
        this.taken[counted]--;
        subscription.lane = after;
        if (--subscription.busy === 0) this.subscriptions.delete(id);
      },
    };
  }

  private freeIn(lane: Lane): number {
    const { DELIVERY_CONCURRENCY: all } = this.settings;
    const slow = Math.max(1, Math.floor(all * slowShare));
    const unproven = Math.max(1, Math.floor(all * unprovenShare));
    const shares = { slow, unproven, quick: Math.max(1, all - slow - unproven) };
    return Math.max(0, Math.min(shares[lane] - this.taken[lane] - this.kept[lane], 2 * all - this.size));
  }

  private mostOf = (lane: Lane): number => (lane === 'quick' ? this.settings.DELIVERY_PER_SUBSCRIPTION : 1);

  /** @param lane as the database has it; that it hangs is known here first. */
  private roomOf(id: string, lane: Lane): { taken: number; most: number } {
    const known = this.subscriptions.get(id);
    return { taken: known?.busy ?? 0, most: Math.min(this.mostOf(lane), this.mostOf(known?.lane ?? lane)) };
  }
}
