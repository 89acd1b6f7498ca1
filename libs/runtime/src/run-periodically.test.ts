import { pino } from 'pino';
import { runPeriodically } from './run-periodically';

const hourMs = 3_600_000;

function aProcess() {
  const lines: { msg: string; count?: number; err?: { message: string } }[] = [];
  let close: () => unknown = () => undefined;
  return {
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }),
    lines,
    onStop: (_: string, closing: () => unknown) => void (close = closing),
    stop: () => Promise.resolve(close()),
  };
}

it('begins at once, continues after a failed round and logs the result of each', async () => {
  const process = aProcess();
  const rounds = [
    () => Promise.resolve(2),
    () => Promise.reject(new Error('no database')),
    () => Promise.resolve(0),
    () => Promise.resolve(1),
  ];
  await new Promise<void>((allDone) => {
    runPeriodically(process, { name: 'sweeping', everyMs: 1 }, async () => {
      const round = rounds.shift();
      if (!round) allDone();
      return (await round?.()) ?? 0;
    });
  });
  await process.stop();
  expect(process.lines).toMatchObject([
    { msg: 'sweeping', count: 2 },
    { msg: 'sweeping failed, will retry later', err: { message: 'no database' } },
    { msg: 'sweeping', count: 1 },
  ]);
});

it('ends with the process after the current round, without waiting for the next one', async () => {
  const process = aProcess();
  const seen: string[] = [];
  let finish: (count: number) => void = () => undefined;
  runPeriodically(process, { name: 'sweeping', everyMs: hourMs }, (stopping) => {
    seen.push('begun');
    stopping.addEventListener('abort', () => seen.push('asked to stop'));
    return new Promise((resolve) => (finish = resolve));
  });
  const stopped = process.stop().then(() => seen.push('stopped'));
  await Promise.resolve();
  seen.push('finished');
  finish(0);
  await stopped;
  expect(seen).toEqual(['begun', 'asked to stop', 'finished', 'stopped']);

  const pausing = aProcess();
  let rounds = 0;
  await new Promise<void>((begun) =>
    runPeriodically(pausing, { name: 'sweeping', everyMs: hourMs }, () => (begun(), Promise.resolve(++rounds))),
  );
  await pausing.stop();
  expect(rounds).toBe(1);
});

describe('with a longer pause at rest, by a clock that stands still unless it is set', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  /** @param counts what the first rounds find; the later ones find nothing */
  function resting(counts: (number | Error)[] = []) {
    const process = aProcess();
    const begunAt: number[] = [];
    const start = performance.now();
    const rounds = runPeriodically(process, { name: 'sweeping', everyMs: 1_000, restMs: 5_000 }, () => {
      begunAt.push(performance.now() - start);
      const count = counts.shift() ?? 0;
      return count instanceof Error ? Promise.reject(count) : Promise.resolve(count);
    });
    return { process, rounds, begunAt };
  }

  it('doubles the pause while rounds find nothing, up to the longest', async () => {
    const { process, begunAt } = resting();
    await pass(18_000);
    expect(begunAt).toEqual([0, 1_000, 3_000, 7_000, 12_000, 17_000]);
    await process.stop();
  });

  it('returns to the short pause after a round that found something or failed', async () => {
    const { process, begunAt } = resting([0, 0, 3, 0, new Error('no database')]);
    await pass(9_000);
    expect(begunAt).toEqual([0, 1_000, 3_000, 4_000, 6_000, 7_000, 9_000]);
    await process.stop();
  });

  it('begins the next round a short pause after the last one when there may be something to do, or at once if that is over', async () => {
    const { process, rounds, begunAt } = resting();
    await pass(7_500);
    rounds.soon();
    await pass(499);
    expect(begunAt).toEqual([0, 1_000, 3_000, 7_000]);
    await pass(1);
    expect(begunAt).toEqual([0, 1_000, 3_000, 7_000, 8_000]);

    await pass(8_500);
    rounds.soon();
    await pass(0);
    expect(begunAt.slice(5)).toEqual([10_000, 14_000, 16_500]);
    await process.stop();
  });

  it('begins no more rounds than by the short pause, however often there may be something to do', async () => {
    const { process, rounds, begunAt } = resting();
    for (let asked = 0; asked < 300; asked++) {
      rounds.soon();
      await pass(10);
    }
    expect(begunAt).toEqual([0, 1_000, 2_000, 3_000]);
    await process.stop();
  });

  it('does not miss what is left while a round is under way', async () => {
    const process = aProcess();
    let begun = 0;
    let finish: (count: number) => void = () => undefined;
    const rounds = runPeriodically(process, { name: 'sweeping', everyMs: 1_000, restMs: 5_000 }, () => {
      begun += 1;
      return new Promise((resolve) => (finish = resolve));
    });
    for (let round = 1; round <= 3; round++) {
      if (round === 3) rounds.soon();
      finish(0);
      await pass(round === 2 ? 2_000 : 1_000);
    }
    expect(begun).toBe(4);
    finish(0);
    await process.stop();
  });
});
