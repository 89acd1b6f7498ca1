import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, flag, json, list, ProcessConfig, readConfig, whole } from './config';

const Shape = z.object({
  PORT: whole(1, 10),
  SECRET: z.string().min(8, 'must have at least 8 characters'),
  FAST: flag().default(false),
  HOSTS: list().default([]),
});

it('reads typed values and fills in defaults', () => {
  expect(readConfig(Shape, { PORT: '7', SECRET: 'long enough', HOSTS: 'a, b,' })).toEqual({
    PORT: 7,
    SECRET: 'long enough',
    FAST: false,
    HOSTS: ['a', 'b'],
  });
});

it('names all faults at once and no values', () => {
  const read = () => readConfig(Shape, { PORT: '70', SECRET: 'hunter2', FAST: 'yes' });

  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/PORT: must be at most 10\n.*SECRET: must have at least 8 characters\n.*FAST: must be true or false/);
  expect(read).not.toThrow(/hunter2/);
});

it('treats an empty variable as not set', () => {
  expect(() => readConfig(Shape, { PORT: '', SECRET: 'long enough' })).toThrow('PORT: is not set');
});

it('does not quote a broken JSON secret', () => {
  expect(() => readConfig(z.object({ KEY: json(z.object({ d: z.string() })) }), { KEY: '{"d": s3cret' })).toThrow(
    'KEY: must be JSON in the documented format',
  );
});

it('has defaults for all settings that every process shares', () => {
  expect(readConfig(ProcessConfig, {})).toMatchObject({ LOG_LEVEL: 'info', HEALTH_PORT: 9090 });
});

describe('a setting from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('is read without its final newline', () => {
    const read = (text: string) => readConfig(Shape, { PORT: '7', SECRET_FILE: file('secret', text) }).SECRET;
    expect([read('long enough'), read('long enough\n'), read('long enough\r\n')]).toEqual(Array(3).fill('long enough'));
    expect(read(' long enough \n\n')).toBe(' long enough \n');
  });

  it('may be any setting, and is checked like one from the environment', () => {
    const read = () => readConfig(Shape, { PORT_FILE: file('port', '70\n'), SECRET_FILE: file('secret', 'hunter2\n') });
    expect(read).toThrow(/PORT: must be at most 10\n.*SECRET: must have at least 8 characters/);
    expect(read).not.toThrow(/hunter2/);
  });

  it('is refused together with the variable itself, so that nobody rotates the one that is not read', () => {
    const read = () => readConfig(Shape, { PORT: '7', SECRET: 'long enough', SECRET_FILE: file('secret', 'another secret') });
    expect(read).toThrow('SECRET: must not be set together with SECRET_FILE');
    expect(read).not.toThrow(/another|long enough/);
  });

  it('is named along with all other faults when its file is missing or empty', () => {
    expect(() => readConfig(Shape, { PORT: '70', SECRET_FILE: join(folder, 'missing') })).toThrow(
      /SECRET_FILE: the file cannot be read \(ENOENT\)\n.*PORT: must be at most 10/,
    );
    expect(() => readConfig(Shape, { PORT: '7', SECRET_FILE: file('empty', '\n') })).toThrow('SECRET_FILE: the file is empty');
  });

  it('counts as not set when the variable is empty', () => {
    expect(readConfig(Shape, { PORT: '7', SECRET: 'long enough', SECRET_FILE: '' }).SECRET).toBe('long enough');
  });
});
