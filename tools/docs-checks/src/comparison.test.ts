import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow, root } from './repository';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const text = read('docs/COMPARISON.md');

/** A feature, what Sheaf has of it, and what each peer has. */
const rows = text
  .split('\n')
  .filter((line) => /^\| [^|]/.test(line) && !line.startsWith('| | '))
  .map((line) => line.slice(2, -2).split(' | '));
const shown = /^\[(?:yes|partly)\]\(\.\.\/([\w./-]+\.test\.ts) "([^"]+)"\)/;
const tests = rows.flatMap(([, sheaf = '']) => {
  const [, file = '', words = ''] = shown.exec(sheaf) ?? [];
  return file === '' ? [] : [{ file, words }];
});

it('says in each row what Sheaf and six peers have', () => {
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((row) => row.length !== 8)).toEqual([]);
});

it('names for each yes of Sheaf the test that shows it, and for each partly what there is', () => {
  const isTold = (sheaf: string) =>
    sheaf === 'no' || (sheaf.startsWith('[yes]') ? shown.test(sheaf) : /^(?:partly|\[partly\]\([^)]+\)): .{10}/.test(sheaf));
  expect(rows.filter(([, sheaf = '']) => !isTold(sheaf)).map(([feature]) => feature)).toEqual([]);
});

it.each(tests)('names an existing test: $file › $words', ({ file, words }) => {
  expect(read(file)).toContain(words);
});

it('has a source for what it says of a peer, and says where none was found', () => {
  const sources = new Set([...text.matchAll(/^\[([\w-]+)\]: https?:\/\/\S+$/gm)].map(([, name = '']) => name));
  const said = rows.flatMap(([feature = '', , ...peers]) => peers.map((cell) => ({ feature, cell })));
  const cited = said.map(({ cell }) => /^\[(?:yes|partly(?=\]\[[\w-]+\]: )|no)\]\[([\w-]+)\](?:: .+)?$/.exec(cell)?.[1]);
  expect(said.filter(({ cell }, at) => cell !== 'not found' && !sources.has(cited[at] ?? ''))).toEqual([]);
  expect([...sources].filter((name) => !cited.includes(name))).toEqual([]);
});

it('is under the MIT license, all of it', () => {
  const licenses = [...filesBelow('')].filter((path) => basename(path) === 'LICENSE');
  expect(licenses).toContain('LICENSE');
  expect(licenses.filter((path) => !read(path).startsWith('MIT License\n'))).toEqual([]);
});
