import { Worker } from 'node:worker_threads';

/** The result of matching an answer against its field's pattern; `late` if the time limit ran out. */
export type Match = 'matches' | 'differs' | 'late';

// Several times the memory that the largest valid patterns need.
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Time limit for starting a thread. */
const startMs = 5_000;

/** Matches one text at a time, in a thread that starts with the first text and ends when a match takes too long. */
export class MatchThread {
  private thread: Worker | undefined;
  private isReady = false;

  constructor(private readonly limitMs: number) {}

  match(pattern: string, text: string): Promise<Match> {
    const thread = (this.thread ??= this.start());
    return new Promise((resolve) => {
      const settle = (match: Match) => {
        clearTimeout(late);
        thread.off('message', onMessage).off('exit', onExit);
        if (match === 'late') void this.stop();
        resolve(match);
      };
      const onMessage = (message: boolean | 'ready') => {
        if (message !== 'ready') return settle(message ? 'matches' : 'differs');
        clearTimeout(late);
        late = setTimeout(onExit, this.limitMs);
      };
      const onExit = () => settle('late');
      // Thread start-up, which is slow on a busy machine, does not count against the answer's time limit.
      let late = setTimeout(onExit, this.isReady ? this.limitMs : startMs);
      thread.on('message', onMessage).on('exit', onExit);
      thread.postMessage({ pattern, text });
    });
  }

  async stop(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    await thread?.terminate();
  }

  private start(): Worker {
    // Resolved rather than imported: the worker is a separate file, also next to the bundle.
    const thread = new Worker(require.resolve('./match-worker.cjs'), { resourceLimits: memory, env: {}, stdout: true, stderr: true });
    this.isReady = false;
    thread.once('message', () => {
      if (this.thread === thread) this.isReady = true;
    });
    // Do not keep the process alive for this thread alone.
    thread.unref();
    thread.on('exit', () => {
      if (this.thread === thread) this.thread = undefined;
    });
    // The exit event is enough: the thread ran out of memory or its pattern does not compile. An unhandled error event would end the
    // process.
    thread.on('error', () => undefined);
    return thread;
  }
}
