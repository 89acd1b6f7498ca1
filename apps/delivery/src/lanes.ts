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

/**
 * The slots of a process, and who may have them: each lane its share, and a subscription that is not known to be quick a single one.
 * An attempt that turns out to hang counts as slow from then on, so that subscribers which all fall silent at the same moment give their
 * slots back to the others; with those, up to twice as many as `DELIVERY_CONCURRENCY` can be under way.
 */
export class Slots {
  private readonly taken: Record<Lane, number> = { quick: 0, unproven: 0, slow: 0 };
  private readonly subscriptions = new Map<string, { lane: Lane; busy: number }>();

  constructor(private readonly settings: Settings) {}

  /** How many attempts may begin in each lane now, and how many may be under way to one subscription of it. */
  free(): { lane: Lane; free: number; perSubscription: number }[] {
    const { DELIVERY_CONCURRENCY: all, DELIVERY_PER_SUBSCRIPTION: perSubscription } = this.settings;
    const slow = Math.max(1, Math.floor(all * slowShare));
    const unproven = Math.max(1, Math.floor(all * unprovenShare));
    const shares = { slow, unproven, quick: Math.max(1, all - slow - unproven) };
    return lanes.map((lane) => ({
      lane,
      free: Math.max(0, Math.min(shares[lane] - this.taken[lane], 2 * all - this.size)),
      perSubscription: lane === 'quick' ? perSubscription : 1,
    }));
  }

  get size(): number {
    return lanes.reduce((sum, lane) => sum + this.taken[lane], 0);
  }

  inLane = (lane: Lane): number => this.taken[lane];

  /** How many are under way to each subscription. */
  busy(): Map<string, number> {
    return new Map([...this.subscriptions].map(([id, { busy }]) => [id, busy]));
  }

  /** The subscriptions that may have no more. */
  full(): string[] {
    return [...this.subscriptions].flatMap(([id, { lane, busy }]) => (busy >= (lane === 'quick' ? this.settings.DELIVERY_PER_SUBSCRIPTION : 1) ? [id] : []));
  }

  begin(id: string, lane: Lane): Slot {
    const subscription = this.subscriptions.get(id) ?? { lane, busy: 0 };
    this.subscriptions.set(id, subscription);
    subscription.lane = lane;
    subscription.busy++;
    let counted = lane;
    this.taken[counted]++;
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
}
