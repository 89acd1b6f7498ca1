import { brokenCommands } from './commands';
import { brokenLinks } from './links';
import { linksOf, pathsOf, shellOf } from './markdown';
import { foldersOf, pages, repository, scripts } from './repository';

describe('The documentation', () => {
  it('has no relative link to a missing file or heading', async () => {
    const all = pages();
    const { exists } = await repository();
    expect(all.flatMap(linksOf).length).toBeGreaterThan(40);
    expect(brokenLinks(all, exists)).toEqual([]);
  });

  it('names only files and folders that exist', async () => {
    const { exists } = await repository();
    // Operators write this one.
    const named = pages()
      .flatMap((page) => pathsOf(page).map((path) => ({ page: page.path, path })))
      .filter(({ path }) => path !== 'deploy/.env');
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ path }) => !exists(path))).toEqual([]);
  });

  it.each([
    ...['gateway', 'forms', 'hooks', 'submissions', 'workspaces', 'delivery'].map((app) => ['README.md', `apps/${app}/src`]),
    ['README.md', 'libs'],
    ['README.md', 'tools'],
    ['docs/contributing/console.md', 'apps/console/src'],
  ])('says in %s what each folder of %s is for', (path = '', folder = '') => {
    const text = pages().find((page) => page.path === path)?.text ?? '';
    const row = text.split('\n').find((line) => line.startsWith(`| \`${folder}/\``)) ?? text;
    expect(foldersOf(folder).filter((name) => name !== 'migrations' && !row.includes(`\`${name}\``))).toEqual([]);
  });

  it('names only commands that exist', async () => {
    const all = pages();
    expect(all.flatMap(shellOf).filter((code) => /\b(?:npm|npx|node)\b/.test(code)).length).toBeGreaterThan(30);
    expect(brokenCommands(all, await repository())).toEqual([]);
  });

  it('lists every decision in its index', () => {
    const all = pages();
    const decisions = all.map(({ path }) => /^docs\/decisions\/(\d{4}-.*\.md)$/.exec(path)?.[1]).filter((name) => name !== undefined);
    const index = all.find(({ path }) => path === 'docs/decisions/README.md');
    const listed = index ? linksOf(index).filter((target) => /^\d{4}-/.test(target)) : [];
    expect(listed).toEqual(decisions.sort());
    expect(decisions.map((name) => Number(name.slice(0, 4)))).toEqual(decisions.map((_, position) => position + 1));
  });
});

it('every script of package.json starts a file that exists', async () => {
  expect(brokenCommands([scripts()], await repository())).toEqual([]);
});
