import { Problem } from '@sheaf/kernel';
import { Worker } from 'node:worker_threads';
import type { ImportedForm } from './read-xlsform';

/** The caller that waits for a file. */
export interface Reader {
  readonly instanceId: string;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly until: number;
  /** Aborts if the caller disconnects before. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads XLSForms. */
export interface XlsForms {
  read(file: Buffer, reader: Reader): Promise<ImportedForm>;
}

/** The messages of a thread: that it has started, and then the form, or why the file is refused. */
export type Said = 'ready' | { form: ImportedForm } | { refused: string };

interface Settings {
  /** How long reading a file may take. The largest files that a form can come from take a fraction of it. */
  limitMs: number;
  /** Files read at the same time. Their memory has to fit into that of the process. */
  threads: number;
  maxWaiting: number;
  /** Of one instance, so that there is room for others. */
  maxWaitingOfOne: number;
  memoryMb: number;
}

const defaults: Settings = { limitMs: 4_000, threads: 1, maxWaiting: 20, maxWaitingOfOne: 5, memoryMb: 64 };

/** The time that remains for saving the form before the caller gives up. */
const savingMs = 500;

interface Waiting {
  file: Buffer;
  reader: Reader;
  settle: (form: ImportedForm) => void;
  refuse: (problem: Problem) => void;
}

/**
 * Reads each file in a thread of its own, which ends with it. A file keeps only imports waiting, whatever it contains, and not for long:
 * the thread ends at its limits of time and memory, and when its caller stops waiting or disconnects. Instances take turns.
 */
export class ReadingThreads implements XlsForms {
  private readonly settings: Settings;
  private readonly running = new Set<Worker>();
  private waiting: Waiting[] = [];
  private isStopped = false;

  constructor(
    private readonly script: string,
    settings: Partial<Settings> = {},
  ) {
    this.settings = { ...defaults, ...settings };
  }

  /** @throws Problem `bad_request` for a file that cannot be read within the limits, `unavailable` when too many others wait */
  async read(file: Buffer, reader: Reader): Promise<ImportedForm> {
    if (this.isStopped || this.isFullFor(reader) || reader.signal?.aborted === true) throw unavailable();
    return new Promise((settle, refuse) => {
      const waiting = { file, reader, settle, refuse };
      // Does nothing to a file that is being read, whose thread ends by itself.
      reader.signal?.addEventListener('abort', () => this.drop(waiting), { once: true });
      this.waiting.push(waiting);
      this.next();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { refuse } of this.waiting.splice(0)) refuse(unavailable());
    await Promise.all([...this.running].map((thread) => thread.terminate()));
  }

  private isFullFor({ instanceId }: Reader): boolean {
    const { maxWaiting, maxWaitingOfOne } = this.settings;
    return this.waiting.length >= maxWaiting || this.waiting.filter(isOf(instanceId)).length >= maxWaitingOfOne;
  }

  private drop(gone: Waiting): void {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((waiting) => waiting !== gone);
    if (this.waiting.length < before) gone.refuse(unavailable());
  }

  private next(): void {
    while (this.running.size < this.settings.threads) {
      const first = this.waiting.shift();
      if (!first) return;
      // The other files of its instance wait for those of others.
      const isOfSame = isOf(first.reader.instanceId);
      this.waiting = [...this.waiting.filter((waiting) => !isOfSame(waiting)), ...this.waiting.filter(isOfSame)];
      if (first.reader.until - savingMs > Date.now()) this.start(first);
      else first.refuse(unavailable());
    }
  }

  private start({ file, reader: { until, signal }, settle, refuse }: Waiting): void {
    const thread = new Worker(this.script, {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: this.settings.memoryMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      stdout: true,
      stderr: true,
    });
    this.running.add(thread);
    const end = (problem: Problem) => {
      refuse(problem);
      void thread.terminate();
    };
    const gone = setTimeout(() => end(unavailable()), until - savingMs - Date.now());
    const leave = () => end(unavailable());
    signal?.addEventListener('abort', leave, { once: true });
    // Starting a thread, which is slow on a busy machine, does not count against the file.
    let late: NodeJS.Timeout | undefined;
    thread.on('message', (said: Said) => {
      if (said === 'ready') late = setTimeout(() => end(Problem.badRequest('file: takes too long to read')), this.settings.limitMs);
      else if ('form' in said) settle(said.form);
      else refuse(Problem.badRequest(said.refused));
    });
    thread.on('error', (error: NodeJS.ErrnoException) =>
      refuse(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new Problem('bad_request', 'file: takes too much memory to read', { cause: error })
          : Problem.internal(error),
      ),
    );
    thread.on('exit', () => {
      clearTimeout(gone);
      clearTimeout(late);
      signal?.removeEventListener('abort', leave);
      this.running.delete(thread);
      // Does nothing if the thread has answered.
      refuse(unavailable());
      this.next();
    });
  }
}

const isOf =
  (instanceId: string) =>
  ({ reader }: Waiting): boolean =>
    reader.instanceId === instanceId;

const unavailable = () => Problem.unavailable('the XLSForm could not be read in time');
