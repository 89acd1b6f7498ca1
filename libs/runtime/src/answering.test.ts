import { z } from 'zod';
import { readOptions, UsageError } from './answering';

const shape = z.object({
  name: z.string().max(5, 'must have at most 5 characters'),
  limit: z.coerce.number('must be a number').default(25),
  'password-stdin': z.boolean().default(false),
});
const read = (...args: string[]) => readOptions(shape, args);

it('reads options with and without a value', () => {
  expect(read('--name', 'Ada', '--limit=3', '--password-stdin')).toEqual({ name: 'Ada', limit: 3, 'password-stdin': true });
});

it('takes a value that begins with a dash behind an equals sign', () => {
  expect(read('--name=-Ada')).toMatchObject({ name: '-Ada' });
});

it.each([
  [[], '--name: is required'],
  [['--name', 'Ada Lovelace'], '--name: must have at most 5 characters'],
  [['--name'], '--name: needs a value'],
  [['--name', 'Ada', '--nmae', 'x'], '--nmae is not known here; there is --name, --limit, --password-stdin'],
  [['--name', 'Ada', 'Bob'], '“Bob” is not known here'],
])('refuses %j and says why', (args, message) => {
  expect(() => read(...args)).toThrow(UsageError);
  expect(() => read(...args)).toThrow(message);
});
