import { eventually, testProcess } from '@sheaf/testing';
import { startWorker } from './worker';

function attemptsThat(turns: (() => number | undefined)[]) {
  let ran = 0;
  let onFree: (() => void) | undefined;
  return {
    get ran() {
      return ran;
    },
    free: () => onFree?.(),
    idle: jest.fn(() => Promise.resolve()),
    runDue(free?: () => void) {
      onFree = free;
      const turn = turns[ran++];
      return Promise.resolve().then(() => ({ begun: 0, nextInMs: turn?.() }));
    },
  };
}

it('looks when it starts, when it is woken, and when a slot becomes free', async () => {
  const own = testProcess('delivery');
  const attempts = attemptsThat([]);
  const worker = startWorker(own, attempts);
  await eventually(() => expect(attempts.ran).toBe(1));

  worker.wake();
  await eventually(() => expect(attempts.ran).toBe(2), 500);
  attempts.free();
  await eventually(() => expect(attempts.ran).toBe(3), 500);
  await own.stop();
});

it('looks when the next attempt is due, and not before', async () => {
  const own = testProcess('delivery');
  const looks: number[] = [];
  const look = (nextInMs?: number) => () => {
    looks.push(performance.now());
    return nextInMs;
  };
  const attempts = attemptsThat([look(150), look()]);
  startWorker(own, attempts);

  await eventually(() => expect(looks).toHaveLength(2), 500);
  const [first = 0, second = 0] = looks;
  // Timers have a resolution of one millisecond.
  expect(second - first).toBeGreaterThan(148);
  await own.stop();
});

it('goes on after a failure', async () => {
  const own = testProcess('delivery');
  const attempts = attemptsThat([
    () => {
      throw new Error('the database is away');
    },
  ]);
  startWorker(own, attempts);

  await eventually(() => expect(attempts.ran).toBe(2), 2_000);
  await own.stop();
});

it('waits for what is under way before it has stopped', async () => {
  const own = testProcess('delivery');
  const attempts = attemptsThat([]);
  startWorker(own, attempts);

  await own.stop();
  expect(attempts.idle).toHaveBeenCalledTimes(1);
});
