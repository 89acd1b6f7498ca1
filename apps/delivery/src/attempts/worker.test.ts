import { eventually, testProcess } from '@sheaf/testing';
import { startWorker } from './worker';

function fakeAttempts(looks: (() => number | undefined)[]) {
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
      const look = looks[ran++];
      return Promise.resolve().then(() => ({ begun: 0, nextInMs: look?.() }));
    },
  };
}

describe('by a clock that stands still unless it is set', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('looks when it starts, when it is woken, and when a slot becomes free', async () => {
    const process = testProcess('delivery');
    const attempts = fakeAttempts([]);
    const worker = startWorker(process, attempts);
    await pass(0);
    expect(attempts.ran).toBe(1);

    worker.wake();
    await pass(0);
    expect(attempts.ran).toBe(2);
    attempts.free();
    await pass(0);
    expect(attempts.ran).toBe(3);
    await process.stop();
  });

  it('looks when the next attempt is due, and not before', async () => {
    const process = testProcess('delivery');
    const attempts = fakeAttempts([() => 150]);
    startWorker(process, attempts);

    await pass(149);
    expect(attempts.ran).toBe(1);
    await pass(1);
    expect(attempts.ran).toBe(2);
    await process.stop();
  });
});

it('continues after a failed look', async () => {
  const process = testProcess('delivery');
  const attempts = fakeAttempts([
    () => {
      throw new Error('the database is down');
    },
  ]);
  startWorker(process, attempts);

  await eventually(() => expect(attempts.ran).toBe(2));
  await process.stop();
});

it('waits for attempts in flight before it stops', async () => {
  const process = testProcess('delivery');
  const attempts = fakeAttempts([]);
  startWorker(process, attempts);

  await process.stop();
  expect(attempts.idle).toHaveBeenCalledTimes(1);
});
