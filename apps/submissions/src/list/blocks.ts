import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { addBlocks, deleteBlocks, hasUncovered, lockForm, inconsistentLists } from './blocks.queries';

// A replica whose clock is behind may still insert among younger submissions. Those are counted as well, but it costs more.
const minAgeMs = 60_000;
// The form takes no submissions while its blocks are created, which takes a few milliseconds.
const maxBlocksAtOnce = 4;
const maxChecked = 10_000;
const maxRequested = 1_000;

/** Creates blocks for lists that are read far from the start: in the background, one form at a time. */
export class ListBlocks {
  private readonly requested = new Set<string>();
  private working: Promise<void> | undefined;
  private isStopping = false;

  constructor(private readonly parts: { db: Database; clock: Clock; log: Log }) {}

  request(formId: string): void {
    if (this.isStopping || this.requested.size >= maxRequested) return;
    this.requested.add(formId);
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  /** Resolves once all requested blocks are created. */
  async idle(): Promise<void> {
    await this.working;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.idle();
  }

  private async work(): Promise<void> {
    for (const formId of this.requested) {
      if (this.isStopping) return;
      // A failure keeps the blocks created so far.
      await this.createBlocks(formId).catch((error: unknown) =>
        this.parts.log.warn({ err: error, formId }, 'creating list blocks failed, the next read far from the start will retry'),
      );
      this.requested.delete(formId);
    }
  }

  private async createBlocks(formId: string): Promise<void> {
    const { db, clock, log } = this.parts;
    const before = new Date(clock.now().getTime() - minAgeMs);
    if (!(await hasUncovered(db, formId, before))) return;

    let added: number;
    do {
      added = await db.transaction(async (trx) => ((await lockForm(trx, formId)) ? addBlocks(trx, formId, before, maxBlocksAtOnce) : 0));
    } while (added === maxBlocksAtOnce && !this.isStopping);

    const lists = await inconsistentLists(db, formId, maxChecked);
    if (lists.length === 0) return;
    log.error({ formId, lists }, 'list blocks do not add up to the counts of the form, creating them again');
    await db.transaction(async (trx) => {
      if (await lockForm(trx, formId)) await deleteBlocks(trx, formId);
    });
  }
}
