import { setTimeout as sleep } from 'node:timers/promises';
import { newDataDir, removeDataDir, System } from '@sheaf/testing';
import { Engines } from './engines';
import type { Fault } from './faults';
import { Load, type Outcome } from './load';

const probeEveryMs = 100;

/** Sheaf on the real engines, for all tests of a file. */
export interface Rig {
  engines: Engines;
  system: System;
}

export interface Observed extends Outcome {
  /** How long after the proxy led to a working primary again the first 201 came; undefined if writing was possible all the time. */
  afterTakeoverMs: number | undefined;
}

export function useRig(): Rig {
  const rig: Partial<Rig> = {};
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await newDataDir();
    rig.engines = await Engines.start();
    rig.system = await System.start(dataDir, {
      DATABASE_URL: rig.engines.databaseUrl,
      DATABASE_REPLICATED: 'true',
      NATS_URL: rig.engines.natsUrl,
      NATS_STREAM_REPLICAS: '3',
      // The wait of a respondent is not measured here: three POSTs should not take half a minute.
      RETRY_DELAYS_MS: '1000,2000',
    });
  }, 600_000);
  afterAll(async () => {
    await rig.system?.stop();
    await rig.engines?.stop();
    await removeDataDir(dataDir);
  });
  return rig as Rig;
}

/**
 * Runs the load, does something to the engines, waits until submissions are accepted again, and mends it. All is whole before and afterwards.
 * @param fault does it, and returns how to mend it; a fault that only mending ends returns when it is over
 */
export async function under({ engines, system }: Rig, title: string, fault: Fault): Promise<Observed> {
  await engines.whole();
  const load = await Load.start(system);
  const takeover = watchTakeover(engines);
  try {
    await load.accepts(60);
    const mend = await fault(engines, load);
    await load.accepts(60);
    await mend();
    await load.accepts(60);
    const writableAt = await takeover.stop();
    const outcome = await load.stop();
    await engines.whole();
    const afterTakeoverMs = writableAt === undefined ? undefined : outcome.backAt - writableAt;
    const pause = `longest pause ${(outcome.longestPauseMs / 1_000).toFixed(1)} s`;
    const back = afterTakeoverMs === undefined ? '' : `, back ${afterTakeoverMs} ms after a new connection could write`;
    process.stdout.write(`${title}: ${outcome.accepted} accepted, ${pause}${back}\n`);
    return { ...outcome, afterTakeoverMs };
  } catch (error) {
    // The next test begins with everything in order.
    await engines.mend();
    await Promise.all([takeover.stop(), load.abandon()]);
    throw error;
  }
}

/** Nothing accepted is lost or doubled, every submission is delivered, none four times, and refusals invite a retry. */
export const kept = { lost: [], doubled: [], undelivered: [], phantoms: [], postedTooOften: [], improper: [] };

/** Writes by a new connection all the time. @returns when the first one succeeded after the longest time in which none did */
function watchTakeover({ write }: Engines): { stop: () => Promise<number | undefined> } {
  const stopped = new AbortController();
  const done: { at: number; isGood: boolean }[] = [];
  const open = new Set<Promise<void>>();
  const run = async () => {
    while (!stopped.signal.aborted) {
      const probe = write().then(
        () => void done.push({ at: Date.now(), isGood: true }),
        () => void done.push({ at: Date.now(), isGood: false }),
      );
      open.add(probe);
      void probe.then(() => open.delete(probe));
      await sleep(probeEveryMs);
    }
    await Promise.all(open);
  };
  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
      const good = done.flatMap(({ at, isGood }) => (isGood ? [at] : [])).sort((a, b) => a - b);
      const longest = good.slice(1).reduce((worst, at, index) => Math.max(worst, at - (good[index] ?? at)), 0);
      // Shorter ones are a busy machine.
      return longest < 2_000 ? undefined : good.find((at, index) => index > 0 && at - (good[index - 1] ?? at) === longest);
    },
  };
}
