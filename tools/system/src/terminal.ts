import { type Entry, type Level, levels } from './log-lines';

const marks: Partial<Record<Level, { sign: string; colour: number }>> = {
  warn: { sign: '! ', colour: 33 },
  error: { sign: '✗ ', colour: 31 },
  fatal: { sign: '✗ ', colour: 31 },
};

/** The lowest level of each process that the terminal shows; its log file has everything. */
const thresholds: Record<string, Level> = { postgres: 'error', nats: 'error' };

/** Formats an entry as one or more lines, or null if it is not worth showing. */
export type Format = (entry: Entry, options: { colour: boolean; quiet: boolean }) => string | null;

/** Whether an entry has at least this level and its process is shown at that level. */
export const isWorthShowing = ({ level, service }: Entry, minimum: Level) =>
  levels.indexOf(level) >= Math.max(levels.indexOf(minimum), levels.indexOf(thresholds[service] ?? 'trace'));

/** One of the gateway's lines for each request, which say nothing without their fields. */
const isAccess = ({ service, level, msg }: Entry): boolean => service === 'gateway' && level === 'info' && msg === 'request';

/** Formats an entry as one readable line: local time, process, message. */
export const compact: Format = (entry, options) => {
  if (!isWorthShowing(entry, options.quiet ? 'warn' : 'info') || isAccess(entry)) return null;

  const { time, level, service, msg } = entry;
  const paint = (code: number, text: string) => (options.colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const mark = marks[level];
  const clock = new Date(time).toTimeString().slice(0, 8);
  const text = (mark?.sign ?? '') + printable(msg);
  return `${paint(2, clock)} ${service.padEnd(11)} ${mark ? paint(mark.colour, text) : text}`;
};

/** Messages may contain user input, which the terminal must not interpret. Keeps line breaks, indented. */
export const printable = (text: string) => text.replace(/\p{Cc}/gu, (char) => (char === '\n' ? '\n    ' : ' ')).trimEnd();

/** The launcher's output for people. */
export class Terminal {
  /** During start and stop, shows only the steps and entries of level warn or higher. */
  quiet = true;
  readonly #colour: boolean;

  /** @param messages where the messages of the launcher go, if not to `out` */
  constructor(
    private readonly out: NodeJS.WriteStream,
    env: NodeJS.ProcessEnv,
    private readonly format: Format = compact,
    private readonly messages = out,
  ) {
    this.#colour = out.isTTY && (env.NO_COLOR ?? '') === '';
  }

  get isColourful(): boolean {
    return this.#colour;
  }

  get isInteractive(): boolean {
    return this.out.isTTY;
  }

  say(text: string): void {
    this.messages.write(`${text}\n`);
  }

  entry(entry: Entry): void {
    const line = this.format(entry, { colour: this.#colour, quiet: this.quiet });
    if (line !== null) this.out.write(`${line}\n`);
  }

  /** Reports that a step was done and its duration; announces it first if it takes a while. */
  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const slow = setTimeout(() => this.say(`  … ${what}`), 700);
    try {
      const result = await work();
      this.say(`  ✓ ${what} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
      return result;
    } finally {
      clearTimeout(slow);
    }
  }
}
