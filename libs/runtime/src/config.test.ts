import { z } from 'zod';
import { ConfigError, flag, json, list, ProcessConfig, readConfig, whole } from './config';

const Shape = z.object({ PORT: whole(1, 10), SECRET: z.string().min(8, 'must have at least 8 characters'), FAST: flag().default(false), HOSTS: list().default([]) });

it('reads typed values and fills in defaults', () => {
  expect(readConfig(Shape, { PORT: '7', SECRET: 'long enough', HOSTS: 'a, b,' })).toEqual({ PORT: 7, SECRET: 'long enough', FAST: false, HOSTS: ['a', 'b'] });
});

it('names all the faults at once and none of the values', () => {
  const read = () => readConfig(Shape, { PORT: '70', SECRET: 'hunter2', FAST: 'yes' });

  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/PORT: must be at most 10\n.*SECRET: must have at least 8 characters\n.*FAST: must be true or false/);
  expect(read).not.toThrow(/hunter2/);
});

it('takes an empty variable for one that is not set', () => {
  expect(() => readConfig(Shape, { PORT: '', SECRET: 'long enough' })).toThrow('PORT: is not set');
});

it('does not quote a broken JSON secret', () => {
  expect(() => readConfig(z.object({ KEY: json(z.object({ d: z.string() })) }), { KEY: '{"d": s3cret' })).toThrow('KEY: must be JSON of the documented shape');
});

it('has defaults for everything that every process shares', () => {
  expect(readConfig(ProcessConfig, {})).toMatchObject({ LOG_LEVEL: 'info', HEALTH_PORT: 9090 });
});
