import { z } from 'zod';
import { readOptions, UsageError } from './json-command';

const shape = z.object({
  name: z.string().max(5, 'must have at most 5 characters'),
  limit: z.coerce.number('must be a number').default(25),
  'password-stdin': z.boolean().default(false),
});
const read = (...args: string[]) => readOptions(shape, args);

it('reads options with and without a value', () => {
  expect(read('--name', 'Ada', '--limit=3', '--password-stdin')).toEqual({ name: 'Ada', limit: 3, 'password-stdin': true });
});

it('accepts a value that begins with a dash after an equals sign', () => {
  expect(read('--name=-Ada')).toMatchObject({ name: '-Ada' });
});

it.each([
  [[], '--name: is required'],
  [['--name', 'Ada Lovelace'], '--name: must have at most 5 characters'],
  [['--name'], '--name: needs a value'],
  [['--name', 'Ada', '--nmae', 'x'], '--nmae is unknown; options are --name, --limit, --password-stdin'],
  [['--name', 'Ada', 'Bob'], '“Bob” is unknown'],
])('refuses %j with a reason', (args, message) => {
  expect(() => read(...args)).toThrow(UsageError);
  expect(() => read(...args)).toThrow(message);
});
