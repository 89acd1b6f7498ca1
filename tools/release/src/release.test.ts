import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { sectionOf } from './changelog';
import { isVersion } from './check';
import { release } from './main';
import { disagreements, versionOf } from './places';

const root = join(__dirname, '../../..');
const services = apps.map((app) => `deploy/services/${app}/version/kustomization.yaml`);

/** A copy of the files that tell the version, at 0.1.0, with this changelog. */
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-release-'));
  for (const file of ['package.json', 'package-lock.json', 'deploy/compose.yaml', 'deploy/chart/Chart.yaml', ...services]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Added\n\n- A door.\n');
  await run('raise', '0.7.0');
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n## 0.7.0 - 2026-11-26\n\n### Added\n\n- A door.\n\n## 0.6.0 - 2026-01-02\n\n- A wall.\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const edit = (file: string, from: string, to: string) => write(file, read(file).replace(from, to));
const run = (...args: string[]) => release(folder, args, new Date('2026-12-24T12:00:00Z'));
const refusal = (text: string) => ({ text, code: 1 });

it('this tree tells one version everywhere', () => {
  expect(disagreements(root)).toEqual([]);
  expect(isVersion(versionOf(root))).toBe(true);
});

it('this tree has a section for its version in the changelog', () => {
  expect(sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), versionOf(root))?.text).toMatch(/^### /m);
});

it('a tag with its version, its section and nothing unreleased may be released', async () => {
  expect(await run('check', 'v0.7.0')).toEqual({ text: 'v0.7.0 may be released.', code: 0 });
});

it.each([
  ['the tag names another version', () => undefined, 'v0.7.1', 'The tag is v0.7.1, but package.json says 0.7.0.'],
  ['the tag lacks its v', () => undefined, '0.7.0', 'The tag is 0.7.0, but package.json says 0.7.0.'],
  [
    'a service has another version',
    () => edit('deploy/services/forms/version/kustomization.yaml', '0.7.0', '0.6.9'),
    'v0.7.0',
    'deploy/services/forms/version/kustomization.yaml says 0.6.9.',
  ],
  [
    'Compose runs another version',
    () => edit('deploy/compose.yaml', '_VERSION:-0.7.0', '_VERSION:-0.6.0'),
    'v0.7.0',
    'deploy/compose.yaml says 0.6.0.',
  ],
  [
    'the lock file was forgotten',
    () => edit('package-lock.json', '"version": "0.7.0"', '"version": "0.6.0"'),
    'v0.7.0',
    'package-lock.json says 0.6.0.',
  ],
  ['a file tells no version', () => write('deploy/compose.yaml', 'services: {}\n'), 'v0.7.0', 'deploy/compose.yaml tells no version.'],
  [
    'the changelog has no section',
    () => edit('CHANGELOG.md', '## 0.7.0 -', '## 0.7.1 -'),
    'v0.7.0',
    'CHANGELOG.md has no section "## 0.7.0 - <date>".',
  ],
  ['the section is empty', () => edit('CHANGELOG.md', '### Added\n\n- A door.\n', ''), 'v0.7.0', 'CHANGELOG.md says nothing about 0.7.0.'],
  [
    'the day is none',
    () => edit('CHANGELOG.md', '2026-11-26', '2026-02-30'),
    'v0.7.0',
    'CHANGELOG.md: 2026-02-30 is not a day such as 2026-11-26.',
  ],
  [
    'an entry is still unreleased',
    () => edit('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- A window.\n'),
    'v0.7.0',
    'CHANGELOG.md: what stands under Unreleased would be released without being told.',
  ],
] as [string, () => void, string, string][])('a release is refused if %s', async (_what, change, tag, reason) => {
  change();
  expect(await run('check', tag)).toEqual(refusal(reason));
});

it('raising the version writes it wherever it is told, and moves what is unreleased into its section', async () => {
  edit('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- A window.\n');
  expect(await run('raise', '1.0.0-rc.1')).toMatchObject({ code: 0 });
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe('1.0.0-rc.1');
  expect((JSON.parse(read('package-lock.json')) as { version: string; packages: object }).packages).toMatchObject({
    '': { version: '1.0.0-rc.1' },
  });
  expect(read('deploy/services/hooks/version/kustomization.yaml')).toContain('newTag: 1.0.0-rc.1\n');
  expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n## 1.0.0-rc.1 - 2026-12-24\n\n- A window.\n\n## 0.7.0 - 2026-11-26\n');
  expect(await run('check', 'v1.0.0-rc.1')).toMatchObject({ code: 0 });
});

it('raising changes nothing but the versions', async () => {
  const before = read('package-lock.json');
  await run('raise', '0.8.0');
  expect(read('package-lock.json').replaceAll('"version": "0.8.0"', '"version": "0.7.0"')).toBe(
    before.replaceAll('"version": "0.8.0"', '"version": "0.7.0"'),
  );
  expect(read('deploy/compose.yaml').replaceAll('0.8.0', '0.7.0')).not.toContain('0.8.0');
});

it.each([['v1.0.0'], ['1.0'], ['01.0.0'], ['1.0.0+build'], ['latest'], ['']])('%j is not a version', async (text) => {
  expect(isVersion(text)).toBe(false);
  expect((await run('raise', text)).code).toBeGreaterThan(0);
});

it('a version is not released twice', async () => {
  expect(await run('raise', '0.6.0')).toEqual(refusal('CHANGELOG.md has a section for 0.6.0 already.'));
});

it('the notes of a release are its section alone', async () => {
  expect(await run('notes')).toEqual({ text: '### Added\n\n- A door.', code: 0 });
});

it.each([[[]], [['nonsense']], [['check']], [['offline']]])('%j prints the help', async (args) => {
  expect(await run(...args)).toMatchObject({ code: 2, text: expect.stringMatching(/^node tools\/release/) as string });
});
