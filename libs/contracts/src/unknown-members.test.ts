import { z } from 'zod';
import { unknownMembers } from './unknown-members';

const Answer = z.object({ key: z.string() });

describe('the unknown members of an input', () => {
  it.each<[string, z.ZodType, unknown, string[]]>([
    ['of an object', Answer, { key: 'a', kee: 1 }, ['kee']],
    ['that is known', Answer, { key: 'a' }, []],
    ['in an array', z.object({ fields: z.array(Answer) }), { fields: [{ key: 'a' }, { key: 'b', requird: true }] }, ['fields.1.requird']],
    ['in a record', z.record(z.string(), Answer), { de: { key: 'a', x: 1 } }, ['de.x']],
    ['in what may be absent', z.object({ a: Answer.nullable().default({ key: '' }).optional() }), { a: { key: 'a', x: 1 } }, ['a.x']],
    ['before a transformation', z.object({ a: Answer.transform(({ key }) => key) }), { a: { key: 'a', x: 1 } }, ['a.x']],
    ['behind a transformation', z.object({ a: z.preprocess((given) => given, Answer) }), { a: { key: 'a', x: 1 } }, ['a.x']],
    ['in one of several shapes', z.union([z.string(), Answer]), { key: 'a', x: 1 }, ['x']],
    ['of the shape that knows all', z.union([Answer, Answer.extend({ x: z.int() })]), { key: 'a', x: 1 }, []],
    [
      'of the kind that a member tells',
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('a'), one: z.int().optional() }),
        z.object({ type: z.literal('b'), two: z.int().optional() }),
      ]),
      { type: 'b', one: 1 },
      ['one'],
    ],
    ['that neither of two shapes knows', z.intersection(Answer, z.object({ id: z.int() })), { key: 'a', id: 1, x: 1 }, ['x']],
    ['of an object that takes any', z.looseObject({ key: z.string() }), { key: 'a', x: 1 }, []],
    ['of free JSON', z.object({ data: z.record(z.string(), z.unknown()) }), { data: { anything: { at: 'all' } } }, []],
    [
      'with the name of something that every object has',
      Answer,
      JSON.parse('{"key":"a","__proto__":1,"toString":2}'),
      ['__proto__', 'toString'],
    ],
  ])('%s', (_, shape, input, unknown) => {
    expect(shape.safeParse(input).success).toBe(true);
    expect(unknownMembers(shape, input)).toEqual(unknown);
  });

  it('are 30 at most', () => {
    expect(unknownMembers(z.object({}), Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, 1])))).toHaveLength(30);
  });
});
