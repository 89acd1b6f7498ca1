import fc from 'fast-check';
import type { Condition } from './condition-shape';
import { endingFor, isMet, keysIn, type Answers } from './conditions';

it.each<[Condition, Answers, boolean]>([
  [{ key: 'a', gt: 3 }, { a: 4 }, true],
  [{ key: 'a', gt: 3 }, { a: 3 }, false],
  [{ key: 'a', gte: 3 }, { a: 3 }, true],
  [{ key: 'a', lt: 3 }, {}, false],
  [{ key: 'a', lte: 3 }, { a: 'x' }, false],
  [{ key: 'a', gt: '2026-01-31' }, { a: '2026-02-01' }, true],
  [{ key: 'a', lte: '09:00' }, { a: '09:00:00' }, true],
  [{ key: 'a', gt: '2026-01-01T09:00' }, { a: '2026-01-01t09:00:01Z' }, true],
  [{ key: 'a', lt: { key: 'b' } }, { a: '2026-01-01', b: '2026-01-02' }, true],
  [{ key: 'a', lt: { key: 'b' } }, { a: '2026-01-01' }, false],
  [{ key: 'a', equals: { key: 'b' } }, {}, false],
  [{ key: 'a', not_equals: { key: 'b' } }, {}, true],
  [{ key: 'a', equals: { key: 'b' } }, { a: 'x', b: 'x' }, true],
  [{ key: 'a', contains: 'ZOË' }, { a: 'my zoe\u0308!' }, true],
  [{ key: 'a', not_contains: 'x' }, {}, true],
  [{ key: 'a', starts_with: 'STRASSE' }, { a: 'straße 1' }, true],
  [{ key: 'a', starts_with: 'b' }, { a: 'ab' }, false],
  [{ key: 'a', contains: 'x' }, { a: ['x', 'y'] }, true],
  [{ key: 'a', chosen_at_least: 2 }, { a: ['x', 'y'] }, true],
  [{ key: 'a', chosen_at_least: 1 }, {}, false],
  [{ key: 'a', chosen_at_most: 1 }, {}, true],
  [{ key: 'a', chosen_at_most: 1 }, { a: ['x', 'y'] }, false],
  [{ key: 'constructor', gt: 0 }, {}, false],
  [{ key: 'a', equals: '09:00' }, { a: '09:00:00' }, true],
  [{ key: 'a', not_equals: '2026-01-01T09:00' }, { a: '2026-01-01t09:00:00Z' }, false],
  [{ key: 'a', in: ['08:00', '09:00:00'] }, { a: '09:00' }, true],
  [{ key: 'a', equals: { key: 'b' } }, { a: '09:00', b: '09:00:00' }, true],
  [{ key: 'a', equals: '09:00 at the door' }, { a: '09:00 at the gate' }, false],
  [{ key: 'a', in: ['x', 'y'] }, { a: ['z', 'y'] }, true],
  [{ key: 'a', in: ['x', 'y'] }, { a: ['z'] }, false],
])('%j with the answers %j is met: %j', (condition, answers, met) => {
  expect(isMet(condition, answers)).toBe(met);
  expect(isMet({ not: condition }, answers)).toBe(!met);
  expect(isMet({ all: [condition, { any: [condition, { key: 'none', answered: true }] }] }, answers)).toBe(met);
});

it.each([{ key: 'a', near: 'b' }, { either: [] }, { all: [{ key: 'a', near: 'b' }] }])(
  'decides nothing by %j, which a later release has made',
  (later) => {
    expect(() => isMet(later as Condition, { a: 'b' })).toThrow('unknown condition');
  },
);

it('tells all fields on which a condition depends', () => {
  const condition: Condition = { all: [{ key: 'a', in: ['x'] }, { not: { any: [{ key: 'b', gt: { key: 'c' } }] } }] };
  expect([...keysIn(condition)]).toEqual(['a', 'b', 'c']);
});

it('follows the laws of logic for any conditions', () => {
  const key = fc.constantFrom('a', 'b');
  const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'xy'));
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({ key, equals: value }),
    fc.record({ key, gt: value }),
    fc.record({ key, contains: fc.constantFrom('x', 'y') }),
    fc.record({ key, answered: fc.boolean() }),
  );
  const { any } = fc.letrec<{ any: Condition }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ all: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('any') }),
    ),
  }));
  const answers = fc.record({ a: value, b: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 4 }), answers, (conditions, given) => {
      const apart = conditions.map((each) => isMet(each, given));
      expect(isMet({ all: conditions }, given)).toBe(apart.every(Boolean));
      expect(isMet({ any: conditions }, given)).toBe(apart.some(Boolean));
      expect(isMet({ not: { any: conditions.map((not) => ({ not })) } }, given)).toBe(isMet({ all: conditions }, given));
    }),
  );
});

it('takes answers for equal exactly if none is greater, for numbers, dates and times', () => {
  const two = (length: number) => fc.integer({ min: 0, max: length - 1 }).map((number) => String(number).padStart(2, '0'));
  const time = fc.tuple(two(2), two(2), fc.constantFrom('', ':00', ':01')).map(([hour, minute, second]) => `${hour}:${minute}${second}`);
  const day = fc.constantFrom('2026-01-01', '2026-01-02');
  const kinds = [
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -2, max: 2 }), fc.constantFrom(0, -0)),
    day,
    time,
    fc.tuple(day, fc.constantFrom('T', 't'), time).map((parts) => parts.join('')),
    fc.tuple(day, time, fc.constantFrom('', '.5', 'Z', '+02:00')).map(([on, at, end]) => `${on}T${at.slice(0, 5)}:00${end}`),
  ];
  const pair = fc.oneof(...kinds.map((kind) => fc.tuple(kind as fc.Arbitrary<string | number>, kind as fc.Arbitrary<string | number>)));
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const meets = (operators: object) => isMet({ key: 'a', ...operators }, { a, b });
      const isEqual = meets({ gte: b }) && meets({ lte: b });
      const equalities = [{ equals: b }, { equals: { key: 'b' } }, { in: [b] }, { in: ['other', b] }];
      expect(equalities.map(meets)).toEqual(equalities.map(() => isEqual));
      expect([meets({ not_equals: b }), meets({ gt: b }) || meets({ lt: b })]).toEqual([!isEqual, !isEqual]);
      expect(isMet({ key: 'a', equals: b }, { a: ['other', a] })).toBe(isEqual);
    }),
  );
});

it.each([
  [{ a: 5 }, 'many'],
  [{ a: 2 }, 'some'],
  [{ a: 1 }, undefined],
  [{}, undefined],
])('ends a form for %j with the first ending whose condition holds: %s', (answers, name) => {
  const ending = (each: string, gt: number) => ({ type: 'ending', name: each, title: each, if: { key: 'a', gt } }) as const;
  expect(endingFor([ending('many', 3), ending('some', 1)], answers)?.name).toBe(name);
});
