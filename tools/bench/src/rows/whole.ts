import { newDataDir, removeDataDir, System } from '@sheaf/testing';
import { memoryOf } from '../processes';
import type { Bench, Result } from '../row';

/** Exports everything, reading as fast as the data arrives. */
export async function exports(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world } = bench;
  const count = world.quick ? 1_000 : 1_000_000;
  const form = await world.formWith(count);
  for (const format of ['csv', 'ndjson', 'xlsx']) {
    const from = performance.now();
    let peak = 0;
    const watch = setInterval(() => void memoryOf(world.system).then((used) => (peak = Math.max(peak, used.get('submissions') ?? 0))), 250);
    const response = await fetch(`${world.system.origin}/app/v1/forms/${form}/submissions/export?format=${format}`, {
      headers: world.headers,
    });
    if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) bytes += chunk.length;
    clearInterval(watch);
    const seconds = (performance.now() - from) / 1_000;
    report({
      name: `export ${count.toLocaleString('en')} as ${format}`,
      perSecond: count / seconds,
      note: `rows/s; ${Math.round(bytes / 1e6)} MB; submissions at ${Math.round(peak)} MB`,
    });
  }
}

/** Measures a start with an empty data folder, and a restart with existing data. */
export async function starts(_: Bench, report: (result: Result) => void): Promise<void> {
  const dataDir = await newDataDir();
  try {
    for (const name of ['cold start (new database)', 'warm start']) {
      const system = await System.start(dataDir);
      report({ name, note: `${(system.readyAfterMs / 1_000).toFixed(2)} s until ready` });
      await system.stop();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

export async function memory(bench: Bench, when: string, report: (result: Result) => void, goal?: string): Promise<void> {
  const used = await memoryOf(bench.world.system);
  const total = [...used.values()].reduce((sum, megabytes) => sum + megabytes, 0);
  const perProcess = [...used].map(([app, megabytes]) => `${app} ${Math.round(megabytes)}`).join(', ');
  report({ name: `memory ${when}`, note: `${Math.round(total)} MB: ${perProcess}`, ...(goal === undefined ? {} : { goal }) });
}
