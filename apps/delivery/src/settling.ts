import { problemOf, type Database } from '@sheaf/postgres';
import { withPatience, type Log } from '@sheaf/runtime';
import { changeLanes, settleAll, type Settlement } from './attempt.queries';
import type { Lane } from './lanes';

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
  private lanes = new Map<string, Lane>();
  private working: Promise<void> | undefined;
  private open = 0;

  constructor(private readonly deps: { db: Database; log: Log }) {}

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

  /** Puts a subscription into another lane, as soon as may be. */
  moveTo(subscriptionId: string, lane: Lane): void {
    this.lanes.set(subscriptionId, lane);
    this.working ??= this.work();
  }

  /** Resolves when there is nothing left to settle. */
  async idle(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0 || this.lanes.size > 0) {
      if (this.waiting.length > 0) await this.commit(this.waiting.splice(0, batchSize));
      const lanes = this.lanes;
      this.lanes = new Map();
      // The next attempt finds out again.
      await changeLanes(this.deps.db, lanes).catch((error: unknown) => this.deps.log.warn({ err: error }, 'lanes could not be changed'));
    }
    this.working = undefined;
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const { db, log } = this.deps;
    const write = () => settleAll(db, batch.map(({ settlement }) => settlement));
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
