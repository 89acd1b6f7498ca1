import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@sheaf/testing';
import type { Choices } from './choices';

/** Those that stand between a submission and its subscribers come more often. */
const victims = ['postgres', 'nats', 'submissions', 'delivery', 'delivery', 'gateway', 'hooks', 'forms', 'workspaces'] as const;
export type Victim = (typeof victims)[number];

const firstAfterMs = 800;
const pauseMs = [400, 4_000] as const;
const twoAtOnce = 0.2;

export interface Kill {
  /** Since the beginning of the load. */
  atMs: number;
  victim: Victim;
}

export interface Killed extends Kill {
  /** Undefined where there was nothing to kill: it had not come back from the kill before. */
  pid: number | undefined;
}

/** What is killed when, in `seconds` of load. The seed decides all of it. */
export function planKills(choices: Choices, seconds: number): Kill[] {
  const kills: Kill[] = [];
  // All of them before anyone comes again, so that a short run spares nobody.
  let waiting: Victim[] = [];
  const next = (): Victim => {
    if (waiting.length === 0) waiting = choices.shuffled(victims);
    return waiting.pop() ?? 'delivery';
  };
  for (let atMs = firstAfterMs; atMs < seconds * 1_000; atMs += choices.whole(...pauseMs)) {
    kills.push({ atMs, victim: next() });
    if (choices.isTrue(twoAtOnce)) kills.push({ atMs, victim: next() });
  }
  return kills;
}

/** Kills as planned, with SIGKILL, only what this system's launcher started. Its launcher starts it again. */
export async function carryOut(system: System, plan: readonly Kill[], stop: AbortSignal, tell: (killed: Killed) => void): Promise<void> {
  const from = performance.now();
  for (const kill of plan) {
    await sleep(Math.max(0, kill.atMs - (performance.now() - from)), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const pid = await system.pid(kill.victim);
    const isThere = pid !== undefined && (await isChildOf(pid, system.launcher.pid));
    if (isThere) process.kill(pid, 'SIGKILL');
    tell({ ...kill, pid: isThere ? pid : undefined });
  }
}

/** The file of a pid is a moment older than the process: the number could be somebody else's by now. */
async function isChildOf(pid: number, parent: number | undefined): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  // Elsewhere the file has to do.
  if (process.platform !== 'linux') return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(parentPid) === parent;
}
