import type { App } from '@sheaf/kernel';
import { measure, type Length, type Load, type Measurement } from './load';
import { cpuOf, perRequest } from './processes';
import type { World } from './world';
import type { Yardstick } from './yardstick';

/** One line of the table. */
export interface Result {
  name: string;
  /** Requests per second, or the rate of the items that the row counts. */
  perSecond?: number;
  p50?: number;
  p99?: number;
  /** Ratio to the yardstick, measured in the same minute. */
  ratio?: number;
  /** The target, as text. */
  goal?: string;
  /** Microseconds of processor time per request, by process. */
  cpu?: Partial<Record<App, number>>;
  note?: string;
}

export interface Bench {
  world: World;
  yardstick: Yardstick;
  /** Duration of one measurement, in seconds. */
  seconds: number;
  /** How many times Sheaf and the yardstick take turns. */
  rounds: number;
}

// Warms up caches, connection pools and JIT compilers. Sheaf's seven processes need about 15 s under full load: in its first seconds
// the gateway takes twice as long per submission as later. The yardstick is warm after one second.
const warmUpSeconds = { ours: 12, theirs: 3 };
const lengthOf = ({ world, seconds }: Bench): Length => (world.quick ? { answers: 2 } : { seconds });

/** Measures Sheaf and the yardstick in turns, so that both see the same machine load, and returns the medians. */
export async function alternate(bench: Bench, name: string, ours: Load, theirs: Load, goal?: string, yardstick = 'bare'): Promise<Result> {
  const { world, rounds } = bench;
  // A timeout during the warm-up means slow, not broken.
  if (!world.quick) {
    await measure(ours, { seconds: warmUpSeconds.ours }).catch(() => undefined);
    await measure(theirs, { seconds: warmUpSeconds.theirs }).catch(() => undefined);
  }

  const sheaf: Measurement[] = [];
  const bare: Measurement[] = [];
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
    note: `${yardstick} ${Math.round(median(bare.map((m) => m.perSecond)))}/s`,
  };
}

/** Measures Sheaf alone, for operations that have no fair counterpart in the yardstick. */
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
