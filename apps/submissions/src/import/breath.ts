import { setImmediate } from 'node:timers/promises';
import { Problem } from '@sheaf/kernel';

/** The longest time for which a file keeps everybody else waiting. */
const longestMs = 20;
/** Several times what the largest file takes on a busy machine. With the time in which a file arrives, a caller token still counts after it. */
const limitMs = 30_000;

/** Lets others have their turn between the parts of a long piece of work, which ends with its caller and at its limit of time. */
export class Breath {
  private since = performance.now();
  private readonly until: number;

  constructor(
    private readonly signal?: AbortSignal,
    limit = limitMs,
  ) {
    this.until = this.since + limit;
  }

  /** @throws Problem `bad_request` if the work takes too long */
  async take(): Promise<void> {
    const now = performance.now();
    if (now - this.since < longestMs) return;
    await setImmediate();
    this.signal?.throwIfAborted();
    if (now > this.until) throw Problem.badRequest(`file: takes more than ${limitMs / 1_000} s to read; import it in parts`);
    this.since = performance.now();
  }
}
