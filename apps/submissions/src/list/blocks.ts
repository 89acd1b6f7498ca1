import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { addBlocks, forgetBlocks, hasUncovered, lockForm, wrongLists } from './blocks.queries';

// What is younger may still come in between, from a copy whose clock is behind. That is counted as well, and costs more.
const youngestMs = 60_000;
// The form takes no submissions while its blocks are made, a few milliseconds.
const blocksAtOnce = 4;
const checkedAtMost = 10_000;
const wantedAtMost = 1_000;

/** Makes the blocks of lists in which somebody reads far behind the beginning: in the background, one form after the other. */
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

  /** Resolves when nothing is wanted any more. */
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
      // What fails leaves what was made before it, and is tried again when the next one reads there.
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
