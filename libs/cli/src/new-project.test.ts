import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languages, versions, writeProject } from './new-project';

const root = join(__dirname, '../../..');
const account = { url: 'https://forms.example.org', key: 'shf_secret' };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-new-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Manifest {
  version: string;
  name: string;
  devDependencies: { '@types/node': string; typescript: string };
}
const manifestIn = async (path: string) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest;

it.each(languages)('a new project in %s has the key in one file, which is its owner’s alone and which git ignores', async (language) => {
  const path = join(folder, 'My Integration');
  await writeProject(path, language, account);
  const files = await readdir(path);
  const withKey = [];
  for (const file of files) if ((await readFile(join(path, file), 'utf8')).includes(account.key)) withKey.push(file);
  expect(withKey).toEqual(['.env']);
  expect((await stat(join(path, '.env'))).mode & 0o777).toBe(0o600);
  expect((await readFile(join(path, '.gitignore'), 'utf8')).split('\n')).toContain('.env');
  expect((await manifestIn(path)).name).toBe('my-integration');
});

it('a folder with something in it stays as it is', async () => {
  await writeFile(join(folder, 'mine.txt'), 'mine');
  await expect(writeProject(folder, 'javascript', account)).rejects.toThrow('is not empty');
  expect(await readdir(folder)).toEqual(['mine.txt']);
});

it('a new project asks for the packages that this repository has', async () => {
  const { devDependencies } = await manifestIn(root);
  const { version } = await manifestIn(join(root, 'libs/client'));
  expect(versions).toEqual({
    '@sheaf/client': `^${version}`,
    '@types/node': devDependencies['@types/node'],
    typescript: `^${devDependencies.typescript}`,
  });
});
