import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What Vite says of a file that it built: the files that it always loads, and those that it loads once they are needed. */
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

const weightOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);

it('loads at most 200 kB of JavaScript until the list of forms is there', () => {
  expect(Object.keys(manifest)).toContain('src/forms/forms-page.tsx');
  expect(weightOf(filesOf(['index.html', 'src/forms/forms-page.tsx']))).toBeLessThan(200_000);
});

it('loads at most 150 kB more for each further route, and for whatever is opened on one', () => {
  const start = filesOf(['index.html']);
  const further = Object.entries(manifest).filter(([name]) => name !== 'index.html');
  const heavy = further
    .map(([name]) => ({ name, weight: weightOf([...filesOf([name])].filter((file) => !start.has(file) && file.endsWith('.js'))) }))
    .filter(({ weight }) => weight > 150_000);
  expect(heavy).toEqual([]);
});
