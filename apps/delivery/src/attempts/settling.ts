import type { Clock } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { withPatience, type Log } from '@sheaf/runtime';
import { noteTurns, settleAll, type Settlement, type TurnNews } from './attempt.queries';

// How long an outcome is offered to a database that is away. Later than this the attempt counts as lost anyway.
export const settlePatienceMs = 15_000;
const batchSize = 500;

interface Waiting {
  settlement: Settlement;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Settles attempts together: what ends while a batch is on its way makes up the next one. A commit for each costs half the throughput. */
export class Settling {
  private waiting: Waiting[] = [];
  private turns = new Map<string, TurnNews>();
  private working: Promise<void> | undefined;
  private open = 0;

  constructor(private readonly deps: { db: Database; clock: Clock; log: Log }) {}

  /** How many are not settled yet. */
  get size(): number {
    return this.open;
  }

  /** Resolves when it is committed. */
  settle(settlement: Settlement): Promise<void> {
    this.open += 1;
    return new Promise<void>((done, failed) => {
      this.waiting.push({ settlement, done, failed });
      this.working ??= this.work();
    }).finally(() => (this.open -= 1));
  }

  /** Tells all processes of a subscription, as soon as may be. */
  note(subscriptionId: string, news: TurnNews): void {
    this.turns.set(subscriptionId, { ...this.turns.get(subscriptionId), ...news });
    this.working ??= this.work();
  }

  /** Resolves when there is nothing left to settle. */
  async idle(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0 || this.turns.size > 0) {
      if (this.waiting.length > 0) await this.commit(this.waiting.splice(0, batchSize));
      const { db, clock, log } = this.deps;
      const turns = this.turns;
      this.turns = new Map();
      // The next attempt finds out again.
      await noteTurns(db, clock, turns).catch((error: unknown) => log.warn({ err: error }, 'lanes could not be changed'));
    }
    this.working = undefined;
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const { db, clock, log } = this.deps;
    const write = () =>
      settleAll(
        db,
        clock,
        batch.map(({ settlement }) => settlement),
      );
    try {
      await write().catch(async (error: unknown) => {
        // One that the database cannot bear must not take the others with it.
        if (batch.length > 1 && problemOf(error).code !== 'unavailable') for (const one of batch) await this.commit([one]);
        else await withPatience('the database to settle attempts', write, { log, forMs: settlePatienceMs });
      });
      batch.forEach(({ done }) => done());
    } catch (error) {
      batch.forEach(({ failed }) => failed(error));
    }
  }
}
