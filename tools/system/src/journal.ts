import { join } from 'node:path';
import { LogFile } from './log-file';
import { type Entry, type Level, toEntry, wrap } from './log-lines';

/** Enough for an error with its stack. */
const KEPT_LINES = 20;

/** All output of the system's processes: stored in `<folder>/<name>.log`, and passed on to the display. */
export class Journal {
  readonly #files = new Map<string, LogFile>();
  readonly #last = new Map<string, Entry[]>();

  constructor(
    private readonly folder: string,
    private readonly show: (entry: Entry) => void,
  ) {}

  /**
   * @param level for lines that state no level
   * @param hosted the apps that the process hosts: their lines go to their own files
   */
  line(name: string, line: string, level: Level, hosted: readonly string[] = []): void {
    if (line.trim() !== '') this.#record(toEntry(name, line, level, new Date(), hosted));
  }

  /** Logs a message of the launcher itself. */
  log(level: Level, msg: string): void {
    this.#record(wrap('system', new Date(), level, msg));
  }

  /** The last lines that a process printed, to explain why it died. */
  lastLines(name: string): string[] {
    return (this.#last.get(name) ?? []).map(({ level, msg }) => `${level}: ${msg}`);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
  }

  #record(entry: Entry): void {
    const file = this.#files.get(entry.service) ?? new LogFile(join(this.folder, `${entry.service}.log`));
    this.#files.set(entry.service, file);
    file.write(entry.json);

    const last = this.#last.get(entry.service) ?? [];
    this.#last.set(entry.service, [...last, entry].slice(-KEPT_LINES));
    this.show(entry);
  }
}
