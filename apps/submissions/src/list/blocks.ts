import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { addBlocks, forgetBlocks, hasUncovered, lockForm, wrongLists } from './blocks.queries';

// A replica whose clock is behind may still insert among younger submissions. Those are counted as well, but it costs more.
const youngestMs = 60_000;
// The form takes no submissions while its blocks are made, which takes a few milliseconds.
const blocksAtOnce = 4;
const checkedAtMost = 10_000;
const wantedAtMost = 1_000;

/** Makes blocks for lists that are read far from the start: in the background, one form at a time. */
export class ListBlocks {
  private readonly wanted = new Set<string>();
  private working: Promise<void> | undefined;
  private isStopping = false;

  constructor(private readonly parts: { db: Database; clock: Clock; log: Log }) {}

  want(formId: string): void {
    if (this.isStopping || this.wanted.size >= wantedAtMost) return;
    this.wanted.add(formId);
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  /** Resolves once no more blocks are wanted. */
  async rest(): Promise<void> {
    await this.working;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.rest();
  }

  private async work(): Promise<void> {
    for (const formId of this.wanted) {
      if (this.isStopping) return;
      // A failure keeps the blocks made so far; the next read far from the start tries again.
      await this.cover(formId).catch((error: unknown) => this.parts.log.warn({ err: error, formId }, 'making blocks of a list failed'));
      this.wanted.delete(formId);
    }
  }

  private async cover(formId: string): Promise<void> {
    const { db, clock, log } = this.parts;
    const before = new Date(clock.now().getTime() - youngestMs);
    if (!(await hasUncovered(db, formId, before))) return;

    let added: number;
    do {
      added = await db.transaction(async (trx) => ((await lockForm(trx, formId)) ? addBlocks(trx, formId, before, blocksAtOnce) : 0));
    } while (added === blocksAtOnce && !this.isStopping);

    const lists = await wrongLists(db, formId, checkedAtMost);
    if (lists.length === 0) return;
    log.error({ formId, lists }, 'the blocks of a list were not what is counted of it, and are made anew');
    await db.transaction(async (trx) => {
      if (await lockForm(trx, formId)) await forgetBlocks(trx, formId);
    });
  }
}
