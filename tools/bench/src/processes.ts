import { readFile } from 'node:fs/promises';
import { type App, apps } from '@sheaf/kernel';
import type { System } from '@sheaf/testing';

const ticksPerSecond = 100;

/** Processor time that each process of the system has used since its start, in milliseconds. Linux only; empty elsewhere. */
export async function cpuOf(system: System): Promise<Map<App, number>> {
  const used = new Map<App, number>();
  for (const app of apps) {
    const pid = await system.pid(app);
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) continue;
    // The command name, in parentheses, may contain spaces; the later fields do not.
    const [, , , , , , , , , , , user, kernel] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    used.set(app, ((user ?? 0) + (kernel ?? 0)) * (1_000 / ticksPerSecond));
  }
  return used;
}

/** Resident memory of each process in MB. */
export async function memoryOf(system: System): Promise<Map<App, number>> {
  const resident = new Map<App, number>();
  for (const app of apps) {
    const pid = await system.pid(app);
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
    if (kilobytes !== undefined) resident.set(app, Number(kilobytes) / 1_024);
  }
  return resident;
}

/** Microseconds per request for each process, in the order of the apps; idle processes are left out. */
export const perRequest = (before: Map<App, number>, after: Map<App, number>, requests: number): Partial<Record<App, number>> =>
  Object.fromEntries(
    apps.flatMap((app) => {
      const micros = (((after.get(app) ?? 0) - (before.get(app) ?? 0)) * 1_000) / requests;
      return micros < 5 ? [] : [[app, Math.round(micros)]];
    }),
  );
