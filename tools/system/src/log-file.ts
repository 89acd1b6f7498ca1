import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** An append-only log file. At the size limit it is renamed to `<path>.1`, replacing the previous one, and a new file begins. */
export class LogFile {
  #file: number | undefined;
  #bytes = 0;

  constructor(
    private readonly path: string,
    private readonly limitBytes = 50 * 1024 * 1024,
  ) {
    this.#open();
  }

  /** Writes synchronously, so that the last lines before a crash are kept. */
  write(line: string): void {
    // After close(), late output is dropped.
    if (this.#file === undefined) return;
    if (this.#bytes >= this.limitBytes) {
      closeSync(this.#file);
      renameSync(this.path, `${this.path}.1`);
      this.#file = this.#open();
    }
    this.#bytes += writeSync(this.#file, `${line}\n`);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    this.#file = openSync(this.path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
    return this.#file;
  }
}
