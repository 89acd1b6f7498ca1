import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assetNames } from './assets';
import { render } from './render';
import { itemsOf, questions, shownItem } from './sample-views';

const root = join(__dirname, '../../..');
let folder: string;
let manifest: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-page-assets-'));
  execFileSync(process.execPath, [join(root, 'tools/build/page-assets.mjs'), join(folder, 'assets')], { cwd: root });
  manifest = JSON.parse(readFileSync(join(folder, 'assets/manifest.json'), 'utf8')) as Record<string, string>;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): Buffer => readFileSync(join(folder, 'assets', manifest[name] ?? name));
const weightOf = (...parts: (string | Buffer)[]): number => parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);

test('the assets have names with a hash of their content', () => {
  expect(Object.keys(manifest).sort()).toEqual([...Object.values(assetNames), 'embed.js'].sort());
  for (const [name, hashed] of Object.entries(manifest)) expect(hashed).toMatch(new RegExp(`^${name.replace('.', '\\.[0-9a-f]{10}\\.')}$`));
});

test('a page with twenty questions and its style sheet weigh at most 25 kB', () => {
  const types = ['short_text', 'email', 'long_text', 'select', 'multi_select', 'date', 'rating', 'boolean', 'file', 'number'];
  const items = itemsOf(
    ...[...types, ...types].map((type, index) => ({
      key: `field_${index}`,
      type,
      label: `Question number ${index} about something that differs`,
      help: `Some help for the question with the number ${index}.`,
      ...(type.includes('select')
        ? { options: Array.from({ length: 7 }, (_, at) => ({ value: `v${at}`, label: `Option ${at} of ${index}` })) }
        : {}),
      ...(type === 'long_text' ? { max_length: 500 } : {}),
    })),
  );
  const html = render(questions({ language: 'de', items: items.map((item, index) => shownItem(item, index)) }));
  expect(weightOf(html, read('form.css'))).toBeLessThan(25_000);
});

test('the scripts of a page weigh at most 4.5 KiB, those for conditions 4.25 KiB, those that also calculate 9 KiB, those for long lists 2 KiB, and that of other sites not much more than what it needs', () => {
  expect(weightOf(read('page.js'), read('proof.js'))).toBeLessThanOrEqual(4.5 * 1024);
  expect(weightOf(read('conditions.js'))).toBeLessThanOrEqual(4.25 * 1024);
  expect(weightOf(read('formulas.js'))).toBeLessThanOrEqual(9 * 1024);
  expect(weightOf(read('search.js'))).toBeLessThanOrEqual(2 * 1024);
  expect(weightOf(read('embed.js'))).toBeLessThan(3_000);
});

test('the script for answers in texts weighs at most 3.75 KiB, on the pages that need it', () => {
  expect(weightOf(read('piping.js'))).toBeLessThanOrEqual(3.75 * 1024);
});

test('the style sheet has logical properties only', () => {
  const css = readFileSync(join(__dirname, 'style/form.css'), 'utf8');
  expect(
    css.match(
      /(?:^|[\s;])(?:(?:margin|padding|border|inset)-(?:left|right|top|bottom)|(?:left|right|top|bottom|width|height|(?:min|max)-(?:width|height)|float))\s*:(?!\s*inline-(?:start|end);)/gm,
    ),
  ).toBeNull();
});
