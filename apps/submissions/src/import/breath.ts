import { setImmediate } from 'node:timers/promises';

/** The longest time for which a file keeps everybody else waiting. */
const longestMs = 20;

/** Lets others have their turn between the parts of a long piece of work. */
export class Breath {
  private since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.since < longestMs) return;
    await setImmediate();
    this.since = performance.now();
  }
}
