import type { Condition } from '@sheaf/contracts';
import { groupOf, isWithinBounds, joined, operatorOf, whole } from './conditions';

const a: Condition = { key: 'a', gt: 1 };
const b: Condition = { key: 'b', answered: false };

it.each<[Condition, string]>([
  [{ all: [a, b] }, 'all'],
  [{ any: [a] }, 'any'],
  [{ not: { all: [a, b] } }, 'not_all'],
  [{ not: { any: [a, b] } }, 'none'],
  [{ not: a }, 'none'],
])('%j is a group of which %s hold, and is the same again', (condition, joint) => {
  const group = groupOf(condition);
  expect(group?.joint).toBe(joint);
  expect(group && joined(group)).toEqual(condition);
});

it('has no group around the only condition that is left', () => {
  expect(whole({ joint: 'any', parts: [a] })).toBe(a);
  expect(whole({ joint: 'none', parts: [a] })).toEqual({ not: a });
  expect(whole({ joint: 'all', parts: [] })).toBeUndefined();
});

it('knows neither the operators nor the joints of a later release', () => {
  const near = { key: 'a', near: 'b' };
  const either: Condition = { either: [a] } as object;
  expect([groupOf(near), operatorOf(near), groupOf(either)]).toEqual([undefined, undefined, undefined]);
});

it('is as large as forms take it, and no larger', () => {
  const deep = (depth: number): Condition => (depth === 0 ? a : { any: [deep(depth - 1)] });
  expect([5, 6].map((depth) => isWithinBounds(deep(depth)))).toEqual([true, false]);
  expect([50, 51].map((length) => isWithinBounds({ all: Array.from({ length }, () => a) }))).toEqual([true, false]);
});
