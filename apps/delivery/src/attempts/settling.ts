import { problemOf } from '@sheaf/postgres';
import { retryUntilSuccess } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { updateTurns, type TurnChange } from '../subscriptions/turns.queries';
import { settleAll, type Settlement } from './settlements.queries';

// How long to retry settling while the database is away. After that the attempt counts as lost anyway.
export const settlePatienceMs = 15_000;
const batchSize = 500;

interface Waiting {
  /** Of one POST: several if it was a batch, which are settled together. */
  settlements: readonly Settlement[];
  done: () => void;
  failed: (error: unknown) => void;
}

/** Settles attempts in batches: those that end while one batch is being written form the next. Separate commits would halve throughput. */
export class Settling {
  private waiting: Waiting[] = [];
  private turns = new Map<string, TurnChange>();
  private working: Promise<void> | undefined;
  private unsettled = 0;

  /** @param onDue called when a look is worthwhile after a settlement. */
  constructor(
    private readonly deps: Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>,
    private readonly onDue: () => void,
  ) {}

  /**
   * Whether so many attempts wait to be settled that no more may begin. Without this limit they would pile up forever if the database
   * claims but cannot settle.
   */
  get stalled(): boolean {
    return this.unsettled >= this.deps.settings.DELIVERY_CONCURRENCY;
  }

  /** Resolves once the settlements of a POST are committed. */
  async settle(...settlements: readonly Settlement[]): Promise<void> {
    this.unsettled += 1;
    const settled = new Promise<void>((done, failed) => {
      this.waiting.push({ settlements, done, failed });
      this.working ??= this.work();
    }).finally(() => (this.unsettled -= 1));
    const { stalled } = this;
    await settled;
    // A look must schedule this delivery's next attempt. One is also needed if looks claimed nothing while stalled.
    if (settlements.some((one) => 'pauseMs' in one) || stalled) this.onDue();
  }

  /** Lets all processes know a subscription's new state as soon as possible. */
  noteTurn(subscriptionId: string, change: TurnChange): void {
    this.turns.set(subscriptionId, { ...this.turns.get(subscriptionId), ...change });
    this.working ??= this.work();
  }

  /** Resolves once nothing is left to settle. */
  async idle(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0 || this.turns.size > 0) {
      if (this.waiting.length > 0) await this.commit(this.waiting.splice(0, this.howMany()));
      const { db, clock, log, settings } = this.deps;
      const turns = this.turns;
      this.turns = new Map();
      // The next attempt will notice it again.
      await updateTurns(db, clock, turns, settings.SUBSCRIPTION_FAILING_DAYS).catch((error: unknown) =>
        log.warn({ err: error }, 'updating turns failed'),
      );
    }
    this.working = undefined;
  }

  /** How many POSTs the next statement settles: at least one. */
  private howMany(): number {
    let left = batchSize;
    const full = this.waiting.findIndex(({ settlements }) => (left -= settlements.length) < 0);
    return full === -1 ? batchSize : Math.max(1, full);
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const { db, clock, log } = this.deps;
    const write = () =>
      settleAll(
        db,
        clock,
        batch.flatMap(({ settlements }) => settlements),
      );
    try {
      await write().catch(async (error: unknown) => {
        // A settlement that the database rejects must not take the others with it.
        if (batch.length > 1 && problemOf(error).code !== 'unavailable') for (const one of batch) await this.commit([one]);
        else await retryUntilSuccess('the database to settle attempts', write, { log, forMs: settlePatienceMs });
      });
      batch.forEach(({ done }) => done());
    } catch (error) {
      batch.forEach(({ failed }) => failed(error));
    }
  }
}
