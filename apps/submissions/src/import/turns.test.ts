import { refused } from '@sheaf/testing';
import { Turns } from './turns';

it('reads one file after another, and refuses more than may wait', async () => {
  const turns = new Turns();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => () => {
    begun.push(number);
    return new Promise<void>((resolve, reject) => ends.push(number === 0 ? () => reject(new Error('broken')) : resolve));
  };
  const [first, ...others] = Array.from({ length: 8 }, (_, number) => turns.take(work(number)));
  await expect(turns.take(work(8))).rejects.toEqual(refused('too_many_requests'));
  expect(begun).toEqual([0]);
  ends[0]?.();
  await expect(first).rejects.toThrow('broken');
  for (let number = 1; number < 8; number++) {
    expect(begun).toEqual(Array.from({ length: number + 1 }, (_, index) => index));
    ends[number]?.();
    await others[number - 1];
    await Promise.resolve();
  }
  const last = turns.take(() => Promise.resolve('again'));
  expect(await last).toBe('again');
});
