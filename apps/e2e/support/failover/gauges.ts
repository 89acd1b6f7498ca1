import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@sheaf/kernel';
import type { System } from '@sheaf/testing';

/**
 * A series that Prometheus would get from an app; summed up if several match, undefined if none does.
 * @param labels what its labels contain, such as `state="current"`
 */
export async function gauge(system: System, app: App, name: string, labels = ''): Promise<number | undefined> {
  const { health } = JSON.parse(await readFile(join(system.dataDir, 'run/system.json'), 'utf8')) as { health: Record<App, string> };
  const text = await (await fetch(`${health[app]}/metrics`)).text();
  const values = text.split('\n').flatMap((line) => {
    const [, series, its = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return series === name && its.includes(labels) ? [Number(value)] : [];
  });
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
