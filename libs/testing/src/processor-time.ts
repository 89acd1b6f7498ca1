/**
 * The processor's time that `work` takes in this process, in milliseconds: waiting, and what other processes do, count nothing. The least of some
 * attempts, because threads of the process also compile and collect meanwhile; the first one below `enough` is the last.
 */
export async function processorTime(work: () => unknown, enough = 100): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 4 && least >= enough; attempt++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** A text that makes a regular expression that backtracks try again at every character, as long as asked. */
export const tedious = (length: number): string[] =>
  [
    ' ',
    '\t',
    '\n',
    '(',
    '[',
    '{',
    '"',
    "'",
    '\\',
    '<',
    ';',
    '-',
    '_',
    '/',
    '0',
    '1',
    'a',
    '@',
    '.',
    ',',
    '=',
    '%',
    'a.',
    ' a',
    '+1',
    'é',
  ].map((filling) => `${filling.repeat(length).slice(0, length - 1)}!`);
