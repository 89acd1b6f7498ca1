import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, apps } from '@sheaf/kernel';
import type { System } from '@sheaf/testing';
import type { Choices } from './choices';

/** `all`: the process that hosts all apps in a small install. */
export type Victim = App | 'all' | 'postgres' | 'nats';

/** `delivery` is listed twice, so that it is killed more often: it makes the outgoing calls. */
const victims: readonly Victim[] = ['postgres', 'nats', ...apps, 'delivery'];
const victimsInOneProcess: readonly Victim[] = ['postgres', 'nats', 'all', 'all', 'all'];

const firstAfterMs = 800;
const pauseMs = [400, 4_000] as const;
const pairProbability = 0.2;

export interface Kill {
  /** Since the start of the load. */
  atMs: number;
  victim: Victim;
}

export interface Killed extends Kill {
  /** Undefined if nothing could be killed: the process had not come back from the previous kill. */
  pid: number | undefined;
}

/** Plans the kills during `seconds` of load. The seed determines the whole plan. */
export function planKills(choices: Choices, seconds: number, oneProcess = false): Kill[] {
  const kills: Kill[] = [];
  // Each victim is killed once before any is killed again, so that a short run covers all of them.
  let waiting: Victim[] = [];
  const next = (): Victim => {
    if (waiting.length === 0) waiting = choices.shuffled(oneProcess ? victimsInOneProcess : victims);
    return waiting.pop() ?? 'postgres';
  };
  for (let atMs = firstAfterMs; atMs < seconds * 1_000; atMs += choices.integer(...pauseMs)) {
    kills.push({ atMs, victim: next() });
    if (choices.happens(pairProbability)) kills.push({ atMs, victim: next() });
  }
  return kills;
}

/** Executes the plan with SIGKILL, only on processes that this system's launcher started. The launcher restarts them. */
export async function executeKills(
  system: System,
  plan: readonly Kill[],
  stop: AbortSignal,
  onKill: (killed: Killed) => void,
): Promise<void> {
  const from = performance.now();
  for (const kill of plan) {
    await sleep(Math.max(0, kill.atMs - (performance.now() - from)), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const pid = await system.pid(kill.victim);
    const isRunning = pid !== undefined && (await isChildOf(pid, system.launcher.pid));
    if (isRunning) process.kill(pid, 'SIGKILL');
    onKill({ ...kill, pid: isRunning ? pid : undefined });
  }
}

/** Checks the parent because the pid was read a moment ago and could belong to another process by now. */
async function isChildOf(pid: number, parent: number | undefined): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  // Other platforms have no /proc, so we trust the pid file.
  if (process.platform !== 'linux') return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(parentPid) === parent;
}
