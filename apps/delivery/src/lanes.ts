import type { Outcome } from '@sheaf/egress';

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

/** A look at the queue. What it asks for is kept for it until it is over, so that nobody else takes it meanwhile. */
export interface Look {
  /** In which lanes there is room, and for how many. */
  lanes: readonly { lane: Lane; free: number }[];
  /** The subscriptions that may have no more. */
  full: readonly string[];
  /** To be called when the turns are ours. @returns how many are under way to each and how many may be, and how many may begin in each lane. */
  ask(turns: readonly { subscription_id: string; lane: Lane }[]): {
    asking: { id: string; lane: Lane; taken: number; most: number }[];
    lanes: { lane: Lane; free: number }[];
  };
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
  /** Subscriptions that a look may be about to begin something of. */
  private readonly lookedAt = new Set<string>();
  /** Lanes that were full since the last look that left room in them: others may wait there. */
  private readonly crowded = new Set<Lane>();

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

  look(): Look {
    const open = this.free().filter(({ free }) => free > 0);
    const ours = new Set<string>();
    const kept: { lane: Lane; free: number }[] = [];
    return {
      lanes: open,
      full: this.full(),
      ask: (turns) => {
        for (const { lane, free } of open) {
          if (turns.filter((turn) => turn.lane === lane).length < free) this.crowded.delete(lane);
          else this.crowded.add(lane);
        }
        // As it is now: somebody may have begun something since the look began.
        const asking = turns.map(({ subscription_id: id, lane }) => ({ id, lane, ...this.roomOf(id, lane) }));
        for (const { lane } of open) {
          const wanted = asking.reduce((sum, one) => sum + (one.lane === lane ? Math.max(0, one.most - one.taken) : 0), 0);
          kept.push({ lane, free: Math.min(wanted, this.freeIn(lane)) });
        }
        for (const { lane, free } of kept) this.kept[lane] += free;
        for (const { id } of asking) ours.add(id);
        for (const id of ours) this.lookedAt.add(id);
        return { asking, lanes: kept.filter(({ free }) => free > 0) };
      },
      end: () => {
        for (const { lane, free } of kept.splice(0)) this.kept[lane] -= free;
        for (const id of ours) this.lookedAt.delete(id);
      },
    };
  }

  isLookedAt = (ids: readonly string[]): boolean => ids.some((id) => this.lookedAt.has(id));

  /** A slot for one of whose subscription nothing waits, unless others may wait for it. */
  take(id: string, lane: Lane): Slot | undefined {
    if (this.lookedAt.has(id) || this.crowded.has(lane) || this.freeIn(lane) === 0) return undefined;
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
