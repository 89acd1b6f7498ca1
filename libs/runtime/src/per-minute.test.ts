import { PerMinute } from './per-minute';

it('counts each key by itself, from its first time on, until its minute is over', () => {
  const counts = new PerMinute(10);
  expect(counts.count('a', 1_000)).toMatchObject({ count: 1, until: 61_000 });
  expect(counts.count('a', 60_999)).toMatchObject({ count: 2, until: 61_000 });
  expect(counts.count('b', 60_999)).toMatchObject({ count: 1, until: 120_999 });
  expect(counts.count('a', 61_000)).toMatchObject({ count: 1, until: 121_000 });
});

it('remembers the keys that came last, and no more of them than it may', () => {
  const counts = new PerMinute(2);
  for (const key of ['a', 'b', 'c']) counts.count(key, 0);
  expect(counts.count('c', 0)).toMatchObject({ count: 2 });
  expect(counts.count('a', 0)).toMatchObject({ count: 1 });
});
