import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { languages } from './words/language';
import { account as german } from './words/languages/de';
import { account, insights } from './words/languages/en';

/** The entry of a built file in Vite's manifest: the files that it always loads, and those that it loads once they are needed. */
interface Built {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
}

let folder: string;
let manifest: Record<string, Built>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-console-'));
  execFileSync(process.execPath, [join(__dirname, '../../../tools/build/console.mjs'), folder], { stdio: 'ignore' });
  manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as typeof manifest;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files that these and everything that they always load are made of. */
function filesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const built = manifest[name];
    if (!built || found.has(built.file)) continue;
    found.add(built.file);
    filesOf(built.imports ?? [], found);
  }
  return found;
}

/** The words that a page opens with, by its file, as `router.tsx` has them. */
const wordsOf = new Map(
  [...readFileSync(join(__dirname, 'router.tsx'), 'utf8').matchAll(/withWords\(\s*\[([^\]]*)\],\s*\(\) =>\s*import\('\.\/([^']+)'\)/g)].map(
    ([, parts = '', file = '']) => [`src/${file}.tsx`, [...parts.matchAll(/\w+/g)].map(([part]) => part)],
  ),
);

/** The file of each part of the words of a language. */
const filesOfWords = (language: string, parts: readonly string[] = []): Set<string> =>
  filesOf(parts.map((part) => `src/words/languages/${language}.ts?${part}`));

const weightOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);

it.each(languages)('loads at most 200 kB of JavaScript until the list of forms is there: %s', (language) => {
  const page = 'src/forms/forms-page.tsx';
  expect(Object.keys(manifest)).toContain(page);
  const words = filesOfWords(language, ['everywhere', ...(wordsOf.get(page) ?? [])]);
  expect(words.size).toBeGreaterThan(1);
  expect(weightOf(new Set([...filesOf(['index.html', page]), ...words]))).toBeLessThan(200_000);
});

it.each(languages)('loads at most 150 kB more for each further route, and for whatever is opened on one: %s', (language) => {
  const start = filesOf(['index.html']);
  const further = Object.keys(manifest).filter((name) => name !== 'index.html');
  const heavy = further
    .map((name) => {
      const files = new Set([...filesOf([name]), ...filesOfWords(language, wordsOf.get(name))]);
      return { name, weight: weightOf([...files].filter((file) => !start.has(file) && file.endsWith('.js'))) };
    })
    .filter(({ weight }) => weight > 150_000);
  expect(heavy).toEqual([]);
});

it('loads the words of a page in one language, and of its own part only', () => {
  const [file = ''] = filesOfWords('en', ['account']);
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(account.keyOnceHelp);
  expect(text).not.toContain(german.keyOnceHelp);
  expect(text).not.toContain(insights.notPublishedHelp);
  const code = [...filesOf(['index.html', ...wordsOf.keys()])].filter((each) => each.endsWith('.js'));
  const withWords = code.filter((each) => readFileSync(join(folder, each), 'utf8').includes(account.keyOnceHelp));
  expect(withWords).toEqual([]);
});
