import { nextDelay } from './backoff';

it('doubles the pause from 250 ms to 10 s for a process that keeps dying', () => {
  const pauses: number[] = [];
  for (let last = 0; pauses.length < 8; pauses.push(last)) last = nextDelay(last, 100);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

it('resets the pause for a process that ran for 10 s', () => {
  expect(nextDelay(8_000, 10_000)).toBe(250);
  expect(nextDelay(8_000, 9_999)).toBe(10_000);
});
