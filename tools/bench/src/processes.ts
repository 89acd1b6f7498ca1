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

export type Process = App | 'postgres' | 'nats';

/** Processor time of each part of the system since its start, in milliseconds, with the children of each: PostgreSQL's sessions too. Linux only. */
export async function cpuOfEach(system: System): Promise<Map<Process, number>> {
  const started = new Map<string, Process>();
  for (const name of [...apps, 'postgres', 'nats'] as const) started.set(String(await system.pid(name)), name);
  const used = new Map<Process, number>();
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const fields = await statOf(pid);
    const name = started.get(pid) ?? started.get(fields?.[1] ?? '');
    if (!fields || !name) continue;
    // The time of its own, and of the children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    used.set(name, (used.get(name) ?? 0) + ticks * (1_000 / ticksPerSecond));
  }
  return used;
}

/** The same for the whole system: also that of PostgreSQL and of the processes that have ended. */
export const cpuOfAll = async (system: System): Promise<number> =>
  [...(await cpuOfEach(system)).values()].reduce((sum, used) => sum + used, 0);

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
