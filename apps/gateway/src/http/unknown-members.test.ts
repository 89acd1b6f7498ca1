import { FormItem, SignInRequest, unknownMembers } from '@sheaf/contracts';
import { effort, little } from '@sheaf/testing';
import { z } from 'zod';

const many = (length: number, value: unknown) => Object.fromEntries(Array.from({ length }, (_, at) => [`x${at}`, value]));
const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
const Fields = z.object({ fields: z.array(FormItem) });

it.each<[string, z.ZodType, unknown, number]>([
  ['unknown ones', SignInRequest, { ...credentials, ...many(39_000, 1) }, 30],
  ['unknown ones in one of several shapes', z.union([z.string(), SignInRequest]), { ...credentials, ...many(39_000, 1) }, 30],
  [
    'labels of options',
    Fields,
    { fields: [{ type: 'select', key: 'a', label: 'A', required: true, translations: { de: { options: many(39_000, 'x') } } }] },
    0,
  ],
  ['objects in a list', Fields, { fields: Array.from({ length: 13_000 }, () => ({ type: 'page', label: 'x' })) }, 0],
  ['objects in a list, with unknown ones', Fields, { fields: Array.from({ length: 9_000 }, () => ({ type: 'page', x: 1, y: 2 })) }, 30],
])('the unknown members cost little to find among as many %s as a body may have', async (_, shape, input, found) => {
  expect(unknownMembers(shape, input)).toHaveLength(found);
  expect(await effort(() => unknownMembers(shape, input))).toBeLessThan(little);
});
