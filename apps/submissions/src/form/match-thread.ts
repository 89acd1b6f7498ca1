import { Worker } from 'node:worker_threads';

/** How an answer stands to its field's pattern; `late` if that could not be found out in the time that there is for it. */
export type Match = 'matches' | 'differs' | 'late';

// What the largest patterns that can be saved need, several times over.
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** How long a thread may take to start. */
const startMs = 5_000;

/** Matches one text at a time, in a thread that begins with the first one and ends when one takes too long. */
export class MatchThread {
  private thread: Worker | undefined;
  private isReady = false;

  constructor(private readonly limitMs: number) {}

  match(pattern: string, text: string): Promise<Match> {
    const thread = (this.thread ??= this.begun());
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
      // The time that a thread takes to start, on a busy machine above all, is not the answer's.
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

  private begun(): Worker {
    // Resolved, and not imported: it is a file of its own, beside the bundle as well.
    const thread = new Worker(require.resolve('./match-worker.cjs'), { resourceLimits: memory, env: {}, stdout: true, stderr: true });
    this.isReady = false;
    thread.once('message', () => {
      if (this.thread === thread) this.isReady = true;
    });
    // It does not keep alive a process that has nothing else to do.
    thread.unref();
    thread.on('exit', () => {
      if (this.thread === thread) this.thread = undefined;
    });
    // Its end tells enough: it was out of memory, or its pattern does not compile. An error without a listener would end the process.
    thread.on('error', () => undefined);
    return thread;
  }
}
