import { newId } from '@sheaf/kernel';
import { idsNamed, readReference, referenceOf } from './reference';

const id = '01a21a23-b16e-705d-a3c3-4e981e38d64c';

it('names a submission by the time and the counter in its id', () => {
  expect(referenceOf(id)).toBe('K6EB-C72D-8M');
  expect(referenceOf('01a21a23-b16e-705d-a3c3-53862486ea30')).toBe('M6EB-C72D-8M');
});

it('names a thousand submissions that arrive together differently, and leads back to the id of each', () => {
  const ids = Array.from({ length: 1_000 }, newId);
  expect(new Set(ids.map(referenceOf)).size).toBe(1_000);
  for (const each of ids) expect(idsNamed(referenceOf(each)).some(({ first, last }) => first <= each && each <= last)).toBe(true);
});

it.each(['KRED-HH8T-81', 'kred-hh8t-81', ' KRED HH8T 81\n', 'KREDHH8T81', 'KRED–HH8T–8I', 'kredhh8t8l'])('reads %j', (typed) => {
  expect(readReference(typed)).toBe('KRED-HH8T-81');
});

it.each([id, id.toUpperCase(), id.replaceAll('-', ''), ` ${id.replaceAll('-', '–')}\n`])('reads %j as an id', (typed) => {
  expect(readReference(typed)).toBe(id);
  expect(idsNamed(id)).toEqual([{ first: id, last: id }]);
});

it.each(['KRED-HH8T-8', 'KRED-HH8T-811', 'KRED-HH8U-81', 'Ada Lovelace', '', ' '.repeat(10_000), '🙂RED-HH8T-81'])(
  'takes %j for no reference',
  (typed) => {
    expect(readReference(typed)).toBeUndefined();
  },
);
