import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, root } from './repository';
import { vagueSentences } from './sentences';

const inCode = (text: string) => vagueSentences({ path: 'a.ts', text });
const inPage = (text: string) => vagueSentences({ path: 'a.md', text });

it.each([
  ['// What is missing is added.', 'a.ts:1: What is missing is added.'],
  ['const a = 1; // Who asks waits.', 'a.ts:1: Who asks waits.'],
  ['/** It waits. Whoever asks is told. */', 'a.ts:1: Whoever asks is told.'],
  ['/**\n * It waits (long). Where none\n * runs, it stays.\n */', 'a.ts:2: Where none runs, it stays.'],
  ["it('what was sent stays', () => {});", 'a.ts:1: What was sent stays'],
])('finds a sentence that does not begin with its subject: %s', (text, found) => {
  expect(inCode(text)).toEqual([found]);
});

it.each(['## What is signed', '| Attack | Somebody reads it |', '- **What takes long** runs at night.', 'It waits. Nobody\nneeds it.'])(
  'finds it in a page: %s',
  (text) => {
    expect(inPage(text)).toHaveLength(1);
  },
);

it.each([
  '// What is it? It is a form.',
  '// It adds what is missing.',
  "const label = 'Who comes, and when';",
  "it('whose end is not known', () => {});",
  "it('who are removed', () => {});",
])('lets others be: %s', (text) => {
  expect(inCode(text)).toEqual([]);
});

it.each(['## What is Sheaf?', '```\nWhat is here is code.\n```', '| What | Where |', 'It says *Who comes*.'])(
  'lets others be in a page: %s',
  (text) => {
    expect(inPage(text)).toEqual([]);
  },
);

it('every comment, test and page begins its sentences with their subject', () => {
  const files = [...filesBelow('')].filter(
    (path) => /\.(?:[cm]?[jt]sx?|css|proto|md|ya?ml|sh|conf|toml)$|ignore$|file$/.test(path) && !path.endsWith('sentences.test.ts'),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap((path) => vagueSentences({ path, text: readFileSync(join(root, path), 'utf8') }))).toEqual([]);
});
