import fc from 'fast-check';
import { forEver, limitsAt, noted, type Decided, type Decision } from './grace';

const dayMs = 86_400_000;
const graceMs = 7 * dayMs;
const day = (number: number) => new Date(number * dayMs);

/** Days of submissions, each with the day on which it was decided. */
type Told = [on: number, days: number | null][];
const decided = (told: Told): Decision[] =>
  told.reduce<Decided>(
    (row, [on, submissions_days]) => {
      const days = { ...forEver, submissions_days };
      return { ...days, decided: noted({ ...row, ...days }, day(on), graceMs) };
    },
    { ...forEver, decided: [] },
  ).decided;
const limit = (on: number, form: Told, instance: Told = []) =>
  limitsAt(day(on), graceMs, { form: decided(form), instance: decided(instance) }).submissions_days;
const inForce = (days: number[], form: Told, instance?: Told) => days.map((on) => limit(on, form, instance).days);

describe('days that were decided', () => {
  it('are in force after the grace if they are shorter, and at once if they are longer', () => {
    expect(
      inForce(
        [100, 106.9, 107],
        [
          [0, 90],
          [100, 30],
        ],
      ),
    ).toEqual([90, 90, 30]);
    expect(
      inForce(
        [100],
        [
          [0, 30],
          [100, 90],
        ],
      ),
    ).toEqual([90]);
    expect(
      inForce(
        [100],
        [
          [0, 30],
          [100, null],
        ],
      ),
    ).toEqual([null]);
  });

  it('are announced with the moment at which they take effect, and the days that undo them', () => {
    expect(
      limit(101, [
        [0, 90],
        [100, 30],
      ]),
    ).toEqual({ days: 90, next: { days: 30, at: day(107), undo: 90 } });
    expect(limit(101, [[100, 30]])).toEqual({ days: null, next: { days: 30, at: day(107), undo: null } });
    expect(
      limit(107, [
        [0, 90],
        [100, 30],
      ]),
    ).toEqual({ days: 30 });
    expect(
      limit(101, [
        [0, 90],
        [100, 30],
        [101, 90],
      ]),
    ).toEqual({ days: 90 });
    expect(
      limit(101, [
        [0, 90],
        [100, 30],
        [101, null],
      ]),
    ).toEqual({ days: null });
  });

  it('that others replace before their time leave in force what was, until the grace of the last ones is over', () => {
    const sequence: Told = [
      [0, 90],
      [100, 30],
      [103, 60],
      [105, 30],
    ];
    expect(inForce([104, 107, 109, 111, 112], sequence)).toEqual([90, 90, 90, 90, 30]);
    expect(inForce([107, 109.9, 110], sequence.slice(0, 3))).toEqual([90, 90, 60]);
    expect(
      inForce(
        [107, 109.9, 110],
        [
          [0, 90],
          [100, 60],
          [103, 30],
        ],
      ),
    ).toEqual([90, 90, 30]);
    expect(
      inForce(
        [105, 111],
        [
          [0, 90],
          [100, 30],
          [103, null],
          [104, 30],
        ],
      ),
    ).toEqual([null, 30]);
  });

  it('have their grace also where a form goes over to those of its instance, or from them', () => {
    expect(
      inForce(
        [10, 100, 106, 107],
        [
          [0, 365],
          [100, null],
        ],
        [[0, 30]],
      ),
    ).toEqual([365, 365, 365, 30]);
    expect(
      inForce(
        [100],
        [
          [0, 10],
          [100, null],
        ],
        [[0, 30]],
      ),
    ).toEqual([30]);
    expect(inForce([106, 107], [[100, 10]], [[0, 30]])).toEqual([30, 10]);
    // The days of the instance were no decision about this form until it went over to them.
    expect(
      inForce(
        [108, 111, 112],
        [
          [0, 30],
          [105, null],
        ],
        [
          [0, 90],
          [101, 20],
        ],
      ),
    ).toEqual([30, 30, 20]);
    expect(
      inForce(
        [50, 107],
        [[0, 365]],
        [
          [0, 90],
          [100, 20],
        ],
      ),
    ).toEqual([365, 365]);
  });

  it('of an instance are undone for a form by days of its own, if need be by the longest', () => {
    expect(
      limit(
        101,
        [],
        [
          [0, 90],
          [100, 30],
        ],
      ).next,
    ).toMatchObject({ days: 30, undo: 90 });
    expect(limit(101, [], [[100, 30]]).next).toMatchObject({ days: 30, undo: 36_500 });
    expect(
      limit(
        101,
        [
          [0, 365],
          [100, null],
        ],
        [[0, 30]],
      ).next,
    ).toMatchObject({ days: 30, undo: 365 });
    expect(limit(101, [[100, 30]], [[0, 90]]).next).toMatchObject({ days: 30, undo: null });
  });

  it('count from now if nobody has noted them, as an earlier release does not', () => {
    const row = { ...forEver, submissions_days: 30, decided: decided([[0, 90]]) };
    const form = noted(row, day(100), graceMs);
    expect(limitsAt(day(100), graceMs, { form, instance: [] }).submissions_days).toMatchObject({ days: 90, next: { at: day(107) } });
  });

  it('do not begin their grace again when they are told twice, nor when other days change', () => {
    expect(
      limit(107, [
        [0, 90],
        [100, 30],
        [106, 30],
      ]),
    ).toEqual({ days: 30 });
    const once = {
      ...forEver,
      submissions_days: 30,
      decided: decided([
        [0, 90],
        [100, 30],
      ]),
    };
    const form = noted({ ...once, trash_days: 5 }, day(105), graceMs);
    const { submissions_days, trash_days } = limitsAt(day(107), graceMs, { form, instance: [] });
    expect([submissions_days, trash_days.days]).toEqual([{ days: 30 }, null]);
  });

  it('keep their order if a clock goes back', () => {
    expect(
      inForce(
        [100, 106, 107],
        [
          [0, 90],
          [100, 30],
          [99, 60],
        ],
      ),
    ).toEqual([90, 90, 60]);
  });

  it('erase nothing that some decision of the last days of grace would have kept, whatever form and instance decide', () => {
    const days = fc.constantFrom(null, 10, 20, 30, 60, 90);
    const history = fc.array(fc.tuple(fc.nat(60), days), { maxLength: 12 }).map((told) => told.sort(([a], [b]) => a - b));
    const stood = (told: Told, on: number) => told.findLast(([since]) => since <= on)?.[1] ?? null;
    fc.assert(
      fc.property(history, history, fc.nat(70), (form, instance, on) => {
        const lately = Array.from({ length: 7 }, (_, before) => stood(form, on - before) ?? stood(instance, on - before) ?? Infinity);
        const until = (told: Told) => told.filter(([since]) => since <= on);
        expect(limit(on + 0.9, until(form), until(instance)).days ?? Infinity).toBeGreaterThanOrEqual(Math.max(...lately));
      }),
    );
  });
});
