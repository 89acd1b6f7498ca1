import { newDataDir, removeDataDir, System } from '@sheaf/testing';
import { createInstance } from '../../support/instances';
import { sheaf, sheafJson } from '../../support/operator';

// Its own system: a second instance would take the hosts of the shared one away, on which all other tests depend.

let dataDir: string;
let system: System;
const runForJson = <T = Record<string, string>>(...args: string[]) => sheafJson<T>(dataDir, ...args);

beforeAll(async () => {
  dataDir = await newDataDir();
  system = await System.start(dataDir, { SERVICE_DOMAIN: 'sheaf.test' });
});
afterAll(async () => {
  await system.stop();
  await removeDataDir(dataDir);
});

it('the operator erases an instance with everything that belongs to it', async () => {
  const slug = 'erased';
  await createInstance(dataDir, { slug });
  const named = async () => (await runForJson<{ data: { name: string }[] }>('instances', 'list')).data.map(({ name }) => name);
  expect(await named()).toContain(slug);
  expect(await runForJson('instances', 'erase', slug, '--yes')).toEqual({ workspaces: 1, people: 1, service_accounts: 0 });
  expect(await named()).not.toContain(slug);
  expect(await sheaf(dataDir, ['instances', 'erase', slug, '--yes'])).toMatchObject({ code: 1 });
});

it('the operator decides how long the forms of an instance keep submissions', async () => {
  await createInstance(dataDir, { slug: 'kept' });
  const retention = (...changes: string[]) => runForJson<Record<string, unknown>>('instances', 'retention', 'kept', ...changes);
  expect(await retention('--trash-days', '30', '--files-days', '90', '--yes')).toMatchObject({ trash_days: 30, files_days: 90 });
  await retention('--trash-days', 'never', '--yes');
  expect(await retention()).toMatchObject({ trash_days: null, submissions_days: null, files_days: 90 });
});
