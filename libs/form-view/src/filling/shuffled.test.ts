import { randomUUID } from 'node:crypto';
import { itemsOf } from '../sample-views';
import { readAnswers } from './answers';
import { shuffledItem } from './shuffled';

const letters = 'abcdefgh'.split('');
const choice = (more: object = {}) => {
  const [item] = itemsOf({ key: 'answer', type: 'multi_select', options: letters, shuffle: true, ...more });
  if (!item || !('key' in item)) throw new Error('no field');
  return item;
};
const orderOf = (item: ReturnType<typeof choice>, seed: string) => {
  const shuffled = shuffledItem(item, seed);
  return 'options' in shuffled ? (shuffled.options ?? []).map(({ value }) => value) : [];
};

it('is the same each time for one respondent, and another one for others', () => {
  const seeds = Array.from({ length: 20 }, () => randomUUID());
  const orders = seeds.map((seed) => orderOf(choice(), seed).join(''));
  expect(seeds.map((seed) => orderOf(choice(), seed).join(''))).toEqual(orders);
  expect(new Set(orders).size).toBeGreaterThan(15);
  expect(orders.map((order) => order.split('').sort().join(''))).toEqual(orders.map(() => letters.join('')));
});

it('differs between the questions of one respondent', () => {
  const orders = letters.map((key) => orderOf(choice({ key }), 'somebody').join(''));
  expect(new Set(orders).size).toBeGreaterThan(5);
});

it('puts each option at each place about as often', () => {
  const times = 4_000;
  const counts = new Map<string, number>();
  for (let each = 0; each < times; each++)
    orderOf(choice(), `token-${each}`).forEach((value, at) => counts.set(`${value}${at}`, (counts.get(`${value}${at}`) ?? 0) + 1));
  const expected = times / letters.length;
  expect(counts.size).toBe(letters.length ** 2);
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected / 5);
});

it('keeps Other as the last option, but not an option that only has its value', () => {
  const seeds = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const withOther = choice({ options: [...letters, 'other'], other: { label: 'Other' } });
  expect(new Set(seeds.map((seed) => orderOf(withOther, seed).at(-1)))).toEqual(new Set(['other']));
  const without = choice({ options: [...letters, 'other'] });
  expect(seeds.every((seed) => orderOf(without, seed).at(-1) === 'other')).toBe(false);
});

it('leaves the other options where they are when one is not offered any more', () => {
  const order = orderOf(choice(), 'somebody');
  expect(orderOf(choice({ options: letters.filter((letter) => letter !== 'c') }), 'somebody')).toEqual(
    order.filter((letter) => letter !== 'c'),
  );
});

it('is the order of the form without the setting', () => {
  const item = choice({ shuffle: undefined });
  expect(shuffledItem(item, 'somebody')).toBe(item);
});

it('does not show in an answer, whose options are in the order of the form', () => {
  const today = () => '2026-05-31';
  const chosen = (more: object) =>
    readAnswers([choice(more)], new Map([['answer', ['h', 'zzz', 'b']]]), new Map(), 'en', today).answers.answer;
  expect(chosen({})).toEqual(['b', 'h', 'zzz']);
  // An answer is not touched where nothing was shuffled.
  expect(chosen({ shuffle: undefined })).toEqual(['h', 'zzz', 'b']);
});
