import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, foldersOf, root } from './repository';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const termsOf = (page: string): string[] => [...page.matchAll(/^\| (?!Term )([A-Z][^|]+) \|/gm)].map(([, term = '']) => term);
const terms = termsOf(read('docs/glossary.md'));

const irregular: Readonly<Record<string, string>> = { people: 'person', planning: 'plan', subscribing: 'subscription' };

/** The beginning that the forms of a word share: `submissions` and `submission`, `erasing` and `erasure`. */
const stemOf = (word: string): string =>
  (irregular[word.toLowerCase()] ?? word.toLowerCase()).replace(/ies$/, 'y').replace(/(?:ings?|ures?|ed|es|e|s)$/, '');
const wordsOf = (name: string): string[] => name.split(/[\s_-]+/).map(stemOf);
const known = new Set(terms.flatMap(wordsOf));
const unknown = (names: readonly string[]) =>
  [...new Set(names)].filter((name) => !technical.has(name) && !wordsOf(name).some((word) => known.has(word)));

/** Names that say how something is stored or made, not what it is. */
const technical = new Set(['apart_count', 'reindex', 'migrations', 'database']);

const code = [...filesBelow('apps'), ...filesBelow('libs')].filter(
  (path) => /\/src\/.*\.(?:ts|tsx)$/.test(path) && !path.endsWith('.test.ts'),
);

it('has no term twice', () => {
  expect(terms.length).toBeGreaterThan(100);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

it('has a term for what each event is about', () => {
  const events = [...read('libs/contracts/src/events.ts').matchAll(/^ {2}'(\w+)\.\w+': \{ source/gm)].map(([, entity = '']) => entity);
  expect(events.length).toBeGreaterThan(15);
  expect(unknown(events)).toEqual([]);
});

it('has a term for each table', () => {
  const tables = code
    .filter((path) => path.includes('/migrations/'))
    .flatMap((path) => [...read(path).matchAll(/create table (\w+)/g)].map(([, table = '']) => table));
  expect(tables.length).toBeGreaterThan(50);
  expect(unknown(tables)).toEqual([]);
});

it('has a term for each room of a service', () => {
  const rooms = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'].flatMap((service) => foldersOf(`apps/${service}/src`));
  expect(rooms.length).toBeGreaterThan(30);
  expect(unknown(rooms)).toEqual([]);
});

it('has no term that the code does not know', () => {
  // This section is about tools and deployments.
  const [before = '', after = ''] = read('docs/glossary.md').split(/^## Running and releasing$[^]*?(?=^## )/m);
  const text = code.map(read).join('\n').toLowerCase();
  const occurs = (term: string) => new RegExp(wordsOf(term).join('\\w*[\\s_-]*')).test(text);
  expect(termsOf(before + after).filter((term) => !occurs(term))).toEqual([]);
});
