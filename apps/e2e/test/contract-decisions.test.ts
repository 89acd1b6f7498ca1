import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const document = readFileSync(join(root, 'docs/contract-decisions.md'), 'utf8');
const rows = document.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Decision'));
const references = [...document.matchAll(/`([\w./-]+\.test\.ts)` › ([^·|]+?) *(?=[·|])/g)].map(([, file = '', words = '']) => ({ file, words }));

describe('the document of the decisions', () => {
  it('names a test for each of them', () => {
    expect(rows.filter((row) => !row.includes('.test.ts` › '))).toEqual([]);
    expect(references.length).toBeGreaterThanOrEqual(rows.length);
  });

  it.each(references)('names a test that there is: $file › $words', ({ file, words }) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(words);
  });
});
