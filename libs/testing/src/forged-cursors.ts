import { cursorAfter } from '@sheaf/rpc';
import fc from 'fast-check';
import { propertyRuns } from './property';

const digits = (length: number, max: number) => fc.nat(max).map((number) => String(number).padStart(length, '0'));
const date = () =>
  fc.oneof(
    fc.constantFrom(
      '2026-02-28',
      '2026-02-31',
      '2025-02-29',
      '2026-04-31',
      '0000-01-01',
      '2026-00-10',
      '2026-01-00',
      '10000-01-01',
      '-0044-03-15',
    ),
    fc.tuple(digits(4, 9_999), digits(2, 13), digits(2, 32)).map((parts) => parts.join('-')),
  );
const timeOfDay = () =>
  fc.oneof(
    fc.constantFrom(
      'T09:30:00Z',
      'T09:30:00.123456Z',
      `T09:30:00.${'1'.repeat(300)}Z`,
      'T09:30:00',
      ' 09:30:00.123+00',
      'T09:30:00+16:00',
      '',
    ),
    fc.tuple(digits(2, 25), digits(2, 60), digits(2, 61)).map((parts) => `T${parts.join(':')}Z`),
  );

/** Values in the place of a cursor: real ones, those that do not exist, and those that only look like one. Functions, because these take seconds to make. */
export const forged = {
  date,
  time: () =>
    fc.oneof(
      { weight: 9, arbitrary: fc.tuple(date(), timeOfDay()).map((parts) => parts.join('')) },
      fc.constantFrom('infinity', '-infinity', 'now', 'epoch', ''),
    ),
  id: () =>
    fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.uuid().map((id) => `{${id}}`),
      fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', 'x'),
    ),
  number: () => fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }), fc.constantFrom(-1, 2 ** 31, 5e-324, '1', null)),
  text: () => fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.constantFrom('\0', '\ud800', 'x'.repeat(101))),
};

interface Forgery {
  /** Everything that decides what the list contains and in which order. */
  list: readonly unknown[];
  /** A place in the list. The list must accept it, which shows that the checksums of the forged places are right. */
  real: readonly (string | number)[];
  place: readonly fc.Arbitrary<unknown>[];
}

/** Fails unless the list answers every place under a right checksum with a page, or with a `bad_request` that names the cursor. */
export async function expectCursorsChecked({ list, real, place }: Forgery, read: (cursor: string) => Promise<unknown>): Promise<void> {
  await read(cursorAfter(real, list));
  const places = fc.oneof({ weight: 19, arbitrary: fc.tuple(...place) }, fc.array(fc.oneof(...place)));
  await fc.assert(
    fc.asyncProperty(places, async (forgedPlace) => {
      const cursor = cursorAfter(forgedPlace as (string | number)[], list);
      await read(cursor).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'bad_request', message: expect.stringMatching(/^cursor: /) as string }),
      );
    }),
    propertyRuns(300),
  );
}
