import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson } from '@sheaf/data-dir';
import { accountFor, settingsFor } from './running-system';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sheaf-tool-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const services = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'];
const databases = Object.fromEntries(services.map((name) => [name, { url: `postgres://${name}`, owner_url: `postgres://${name}-owner` }]));
const settings = (env: NodeJS.ProcessEnv, asOwner = false) => settingsFor('workspaces', { env, dataDir, asOwner });

it('a command is refused with what to do if no system runs on the data folder', () =>
  expect(settings({})).rejects.toThrow(`No system seems to be running on ${dataDir}. Start one with npm start, or set DATA_DIR.`));

it('an operator’s own database does without a running system', async () =>
  expect(await settings({ WORKSPACES_DATABASE_URL: 'postgres://own' })).toEqual({ DATABASE_URL: 'postgres://own' }));

it('a command that calls the API takes the key of the environment, or of the first start', async () => {
  await expect(accountFor({ SHEAF_KEY: 'shf_own' }, dataDir)).rejects.toThrow('SHEAF_URL: set the address');
  await expect(accountFor({ SHEAF_URL: 'https://forms.example.org' }, dataDir)).rejects.toThrow('SHEAF_KEY: set a key');
  expect(await accountFor({ SHEAF_URL: 'https://forms.example.org', SHEAF_KEY: 'shf_own' }, dataDir)).toEqual({
    url: 'https://forms.example.org',
    key: 'shf_own',
  });
  await mkdir(join(dataDir, 'run'));
  await writeJson(join(dataDir, 'run/system.json'), { base_url: 'http://localhost:1/api/v1', health: {}, nats_url: '', databases });
  await expect(accountFor({}, dataDir)).rejects.toThrow('has no key. Set SHEAF_URL and SHEAF_KEY');
  await writeJson(join(dataDir, 'credentials.json'), { api_key: 'shf_first' });
  expect(await accountFor({}, dataDir)).toEqual({ url: 'http://localhost:1/api/v1', key: 'shf_first' });
});

it('a command takes the addresses of the running system, and a migration those of the owners', async () => {
  await mkdir(join(dataDir, 'run'));
  await writeJson(join(dataDir, 'run/system.json'), {
    base_url: 'http://localhost:1/api/v1',
    health: {},
    nats_url: 'nats://here',
    databases,
  });
  expect(await settings({})).toEqual({ DATABASE_URL: 'postgres://workspaces', NATS_URL: 'nats://here' });
  expect(await settings({}, true)).toMatchObject({ DATABASE_URL: 'postgres://workspaces-owner' });
});
