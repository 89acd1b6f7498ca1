/** A body of the longest that the API takes, full of small objects. */
const longestBody = `[${Array.from({ length: 40_000 }, (_, at) => `{"key":"field-${at}"}`).join(',')}]`;

/** The processor's time that `work` takes in this process, in milliseconds: waiting, and what other processes do, count nothing. */
async function taken(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const yardstick = () => taken(() => void JSON.parse(longestBody));
let shortest: number | undefined;

/** Several times what the dearest work that grows with its input takes, and a fraction of what the cheapest takes that grows with its square. */
export const little = 25;

/**
 * How often the processor could parse the longest body (`JSON.parse`, about 10 ms) while `work` takes it. A slow or busy machine is slow at both, so the
 * result tells of the order of a cost, not of speed. Most work is at once below `enough`. Otherwise the two take turns, and the least of each counts,
 * because threads of the process also compile and collect meanwhile.
 */
export async function effort(work: () => unknown, enough = little): Promise<number> {
  shortest ??= Math.min(await yardstick(), await yardstick(), await yardstick());
  let least = await taken(work);
  if (least < enough * shortest) return least / shortest;
  let parsing = Infinity;
  for (let turn = 0; turn < 6 && (turn === 0 || least >= enough * parsing); turn++) {
    parsing = Math.min(parsing, await yardstick());
    least = Math.min(least, await taken(work));
  }
  return least / parsing;
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
