import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleLanguage, definition, formLanguage, page, places, table } from './contributing-steps';
import { root } from './repository';

// night/contributing.test.ts takes the steps in a copy of the code, and compiles it.

it.each([table, ...places, ...consoleLanguage, ...formLanguage])('finds the place of a step in %s: before %s', (file, before) => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  expect(lines.some((line) => line.trimStart().startsWith(before))).toBe(true);
});

it.each([
  ['question-types.md', [table, ...places].map(([file]) => file)],
  ['languages.md', ['counting.ts', 'languages.ts', 'words/language.ts']],
  ['endpoints.md', [definition, 'server.ts']],
])('names in %s each file that is changed by hand', (name, files) => {
  const paths = [...page(name).matchAll(/`([\w-]+[./][\w./-]*)/g)].map(([, path = '']) => path);
  expect(files.filter((file) => !paths.some((path) => file.startsWith(path)))).toEqual([]);
});

it.each(['question-types.md', 'languages.md', 'endpoints.md'])('keeps %s under one screen', (name) => {
  expect(page(name).split('\n').length).toBeLessThanOrEqual(46);
});

it('costs at most ten files to add a type of question', () => {
  expect(new Set([table, ...places].map(([file]) => file)).size).toBeLessThanOrEqual(10);
});
