/** Short enough that a line is there when somebody looks for it, and long enough that a busy process writes many lines at once. */
const gatherMs = 20;
const gatherCharacters = 64 * 1024;

let gathered = '';
let timer: NodeJS.Timeout | undefined;

/**
 * Standard output for the lines of the log. Writes to a pipe or a file are synchronous, so lines that come close together are written at once: a
 * line for each request would cost the process a system call each. A process that is killed loses the lines of the last moment; one that exits
 * does not. A process must not hang when its log has no reader: pino's own destination retries a broken pipe forever at exit, so the lines go
 * through process.stdout, whose errors are ignored.
 */
export const output = {
  write(line: string): void {
    gathered += line;
    if (gathered.length >= gatherCharacters) return flushOutput();
    timer ??= setTimeout(flushOutput, gatherMs).unref();
  },
};

/** Writes the gathered lines now. */
export function flushOutput(): void {
  clearTimeout(timer);
  timer = undefined;
  if (gathered === '') return;
  if (process.stdout.listenerCount('error', dropped) === 0) process.stdout.on('error', dropped);
  const lines = gathered;
  gathered = '';
  process.stdout.write(lines);
}

const dropped = (): void => undefined;

process.on('exit', flushOutput);
