import { measure, type Length, type Load, type Measured } from './load';
import { cpuOf, perRequest, type App } from './processes';
import type { World } from './world';
import type { Yardstick } from './yardstick';

/** One line of the table. */
export interface Result {
  name: string;
  /** Requests, or whatever the row counts, in a second. */
  perSecond?: number;
  p50?: number;
  p99?: number;
  /** To the yardstick, in the same minute. */
  ratio?: number;
  /** What is aimed at, in words. */
  goal?: string;
  /** Microseconds of processor time for one request, by process. */
  cpu?: Partial<Record<App, number>>;
  note?: string;
}

export interface Bench {
  world: World;
  yardstick: Yardstick;
  /** How long one measurement takes, in seconds. */
  seconds: number;
  /** How often Sheaf and the yardstick take turns. */
  rounds: number;
}

// Caches, connection pools and compilers. Those of seven processes are at it for some 15 s while they have as much to do as they can: in its
// first seconds the gateway takes twice as long for a submission as afterwards. The yardstick is done after one.
const warmUpSeconds = { ours: 12, theirs: 3 };
const lengthOf = ({ world, seconds }: Bench): Length => (world.quick ? { answers: 2 } : { seconds });

/** Measures Sheaf and the yardstick in turns, so that both have the same machine, and gives the medians. */
export async function alternate(bench: Bench, name: string, ours: Load, theirs: Load, goal?: string): Promise<Result> {
  const { world, rounds } = bench;
  // What takes longer in there is slow, and not broken.
  if (!world.quick) {
    await measure(ours, { seconds: warmUpSeconds.ours }).catch(() => undefined);
    await measure(theirs, { seconds: warmUpSeconds.theirs }).catch(() => undefined);
  }

  const sheaf: Measured[] = [];
  const bare: Measured[] = [];
  let requests = 0;
  const before = await cpuOf(world.system);
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure(theirs, lengthOf(bench)));
    const measured = await measure(ours, lengthOf(bench));
    sheaf.push(measured);
    requests += measured.requests;
  }
  const cpu = perRequest(before, await cpuOf(world.system), requests);
  const ratio = median(sheaf.map(({ perSecond }, i) => perSecond / (bare[i]?.perSecond ?? Number.NaN)));
  return {
    name,
    perSecond: median(sheaf.map((m) => m.perSecond)),
    p50: median(sheaf.map((m) => m.p50)),
    p99: median(sheaf.map((m) => m.p99)),
    ratio,
    ...(goal === undefined ? {} : { goal }),
    cpu,
    note: `bare ${Math.round(median(bare.map((m) => m.perSecond)))}/s`,
  };
}

/** Sheaf alone, for what nobody would compare with a SELECT. */
export async function alone(bench: Bench, name: string, ours: Load): Promise<Result> {
  const { world } = bench;
  if (!world.quick) await measure(ours, { seconds: warmUpSeconds.ours });
  const before = await cpuOf(world.system);
  const { perSecond, p50, p99, requests } = await measure(ours, lengthOf(bench));
  return { name, perSecond, p50, p99, cpu: perRequest(before, await cpuOf(world.system), requests) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
