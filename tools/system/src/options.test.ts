import { readOptions } from './options';

it('has a usable default for everything', () => {
  expect(readOptions({}, '/repo')).toEqual({ port: 8080, dataDir: '/repo/.data', logLevel: 'info', databaseUrl: undefined, natsUrl: undefined, env: {} });
});

it('takes a variable that is set to nothing as not set, and an absolute DATA_DIR as it is', () => {
  expect(readOptions({ PORT: '', DATA_DIR: '/srv/sheaf', DATABASE_URL: '' }, '/repo')).toMatchObject({ port: 8080, dataDir: '/srv/sheaf', databaseUrl: undefined });
});

it('names all that is wrong at once, and quotes no value', () => {
  const read = () => readOptions({ PORT: 'eighty', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:secret@db' }, '/repo');
  expect(read).toThrow(/PORT must be a port number\.\nLOG_LEVEL must be .*\nDATABASE_URL must be a postgres:/);
  expect(read).not.toThrow(/secret/);
});
