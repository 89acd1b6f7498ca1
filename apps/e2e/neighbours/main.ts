import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Mixes } from './mixes';
import { checkOut, newestRelease, unpack, type Release } from './release';

const help = `npx nx run e2e:neighbours -- [options]

Runs the current version beside an older one and exchanges one process at a time, as during an upgrade and a rollback. Fails on a
response that neither version gives on its own, and on a webhook that is lost or sent twice.

  --base <commit>      the older version, which is built (default: the tag of the newest release before this commit; without one, the commit
                       that last changed deploy/compatibility/accepted.json)
  --bundle <file>      the offline bundle of a release instead, as it is
  --submissions <n>    migrates the tables with this many submissions in them, under load: every request must succeed
  --only-migration     ends after the migration, without exchanging processes
  --set <NAME=value>   a setting of all processes, such as those that deploy/README.md requires before a rollback; can be repeated
`;

const repository = join(__dirname, '../../..');
const timeoutMs = 20 * 60_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      bundle: { type: 'string' },
      submissions: { type: 'string', default: '0' },
      'only-migration': { type: 'boolean', default: false },
      set: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const settings = Object.fromEntries(values.set.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const submissions = Number(values.submissions);
  if (!Number.isSafeInteger(submissions) || submissions < 0 || submissions > 50_000_000)
    throw new Error('--submissions: is a whole number up to 50,000,000');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  const timer = setTimeout(() => stop.abort(new Error(`not finished within ${timeoutMs / 60_000} minutes`)), timeoutMs);

  const folder = await mkdtemp(join(tmpdir(), 'sheaf-neighbours-'));
  let mixes: Mixes | undefined;
  try {
    const old = await olderVersion(values, join(folder, 'base'), stop.signal);
    stop.signal.throwIfAborted();
    mixes = await Mixes.create(
      old,
      { name: 'the current version', folder: repository },
      { settings, submissions, onlyMigration: values['only-migration'] },
      log,
    );
    await Promise.race([mixes.run(), aborted(stop.signal)]);
    for (const { mix, problem, log: lines } of mixes.faults) log([`\n${mix}: ${problem}`, ...lines].join('\n  '));
    log(mixes.faults.length === 0 ? 'every mix passed' : `\n${mixes.faults.length} faults`);
    process.exitCode = mixes.faults.length === 0 ? 0 : 1;
  } finally {
    clearTimeout(timer);
    await mixes?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function olderVersion(given: { base?: string; bundle?: string }, folder: string, signal: AbortSignal): Promise<Release> {
  if (given.bundle !== undefined) {
    log(`unpacking ${given.bundle}`);
    // Nx runs this from the root of the repository; people name files from where they are.
    return unpack(resolve(process.env.INIT_CWD ?? '', given.bundle), folder, signal);
  }
  const base = given.base ?? newestRelease(repository);
  if (base === '')
    throw new Error('git finds neither a release nor a commit of deploy/compatibility/accepted.json: a shallow clone has no history.');
  log(`building ${base}`);
  return checkOut(repository, base, folder, signal);
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

main().then(
  // Exits without waiting for pending work of an aborted run.
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
