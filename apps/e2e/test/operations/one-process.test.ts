import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { sharedSystem, type SharedSystem } from '../../support/shared-system';

// The system for tests with several hosts runs in one process, so that their journeys (publish, submit, webhooks) are tried there.
let system: SharedSystem;
beforeAll(async () => {
  system = await sharedSystem('hosts');
});

it('one process hosts all apps, and each tells its own health, metrics and log', async () => {
  const run = join(system.dataDir, 'run');
  expect((await readdir(run)).filter((name) => name.endsWith('.pid')).sort()).toEqual([
    'all.pid',
    'nats.pid',
    'postgres.pid',
    'system.pid',
  ]);
  const { health } = JSON.parse(await readFile(join(run, 'system.json'), 'utf8')) as { health: Record<string, string> };
  for (const app of apps) {
    expect((await fetch(`${health[app] ?? ''}/readyz`)).status).toBe(200);
    const log = await readFile(join(system.dataDir, 'log', `${app}.log`), 'utf8');
    expect(log).toContain(`"service":"${app}"`);
    for (const other of apps.filter((name) => name !== app)) expect(log).not.toContain(`"service":"${other}"`);
  }
  const metrics = await Promise.all(apps.map(async (app) => (await fetch(`${health[app] ?? ''}/metrics`)).text()));
  // Those of the process itself would count several times if every app told them.
  expect(metrics.filter((page) => page.includes('\nprocess_resident_memory_bytes'))).toHaveLength(1);
});
