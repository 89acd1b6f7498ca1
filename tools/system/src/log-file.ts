import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/**
 * An append-only log file. At the size limit it is renamed to `<path>.1`, replacing the previous one, and a new file begins. Lines for which the
 * disk has no room are dropped: the system must go on, and PostgreSQL says what is wrong.
 */
export class LogFile {
  #file: number | undefined;
  #isClosed = false;
  #bytes = 0;
  /** The last line had room for its beginning only. */
  #isCut = false;

  constructor(
    private readonly path: string,
    private readonly limitBytes = 50 * 1024 * 1024,
  ) {
    whereThereIsRoom(() => this.#open());
  }

  /** Writes synchronously, so that the last lines before a crash are kept. */
  write(line: string): void {
    // After close(), late output is dropped.
    if (!this.#isClosed) whereThereIsRoom(() => this.#append(line));
  }

  close(): void {
    this.#isClosed = true;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: string): void {
    let file = this.#file ?? this.#open();
    if (this.#bytes >= this.limitBytes) {
      this.#file = undefined;
      closeSync(file);
      renameSync(this.path, `${this.path}.1`);
      file = this.#open();
    }
    const text = `${this.#isCut ? '\n' : ''}${line}\n`;
    const written = writeSync(file, text);
    this.#isCut = written < Buffer.byteLength(text);
    this.#bytes += written;
  }

  #open(): number {
    this.#file = openSync(this.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
    return this.#file;
  }
}

function whereThereIsRoom(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
