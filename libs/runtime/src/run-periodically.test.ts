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
