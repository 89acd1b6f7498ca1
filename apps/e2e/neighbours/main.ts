import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Mixes } from './mixes';
import { acceptedCommit, checkOut } from './release';

const help = `npx nx run e2e:neighbours -- [options]

Runs the present version beside an older one: each process in turn is of the other version, on the way forth and back. Fails for an answer
that neither of them alone gives, and for a webhook that is lost or comes twice.

  --base <commit>      the older version (default: the one that deploy/compatibility/accepted.json was written for)
  --set <NAME=value>   a setting of all processes, as deploy/README.md asks for it before going back; can be repeated
`;

const repository = join(__dirname, '../../..');
const withinMs = 20 * 60_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { base: { type: 'string' }, set: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const settings = Object.fromEntries(values.set.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
  const late = setTimeout(() => stop.abort(new Error(`not done within ${withinMs / 60_000} minutes`)), withinMs);

  const folder = await mkdtemp(join(tmpdir(), 'sheaf-neighbours-'));
  let mixes: Mixes | undefined;
  try {
    const base = values.base ?? acceptedCommit(repository);
    if (base === '') throw new Error('git knows no commit of deploy/compatibility/accepted.json: a shallow clone has no history.');
    tell(`building ${base}`);
    const old = await checkOut(repository, base, join(folder, 'base'), stop.signal);
    stop.signal.throwIfAborted();
    mixes = await Mixes.make(old, { name: 'the present version', folder: repository }, settings, tell);
    await Promise.race([mixes.run(), aborted(stop.signal)]);
    for (const { mix, problem, log } of mixes.faults) tell([`\n${mix}: ${problem}`, ...log].join('\n  '));
    tell(mixes.faults.length === 0 ? 'every mix held' : `\n${mixes.faults.length} faults`);
    process.exitCode = mixes.faults.length === 0 ? 0 : 1;
  } finally {
    clearTimeout(late);
    await mixes?.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

main().then(
  // Exits without waiting for what an aborted run left pending.
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
