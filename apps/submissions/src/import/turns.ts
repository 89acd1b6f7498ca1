import { Problem } from '@sheaf/kernel';

/** Files that wait with their bytes in memory. */
const maxWaiting = 8;
const retryAfterSeconds = 10;

/** Reads and stores one file after another, so that a process has the memory of one. */
export class Turns {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** @throws Problem `too_many_requests` if too many wait already */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= maxWaiting)
      throw Problem.tooManyRequests('Other files are being imported. Try again in a moment.', retryAfterSeconds);
    this.waiting += 1;
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn.finally(() => (this.waiting -= 1));
  }
}
