import { PerMinute } from './per-minute';

it('counts each key separately for one minute from its first use', () => {
  const counts = new PerMinute(10);
  expect(counts.count('a', 1_000)).toMatchObject({ count: 1, until: 61_000 });
  expect(counts.count('a', 60_999)).toMatchObject({ count: 2, until: 61_000 });
  expect(counts.count('b', 60_999)).toMatchObject({ count: 1, until: 120_999 });
  expect(counts.count('a', 61_000)).toMatchObject({ count: 1, until: 121_000 });
});

it('remembers only the latest keys, up to its limit', () => {
  const counts = new PerMinute(2);
  for (const key of ['a', 'b', 'c']) counts.count(key, 0);
  expect(counts.count('c', 0)).toMatchObject({ count: 2 });
  expect(counts.count('a', 0)).toMatchObject({ count: 1 });
});
