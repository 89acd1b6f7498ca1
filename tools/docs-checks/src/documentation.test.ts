import { brokenCommands } from './commands';
import { brokenLinks } from './links';
import { linksOf, shellOf } from './markdown';
import { pages, repository, scripts } from './repository';

describe('The documentation', () => {
  it('has no relative link to a missing file or heading', async () => {
    const all = pages();
    const { exists } = await repository();
    expect(all.flatMap(linksOf).length).toBeGreaterThan(40);
    expect(brokenLinks(all, exists)).toEqual([]);
  });

  it('names only commands that exist', async () => {
    const all = pages();
    expect(all.flatMap(shellOf).filter((code) => /\b(?:npm|npx|node)\b/.test(code)).length).toBeGreaterThan(30);
    expect(brokenCommands(all, await repository())).toEqual([]);
  });
});

it('Every script of package.json starts a file that exists', async () => {
  expect(brokenCommands([scripts()], await repository())).toEqual([]);
});
