import type { Result } from './row';

const widths = [44, 9, 9, 9, 7, 26, 0];
const line = (cells: readonly string[]) =>
  cells
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : i < 5 ? cell.padStart(widths[i] ?? 0) : `  ${cell.padEnd(widths[i] ?? 0)}`))
    .join('')
    .trimEnd();

/** Prints each line as soon as it is known: the whole table takes minutes. */
export function printTable(result: Result, first: boolean): void {
  if (first) process.stdout.write(`${line(['', 'per s', 'p50 ms', 'p99 ms', 'ratio', 'goal', ''])}\n`);
  const { name, perSecond, p50, p99, ratio, goal = '', cpu, note = '' } = result;
  const number = (value: number | undefined, digits = 0) =>
    value === undefined ? '' : value.toLocaleString('en', { maximumFractionDigits: digits });
  const used = cpu
    ? `µs: ${Object.entries(cpu)
        .map(([app, micros]) => `${app} ${micros}`)
        .join(', ')}`
    : '';
  process.stdout.write(
    `${line([name, number(perSecond), number(p50, 1), number(p99, 1), number(ratio, 2), goal, [note, used].filter((part) => part !== '').join('; ')])}\n`,
  );
}
