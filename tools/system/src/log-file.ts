import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** Lines that are appended to a file. At the limit the file becomes `<path>.1`, in place of the one before, and a new one begins. */
export class LogFile {
  #file: number | undefined;
  #bytes = 0;

  constructor(
    private readonly path: string,
    private readonly limitBytes = 50 * 1024 * 1024,
  ) {
    this.#open();
  }

  /** Written at once, so that the last words before a crash are there. */
  write(line: string): void {
    // Closed: what is printed after the end of everything has nowhere to go.
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
