import { createHash } from 'node:crypto';
import { type Problem } from '@sheaf/kernel';
import { effort, tedious } from '@sheaf/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { cursorAfter, placeOf, timeInPlace } from './cursor';

const Place = z.tuple([z.string(), z.int()]);
const list = ['notes', 'form-1', { sort: 'created' }];
const cursor = cursorAfter(['2026-03-02T09:30:00.000Z', 7], list);
const refused = expect.objectContaining({ code: 'bad_request', message: 'cursor: must be a next_cursor of this list' }) as Problem;

it('leads back to the place it was made for', () => {
  expect(placeOf(Place, cursor, list)).toEqual(['2026-03-02T09:30:00.000Z', 7]);
});

it('fits into a URL as it is', () => {
  expect(encodeURIComponent(cursor)).toBe(cursor);
});

it.each([
  ['of another list', cursorAfter(['2026-03-02T09:30:00.000Z', 7], ['revisions', 'form-1', { sort: 'created' }])],
  ['of another form', cursorAfter(['2026-03-02T09:30:00.000Z', 7], ['notes', 'form-2', { sort: 'created' }])],
  ['of the same list in another order', cursorAfter(['2026-03-02T09:30:00.000Z', 7], ['notes', 'form-1', { sort: '-created' }])],
  ['for a place of another shape', cursorAfter([7, 'x'], list)],
  ['with a suffix', `${cursor}=`],
  ['of nothing', ''],
  [
    'without text',
    createHash('sha256')
      .update(JSON.stringify([list, '']))
      .digest()
      .subarray(0, 12)
      .toString('base64url'),
  ],
])('is refused if it is one %s', (_, other) => {
  expect(() => placeOf(Place, other, list)).toThrow(refused);
});

it('is refused if any character of it was changed, or if it was made up', () => {
  for (let at = 0; at < cursor.length; at++) {
    const forged = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
    expect(() => placeOf(Place, forged, list)).toThrow(refused);
  }
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => expect(() => placeOf(Place, text, list)).toThrow(refused)));
});

it('costs little to refuse, however long an address can be', async () => {
  const longest = 16_384;
  // Tried again at every character, an address costs twice this.
  const enough = 6;
  const checking = (text: string) => () => expect(() => placeOf(z.tuple([timeInPlace(), z.uuid()]), text, list)).toThrow(refused);
  for (const text of tedious(longest)) {
    expect(await effort(checking(text), enough)).toBeLessThan(enough);
    for (const place of [[text], [text, text], [`2026-03-02T09:30:00.${text}`, text]])
      expect(await effort(checking(cursorAfter(place, list)), enough)).toBeLessThan(enough);
  }
});
