import type { AttemptList, LoggedAttempt } from './generated/types.gen';

/** Reads a page of attempts, oldest first: `listDeliveryAttempts` of the form that is followed. */
export type ReadAttempts = (query: { from?: string; cursor?: string }) => Promise<AttemptList>;

/**
 * An attempt may become visible so long after its start: its row is committed by a statement that is given up after 8 seconds, within a transaction that
 * is given up soon after.
 */
const lateMs = 30_000;

/**
 * Follows the attempts to deliver, each once, when it has ended. They end in another order than they start in, so each look begins early enough: half a
 * minute before the last one, or where the oldest attempt began that was in progress then, which Sheaf ends itself if its process has died. A look that
 * breaks off is made again from the same place.
 */
export class AttemptTail {
  private from: string | undefined;
  /** The attempts that were returned, and when they began. */
  private readonly seen = new Map<string, number>();

  /** @param from the time from which attempts are wanted; without it, `skip` leaves out those that have ended */
  constructor(
    private readonly read: ReadAttempts,
    from?: string,
  ) {
    this.from = from;
  }

  /** Leaves out the attempts that have ended by now. */
  async skip(): Promise<void> {
    const ended = this.look();
    while ((await ended.next()).done !== true);
  }

  /** The attempts that have ended since the last look. */
  async *look(): AsyncGenerator<LoggedAttempt, void, void> {
    let asOf: string | undefined;
    let oldest = Infinity;
    let cursor: string | undefined;
    do {
      const page: AttemptList = await this.read({
        ...(this.from === undefined ? {} : { from: this.from }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      // By the first answer: more may have begun while the others were read.
      asOf ??= page.as_of;
      for (const attempt of page.data) {
        const key = `${attempt.delivery_id} ${attempt.number}`;
        const at = Date.parse(attempt.started_at);
        if (attempt.in_progress) oldest = Math.min(oldest, at);
        else if (!this.seen.has(key)) {
          this.seen.set(key, at);
          yield attempt;
        }
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const from = Math.min(oldest, Date.parse(asOf) - lateMs);
    for (const [key, at] of this.seen) if (at < from) this.seen.delete(key);
    this.from = new Date(from).toISOString();
  }
}

/** Whether an attempt was answered so: with a status (`503`), with one of a class (`5xx`), or not at all (`none`). */
export const isAnsweredWith = ({ status }: LoggedAttempt, answer: string): boolean =>
  answer === 'none' ? status === undefined : answer === String(status) || answer === `${Math.floor((status ?? 0) / 100)}xx`;
