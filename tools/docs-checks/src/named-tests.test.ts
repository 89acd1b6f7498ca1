import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const referenced = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.test\.ts)` › ([^·|]+)[·|]/g)].map(([, file = '', words = '']) => ({ file, words: words.trimEnd() }));

/** The rows of tables whose last column names the test of a rule. */
function rowsOf(document: string): string[] {
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const heads = lines.flatMap((line, index) => (/\| (?:Held|Shown) by \|$/.test(line) ? [index] : []));
  return heads.flatMap((head) =>
    lines.slice(
      head + 2,
      lines.findIndex((line, index) => index > head && !line.startsWith('|')),
    ),
  );
}

describe.each([
  ['docs/contract-decisions.md', 50],
  ['docs/reliability.md', 15],
  ['docs/security.md', 1],
])('%s', (document, least) => {
  const rows = rowsOf(document);
  const references = referenced(rows.join('\n'));

  it('names a test in each row', () => {
    expect(rows.length).toBeGreaterThan(least);
    expect(rows.filter((row) => referenced(row).length === 0)).toEqual([]);
  });

  it.each(references)('names an existing test: $file › $words', ({ file, words }) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(words);
  });
});
