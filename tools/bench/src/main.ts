import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newDataDir, removeDataDir, superuserOf, System } from '@sheaf/testing';
import { printTable } from './table';
import type { Bench, Result } from './row';
import { capacity } from './rows/capacity';
import { consoleRows } from './rows/console';
import { deliveries } from './rows/deliveries';
import { forms, pages } from './rows/reads';
import { hosted } from './rows/hosted';
import { searches } from './rows/searches';
import { exports, memory, starts } from './rows/whole';
import { scale } from './rows/scale';
import { background, changes, submits } from './rows/writes';
import { World } from './world';
import { serveYardstick, Yardstick, yardstickCommand } from './yardstick';

const groups = {
  starts,
  forms,
  pages,
  searches,
  submits,
  background,
  hosted,
  console: consoleRows,
  changes,
  deliveries,
  exports,
  capacity,
};

/** Groups that take long, and are measured only when asked for. */
const onRequest = { scale };
const all = { ...groups, ...onRequest };
type Group = keyof typeof all;

const maxLogLines = 50;

/** By then, every process has collected the garbage of its start. */
const untilRestMs = 35_000;

const help = `npm run bench -- [options]

Starts Sheaf on a new folder, puts it under load, and compares its speed with that of a bare server that runs the same SQL.

  --only <groups>   some of ${Object.keys(all).join(', ')} (comma-separated);
                    without it all but ${Object.keys(onRequest).join(', ')}, which takes half an hour and 25 GB of disk
  --quick           a short run that only shows that the benchmark works
  --seconds <n>     the duration of one measurement (default 4)
  --rounds <n>      how many times Sheaf and the yardstick alternate (default 3)
  --json            prints one JSON document instead of the table, for comparisons
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const selected = (values.only?.split(',') ?? Object.keys(groups)) as Group[];
  const unknown = selected.filter((name) => !(name in all));
  if (unknown.length > 0) throw new Error(`--only: unknown group ${unknown.join(', ')}; the groups are ${Object.keys(all).join(', ')}`);

  const results: Result[] = [];
  const report = (result: Result) => {
    results.push(result);
    if (!values.json) printTable(result, results.length === 1);
  };

  const dataDir = await newDataDir();
  const system = await start(dataDir);
  try {
    const world = new World(system, values.quick);
    const superuser = await superuserOf(dataDir, 'postgres');
    await superuser.query('create database bench');
    await superuser.end();
    const yardstick = await Yardstick.start({
      forms: await world.databaseUrl('forms'),
      submissions: await world.databaseUrl('submissions'),
      scratch: await world.superuserUrl('bench'),
    });
    const bench: Bench = {
      world,
      yardstick,
      seconds: Number(values.seconds ?? (values.quick ? 1 : 4)),
      rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    };
    try {
      if (!values.quick) await setTimeout(untilRestMs);
      await memory(bench, 'at rest', report, '≤ 600 MB');
      for (const name of selected) await all[name](bench, report);
      await memory(bench, 'after the load', report);
    } catch (error) {
      // The data folder, with the logs, is removed afterwards. Many failing requests log the same line.
      process.stderr.write(`The last lines of the system:\n${[...new Set(system.said.split('\n'))].slice(-maxLogLines).join('\n')}\n`);
      throw error;
    } finally {
      await yardstick.stop();
    }
  } finally {
    await system.stop();
    await removeDataDir(dataDir);
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ node: process.version, seconds: values.seconds, results }, null, 2)}\n`);
}

/** Configured as in production: no debug logs, built bundles, durable PostgreSQL. It also records commit times, for the webhook rows. */
async function start(dataDir: string): Promise<System> {
  const first = await System.start(dataDir, { LOG_LEVEL: 'warn' });
  try {
    const superuser = await superuserOf(dataDir, 'postgres');
    await superuser.query('alter system set track_commit_timestamp = on');
    await superuser.end();
  } finally {
    // The setting takes effect at the next start.
    await first.stop();
  }
  return System.start(dataDir, { LOG_LEVEL: 'warn' });
}

const run = process.argv[2] === yardstickCommand ? serveYardstick() : main();
run.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
