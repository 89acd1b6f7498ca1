import { batchedLookUp } from './batched-look-up';
import type { Database } from './statement';

const db = {} as Database;
let asked: (readonly number[])[] = [];
beforeEach(() => (asked = []));

const double = batchedLookUp((_, numbers: readonly number[]) => {
  asked.push(numbers);
  return numbers.includes(13) ? Promise.reject(new Error('the database is down')) : Promise.resolve(numbers.map((n) => 2 * n));
});

it('combines concurrent look-ups into one, and gives each caller its own result', async () => {
  expect(await Promise.all([double(db, 1), double(db, 2), double(db, 1)])).toEqual([2, 4, 2]);
  expect(asked).toEqual([[1, 2, 1]]);
});

it('caches nothing: a later look-up queries again', async () => {
  await double(db, 1);
  await double(db, 1);
  expect(asked).toEqual([[1], [1]]);
});

it('keeps look-ups in different databases apart', async () => {
  await Promise.all([double(db, 1), double({} as Database, 2)]);
  expect(asked).toEqual([[1], [2]]);
});

it('fails for all combined callers, and later calls try again', async () => {
  await expect(Promise.allSettled([double(db, 13), double(db, 1)])).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  await expect(double(db, 1)).resolves.toBe(2);
});

it('limits the number of keys per statement', async () => {
  await Promise.all(Array.from({ length: 1_001 }, (_, n) => double(db, n + 100)));
  expect(asked.map((keys) => keys.length)).toEqual([500, 500, 1]);
});
