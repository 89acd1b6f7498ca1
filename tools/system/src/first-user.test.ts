import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataPaths } from '@sheaf/data-dir';
import { seedFirstUser } from './first-user';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-first-user-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const credentials = {
  base_url: 'http://localhost:8080/api/v1',
  api_key: 'key',
  workspace_id: 'workspace',
  user: { id: 'user', email: 'owner@sheaf.example', password: 'not told twice' },
};

it('keeps everything in the credentials when the address changes', async () => {
  const paths = dataPaths(folder);
  await writeFile(paths.credentials, JSON.stringify(credentials));
  const seed = (url: string) =>
    seedFirstUser({ paths, url, wantsLink: false, run: () => Promise.resolve(), onFirstStart: () => Promise.resolve() });
  const moved = 'http://localhost:9090/api/v1';
  expect(await seed(moved)).toEqual({ apiKey: 'key', email: 'owner@sheaf.example', signInLink: undefined });
  expect(JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'))).toEqual({ ...credentials, base_url: moved });
});
