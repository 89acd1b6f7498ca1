import { readdir, readFile } from 'node:fs/promises';
import { type App, apps } from '@sheaf/kernel';
import type { System } from '@sheaf/testing';

const ticksPerSecond = 100;

/** Processor time that each process of the system has used since its start, in milliseconds. Linux only; empty elsewhere. */
export async function cpuOf(system: System): Promise<Map<App, number>> {
  const used = new Map<App, number>();
  for (const app of apps) {
    const fields = await statOf(await system.pid(app));
    if (fields) used.set(app, (Number(fields[11]) + Number(fields[12])) * (1_000 / ticksPerSecond));
  }
  return used;
}

/**
 * Processor time of the whole system since its start, in milliseconds: also that of PostgreSQL and of the processes that have ended. Linux only.
 */
export async function cpuOfAll(system: System): Promise<number> {
  const started = new Set((await Promise.all([...apps, 'postgres', 'nats'].map((name) => system.pid(name)))).map(String));
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  let ticks = 0;
  for (const pid of pids) {
    const fields = await statOf(pid);
    if (!fields || !(started.has(pid) || started.has(fields[1] ?? ''))) continue;
    // The time of its own, and of the children that have ended.
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  }
  return ticks * (1_000 / ticksPerSecond);
}

/** The fields of /proc/<pid>/stat after the name of the command: the second is the parent. */
async function statOf(pid: number | string | undefined): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The command name, in parentheses, may contain spaces; the later fields do not.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
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
