import { brokenLinks } from './links';

const exists = (path: string) => ['README.md', 'docs/guide.md', 'docs', 'package.json'].includes(path);
const broken = (path: string, text: string) =>
  brokenLinks(
    [
      { path, text },
      ...(path === 'docs/guide.md' ? [] : [{ path: 'docs/guide.md', text: '# Guide\n\n## Set `it` up: *now*\n\n## Again\n\n## Again\n' }]),
    ],
    exists,
  );

describe('A link in a Markdown page is accepted if it', () => {
  it.each([
    ['leads to a file', 'README.md', '[guide](docs/guide.md)'],
    ['leads to a folder', 'README.md', '[all](docs)'],
    ['leads to a heading with code and punctuation', 'README.md', '[set up](docs/guide.md#set-it-up-now)'],
    ['leads to the second heading of the same text', 'README.md', '[again](docs/guide.md#again-1)'],
    ['leads to a heading of its own page', 'README.md', '# One\n\n[up](#one)'],
    ['climbs to another folder', 'docs/guide.md', '[start](../README.md)'],
    ['leads to another site', 'README.md', '[site](https://example.org/nothing.md)'],
    ['is in a code block or a code span', 'README.md', '```md\n[x](nowhere.md)\n```\n`[x](nowhere.md)`'],
  ])('%s', (_name, path, text) => expect(broken(path, text)).toEqual([]));
});

describe('A link in a Markdown page is reported if it', () => {
  it.each([
    ['leads to no file', 'README.md', '[x](docs/nowhere.md)', 'README.md: docs/nowhere.md: the file does not exist'],
    ['leads to no heading', 'README.md', '[x](docs/guide.md#nothing)', 'README.md: docs/guide.md#nothing: the page has no such heading'],
    ['leads to no heading of its own page', 'README.md', '[x](#nothing)', 'README.md: #nothing: the page has no such heading'],
    [
      'leads to an anchor of a file without headings',
      'README.md',
      '[x](package.json#L3)',
      'README.md: package.json#L3: only Markdown pages have anchors',
    ],
    ['is resolved from its own folder', 'docs/guide.md', '[x](docs/guide.md)', 'docs/guide.md: docs/guide.md: the file does not exist'],
    ['leaves the repository', 'README.md', '[x](../other/README.md)', 'README.md: ../other/README.md: the path leaves the repository'],
    ['is absolute', 'README.md', '[x](/docs/guide.md)', 'README.md: /docs/guide.md: the path is not relative'],
    ['is a reference', 'README.md', '[x][y]\n\n[y]: nowhere.md', 'README.md: nowhere.md: the file does not exist'],
    ['is an image', 'README.md', '![x](nowhere.png)', 'README.md: nowhere.png: the file does not exist'],
    ['has code as its text', 'README.md', '[`code`](nowhere.md)', 'README.md: nowhere.md: the file does not exist'],
  ])('%s', (_name, path, text, fault) => expect(broken(path, text)).toEqual([fault]));
});
