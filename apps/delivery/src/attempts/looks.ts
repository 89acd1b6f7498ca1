import type { Deps } from '../deps';
import { claimDue, failLostDeliveries, leaseMs, type LookResult } from './claims.queries';
import type { Shared } from './in-flight';

// Turns with nothing to send must not leave slots empty, so looks repeat; more than this would block everything else.
const maxLooks = 10;
// How soon to look again for due deliveries that could not be claimed: another process held them, or there was no room.
const retryLookMs = 50;
// How often to look for lost attempts.
const sweepMs = 1_000;

type Parts = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics' | 'settings'> & Shared;

/** Looks at the queue: claims due deliveries for the free slots, and begins them there. */
export class Looks {
  private lastSweepAt = -Infinity;

  constructor(private readonly parts: Parts) {}

  /**
   * Begins due attempts in the free slots, without waiting for them to end.
   * @param onFree called when another look is worthwhile earlier.
   * @returns how many attempts began, and how soon the next one falls due.
   */
  async runDue(onFree: () => void): Promise<{ begun: number; nextInMs: number | undefined }> {
    const { nextLook, settling } = this.parts;
    const endRound = nextLook.begin(onFree);
    if (performance.now() - this.lastSweepAt >= sweepMs) await this.failLostDeliveries();

    let begun = 0;
    let found: LookResult;
    let looks = 0;
    do {
      found = await this.look();
      begun += found.claims.length;
      looks += 1;
    } while (found.claims.length < found.turns.length && looks < maxLooks && !settling.stalled);
    endRound(found.waiting);
    return { begun, nextInMs: found.nextInMs === 0 ? retryLookMs : found.nextInMs };
  }

  private async look(): Promise<LookResult> {
    const { db, clock, metrics, settings, slots, budgets, settling, nextLook, inFlight } = this.parts;
    const look = slots.look(settling.stalled ? 0 : Infinity);
    nextLook.onLook();
    const spent = budgets.spent();
    metrics.overBudget.set(spent.length);
    try {
      const found = await claimDue(db, { clock, look, spent, leaseMs: leaseMs(settings), retryDelaysMs: settings.RETRY_DELAYS_MS });
      look.found(found.turns);
      for (const claim of found.claims) inFlight.begin(claim, slots.begin(claim.subscription_id, claim.lane));
      return found;
    } finally {
      look.end();
    }
  }

  private async failLostDeliveries(): Promise<void> {
    this.lastSweepAt = performance.now();
    const { db, clock, log } = this.parts;
    const lost = await failLostDeliveries(db, clock);
    if (lost.length > 0) log.warn({ deliveryIds: lost }, 'deliveries failed because their last attempt was lost');
  }
}
