import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { crash } from './crash';
import { printReport } from './print-report';

const help = `npx nx run crash:run -- [options]

Starts Sheaf on a new folder, kills its processes under load, and checks Sheaf's promises against the subscribers' logs.

  --seconds <n>   the duration of the load (default 60; CRASH_SECONDS)
  --seed <n>      determines the kills and the load (default: random; CRASH_SEED)
  --json          prints one JSON document instead of the table
`;

// A hanging delivery costs three timeouts and two pauses, and each late kill adds a lease.
const settleSeconds = 240;
const quietMs = 5_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const seconds = wholeNumber('--seconds', values.seconds ?? process.env.CRASH_SECONDS ?? '60', 3, 3_600);
  const seed = wholeNumber('--seed', values.seed ?? process.env.CRASH_SEED ?? String(randomInt(1_000_000)), 0, 2 ** 32 - 1);

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const printProgress = (line: string) => process.stderr.write(`${line}\n`);
  printProgress(`seed ${seed}, ${seconds} s`);
  const report = await crash({ seed, seconds, settleSeconds, quietMs, env: {}, signal: stop.signal, onProgress: printProgress });

  if (values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else printReport(report);
  process.exitCode = report.broken.length === 0 ? 0 : 1;
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new Error(`${name}: must be a whole number between ${min} and ${max}`);
  return number;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
