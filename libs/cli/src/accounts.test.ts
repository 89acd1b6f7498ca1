import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFor, accountsFile, forgetAccounts, keepAccount, readAccounts } from './accounts';

const [one, other] = ['https://one.example', 'https://other.example'];
let environment: { XDG_CONFIG_HOME: string };
beforeEach(async () => {
  environment = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'sheaf-accounts-')) };
});
afterEach(() => rm(environment.XDG_CONFIG_HOME, { recursive: true, force: true }));

const account = (options: { url?: string } = {}, variables: Record<string, string> = {}) =>
  accountFor({ ...environment, ...variables }, options, 'sheaf');

it('commands use the account of the last login, or the one that is named', async () => {
  await keepAccount(environment, { url: one, key: 'shf_1' });
  await keepAccount(environment, { url: other, key: 'shf_2', allowHttp: true });
  expect(await account()).toEqual({ url: other, key: 'shf_2', allowHttp: true });
  expect(await account({ url: `${one}/api/v1/` })).toMatchObject({ url: one, key: 'shf_1' });
  expect(await account({}, { SHEAF_URL: one })).toMatchObject({ url: one, key: 'shf_1' });
  await expect(account({ url: 'https://third.example' })).rejects.toThrow('sheaf login --url https://third.example');
});

it('the key of the environment is for the address beside it only', async () => {
  const variables = { SHEAF_URL: one, SHEAF_KEY: 'shf_env' };
  expect(await account({}, variables)).toMatchObject({ url: one, key: 'shf_env' });
  expect(await account({ url: one }, { SHEAF_KEY: 'shf_env' })).toMatchObject({ url: one, key: 'shf_env' });
  await keepAccount(environment, { url: other, key: 'shf_2' });
  expect(await account({ url: other }, variables)).toMatchObject({ url: other, key: 'shf_2' });
  await expect(account({}, { SHEAF_KEY: 'shf_env' })).rejects.toThrow('SHEAF_URL: set the address');
});

it('a logout forgets one account, and the other one is used from then on', async () => {
  await keepAccount(environment, { url: one, key: 'shf_1' });
  await keepAccount(environment, { url: other, key: 'shf_2' });
  expect(await forgetAccounts(environment, {})).toEqual([other]);
  expect(await account()).toMatchObject({ url: one });
  expect(await forgetAccounts(environment, { url: other })).toEqual([]);
  expect(await forgetAccounts(environment, { all: true })).toEqual([one]);
  await expect(stat(accountsFile(environment))).rejects.toThrow('ENOENT');
});

it('a file that others can read, or that has no logins, is refused', async () => {
  await keepAccount(environment, { url: one, key: 'shf_1' });
  const file = accountsFile(environment);
  await chmod(file, 0o644);
  await expect(readAccounts(environment)).rejects.toThrow(`chmod 600 ${file}`);
  await chmod(file, 0o600);
  for (const text of ['', '[]', '{ "accounts": { "https://one.example": 1 } }']) {
    await writeFile(file, text);
    await expect(account()).rejects.toThrow('is not a list of logins');
  }
});

it('an account is found under no name that every object has', async () => {
  await keepAccount(environment, { url: one, key: 'shf_1' });
  expect('constructor' in (await readAccounts(environment)).accounts).toBe(false);
});
