import { isLonger, isShorter, lengthOf, truncate } from './length';
import { text, trimmed } from './shapes';

const family = '👨‍👩‍👧';

it.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 2],
  ['😀', 1],
  [`a😀b`, 3],
  [family, 5],
])('counts the code points of %j', (input, length) => {
  expect(lengthOf(input)).toBe(length);
  expect([isShorter(input, length), isShorter(input, length + 1)]).toEqual([false, true]);
  expect([isLonger(input, length), length > 0 && isLonger(input, length - 1)]).toEqual([false, length > 0]);
});

it('truncates between code points', () => {
  expect(truncate('a😀😀😀', 3)).toBe('a😀😀');
  expect(truncate('a😀', 3)).toBe('a😀');
});

it('measures the bounds of texts in code points', () => {
  expect(text(2, 3).safeParse('😀😀😀').success).toBe(true);
  expect(text(2, 3).safeParse('😀😀😀😀').success).toBe(false);
  expect(text(2, 3).safeParse('😀').success).toBe(false);
  expect(trimmed(1, 2).parse(' 😀😀 ')).toBe('😀😀');
});

it.each(['\u200b', ' \u2060\u3164', '\u2800'])('rejects a name without a visible character: %j', (name) => {
  expect(trimmed(1, 10).safeParse(name).error?.issues).toMatchObject([{ message: 'must have a visible character' }]);
  expect(trimmed(0, 10).safeParse(name).success).toBe(true);
});
