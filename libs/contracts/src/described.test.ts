import { z } from 'zod';
import { described } from './described';
import { carriedAs, messageFields } from './operations/message';

it('a message carries a described shape as it carries the shape', () => {
  const shape = carriedAs(z.object({ data: z.string(), limit: z.int() }), { names: { data: 'rows' }, without: ['limit'] });
  expect(messageFields(described(shape, 'All rows.')).map(({ name }) => name)).toEqual(['rows']);
});
