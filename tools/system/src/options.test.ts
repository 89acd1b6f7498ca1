import { asksForHelp, help, readOptions } from './options';

it('has a usable default for everything', () => {
  expect(readOptions({}, '/repo')).toEqual({
    port: 8080,
    dataDir: '/repo/.data',
    logLevel: 'info',
    databaseUrl: undefined,
    natsUrl: undefined,
    sampleForm: true,
    oneProcess: false,
    bindHost: '127.0.0.1',
    signInLink: undefined,
    publicUrl: undefined,
    operatorCommand: 'npm run sheaf --',
    env: {},
  });
});

it('treats an empty variable as unset, and keeps an absolute DATA_DIR', () => {
  expect(readOptions({ PORT: '', DATA_DIR: '/srv/sheaf', DATABASE_URL: '' }, '/repo')).toMatchObject({
    port: 8080,
    dataDir: '/srv/sheaf',
    databaseUrl: undefined,
  });
});

it('reports all faults at once and quotes no value', () => {
  const read = () => readOptions({ PORT: 'eighty', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:secret@db' }, '/repo');
  expect(read).toThrow(/PORT must be a port number\.\nLOG_LEVEL must be .*\nDATABASE_URL must be a postgres:/);
  expect(read).not.toThrow(/secret/);
});

it('describes every variable in its help and accepts no other argument', () => {
  expect(asksForHelp([])).toBe(false);
  expect(asksForHelp(['--help'])).toBe(true);
  expect(asksForHelp(['-h'])).toBe(true);
  expect(() => asksForHelp(['--port', '8081'])).toThrow('Unknown argument --port. Settings are variables');
  for (const name of ['PORT', 'DATA_DIR', 'LOG_LEVEL', 'DATABASE_URL', 'NATS_URL', 'SAMPLE_FORM', 'PROCESSES', 'BIND_HOST', 'SIGN_IN_LINK'])
    expect(help).toContain(`\n  ${name} `);
});
