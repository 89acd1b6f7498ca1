import { readdir, stat } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { measure } from '../load';
import { cpuOfEach, type Process } from '../processes';
import { median, type Bench, type Result } from '../row';
import { answers, type World } from '../world';
import { startSubscriber, submitSteadily, subscribe } from './deliveries';

/** The cost of one submission. Bytes are those on disk, and of the write-ahead log. */
interface Cost {
  micros: Map<Process, number>;
  walBytes: number;
  bytes: Record<'submissions' | 'delivery' | 'stream', number>;
}

/**
 * The inputs of the model in docs/scale.md: what a submission and a delivery take at a rate that leaves the processors half idle. Then the model's
 * forecast of the highest rate, beside a measurement of it. Programs on the same processors as the load generator have less of them.
 */
export async function capacity(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, seconds, rounds } = bench;
  const alone = await costOf(world, await world.form('Stored'));
  const subscriber = await startSubscriber();
  const heard = await world.form('Stored and delivered');
  await subscribe(world, heard, subscriber.url);
  const delivered = await costOf(world, heard, (count) => subscriber.waitFor(count, 120_000));
  await subscriber.close();
  report(rowOf('a submission without webhooks', alone));
  report(rowOf('a submission and its delivery', delivered));

  const form = await world.form('As many as possible');
  let n = 0;
  const load = {
    url: `${world.system.origin}/public/v1/forms/${form}/submissions`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ data: answers(n++) }),
  };
  if (!world.quick) await measure(load, { seconds: 12 });
  const measured: { perSecond: number; ownMicros: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const { perSecond, requests } = await measure(load, world.quick ? { answers: 2 } : { seconds });
    const { user, system } = process.cpuUsage(before);
    measured.push({ perSecond, ownMicros: (user + system) / requests });
  }
  const generator = median(measured.map(({ ownMicros }) => ownMicros));
  const forecast = (cpus().length * 1e6) / (sum(alone.micros) + generator);
  const perSecond = median(measured.map((round) => round.perSecond));
  report({
    name: 'submissions a second, forecast and measured',
    perSecond,
    note: `forecast ${Math.round(forecast)}/s from ${Math.round(sum(alone.micros))} µs and ${Math.round(generator)} µs of the load generator; measured ${(perSecond / forecast).toFixed(2)} of it`,
  });
}

async function costOf(world: World, form: string, settled: (count: number) => Promise<void> = () => setTimeout(2_000)): Promise<Cost> {
  const rate = { perSecond: world.quick ? 20 : 400, seconds: world.quick ? 2 : 15 };
  const warmed = await submitSteadily(world, [form], rate);
  await settled(warmed);
  const before = await usedBy(world);
  const count = await submitSteadily(world, [form], { ...rate, seconds: world.quick ? 2 : 30 });
  await settled(warmed + count);
  const after = await usedBy(world);
  const each = (amount: (used: Used) => number) => (amount(after) - amount(before)) / count;
  return {
    micros: new Map([...after.cpu.keys()].map((name) => [name, each(({ cpu }) => (cpu.get(name) ?? 0) * 1_000)])),
    walBytes: each(({ wal }) => wal),
    bytes: { submissions: each((used) => used.submissions), delivery: each((used) => used.delivery), stream: each((used) => used.stream) },
  };
}

type Used = Awaited<ReturnType<typeof usedBy>>;

async function usedBy(world: World) {
  const cpu = await cpuOfEach(world.system);
  const used = { cpu, wal: 0, submissions: 0, delivery: 0, stream: await sizeOf(join(world.system.dataDir, 'nats')) };
  await world.inDatabase('submissions', async (db) => {
    const { rows } = await db.query<Record<'wal' | 'submissions' | 'delivery', string>>(
      `select pg_current_wal_lsn() - '0/0' as wal, pg_database_size('sheaf_submissions') as submissions, pg_database_size('sheaf_delivery') as delivery`,
    );
    for (const key of ['wal', 'submissions', 'delivery'] as const) used[key] = Number(rows[0]?.[key]);
  });
  return used;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

const sum = (micros: Map<Process, number>): number => [...micros.values()].reduce((total, one) => total + one, 0);
const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;

const rowOf = (name: string, { micros, walBytes, bytes }: Cost): Result => ({
  name,
  note: [
    `${Math.round(sum(micros))} µs: ${[...micros].map(([process, one]) => `${process} ${Math.round(one)}`).join(', ')}`,
    `write-ahead log ${kilobytes(walBytes)}`,
    `submissions ${kilobytes(bytes.submissions)}`,
    `delivery ${kilobytes(bytes.delivery)}`,
    `stream ${kilobytes(bytes.stream)}`,
  ].join('; '),
});
