import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CopiedTree } from './copied-tree';
import { root } from './repository';

/** All of this takes half a minute of a processor, and ten times as long on the busiest machine. */
const hangMs = 1_200_000;

const page = (name: string): string => readFileSync(join(root, 'docs/contributing', name), 'utf8');

/** A file, the beginning of a line there, and the line that is put before it. */
type Step = readonly [file: string, before: string, line: string];

const names = 'apps/console/src/words/languages';
const [scale = ''] = /^ *scale: \{ answer.*$/m.exec(page('question-types.md')) ?? [];

/** The type of question that docs/contributing/question-types.md adds. */
const table: Step = ['libs/contracts/src/fields/field-kinds.ts', 'rating: {', scale];
const places: readonly Step[] = [
  ['libs/form-view/src/fields/question.tsx', 'integer: {', '  scale: { draw: (control) => <Rating control={control} /> },'],
  ['apps/forms/src/xlsform/questions.ts', 'rating: [', '  scale: [],'],
  ['apps/console/src/builder/model/kinds.ts', 'rating: {', "  scale: { group: 'choice', icon: Star },"],
  ...readdirSync(join(root, names)).flatMap((language): Step[] => [
    [`${names}/${language}`, 'short_text: ', "    scale: 'points',"],
    [`${names}/${language}`, 'ratingHelp: ', "    scale: 'Scale', scaleHelp: 'A point on a line',"],
  ]),
];

/** Swedish, as docs/contributing/languages.md adds a language to the console … */
const consoleLanguage: readonly Step[] = [
  ['apps/console/src/words/language.ts', 'import type { Words }', "import type * as sv from './languages/sv';"],
  ['apps/console/src/words/language.ts', 'en: typeof en;', '  sv: typeof sv;'],
  ['apps/console/src/words/language.ts', "en: 'English',", "  sv: 'Svenska',"],
];
/** … and to the hosted form. */
const formLanguage: readonly Step[] = [
  ['libs/form-view/src/words/counting.ts', 'en: ', "  sv: 'one' | 'other';"],
  ['libs/form-view/src/words/languages.ts', 'import { tr }', "import { sv } from './sv';"],
];

/** The endpoint that docs/contributing/endpoints.md adds, by its generator. */
const definition = 'libs/contracts/src/operations/form-theme-color.ts';
const doors = 'apps/forms/src/server.ts';
const door = /^ *getFormThemeColor: answer\(.*\n/m;

let copy: CopiedTree;
/** The files that do not compile after the first step of each page, and those after all steps. */
let forgotten: readonly string[];
let left: readonly string[];
let document: string;

const take = (steps: readonly Step[]) => {
  for (const step of steps) copy.insert(...step);
};

beforeAll(async () => {
  copy = new CopiedTree();
  take([table]);

  await copy.generate('./tools/generators:endpoint', 'theme-color');
  await copy.run('tools/build/generate-proto.mjs');
  await copy.run('tools/build/generate-rpc.mjs');
  const server = copy.read(doors);
  copy.write(doors, server.replace(door, ''));

  const words = copy.read(`${names}/de.ts`).replace("pluralOf('de')", "pluralOf('sv')");
  copy.write(`${names}/sv.ts`, words.replace(/^ *tryAgain: .*\n/m, ''));
  take(consoleLanguage.slice(0, 2));
  take(formLanguage.slice(0, 1));
  copy.write('libs/form-view/src/words/sv.ts', copy.read('libs/form-view/src/words/en.ts').replace('const en:', 'const sv:'));
  forgotten = await copy.broken('apps/forms/src', 'apps/console/src');

  take(places);
  copy.write(doors, server);
  copy.write(`${names}/sv.ts`, words);
  for (const [, before, line] of places.slice(-2)) copy.insert(`${names}/sv.ts`, before, line);
  take(consoleLanguage.slice(2));
  take(formLanguage.slice(1));
  copy.replace('libs/form-view/src/words/languages.ts', '= { en,', '= { en, sv,');
  await copy.run('tools/build/generate-openapi.mjs');
  await copy.run('tools/build/generate-client.mjs');
  document = copy.read('docs/openapi.json');
  left = await copy.broken('apps/*/src', 'libs/*/src');
}, hangMs);
afterAll(() => copy.remove());

it('shows by the compiler where a type of question, an endpoint or a language is still missing', () => {
  expect(forgotten).toEqual(
    expect.arrayContaining([
      // Without its names in English, a type is in no other language either.
      ...places.map(([file]) => file).filter((file) => !file.startsWith(names)),
      `${names}/en.ts`,
      doors,
      `${names}/sv.ts`,
      'apps/console/src/words/language.ts',
      'libs/form-view/src/words/languages.ts',
    ]),
  );
});

it('adds a type of question, an endpoint and a language by the steps of their pages, and no others', () => {
  expect(left).toEqual([]);
  expect(document).toContain('"/app/v1/forms/{id}/theme-color"');
  expect(document).toContain('"scale"');
});

it('generates an endpoint as it is formatted', async () => {
  const useCase = 'apps/forms/src/form/get-form-theme-color.ts';
  const checked = copy.run('node_modules/oxfmt/bin/oxfmt', '-c', '.prettierrc.json', '--check', useCase, definition, doors);
  await expect(checked).resolves.toContain('All matched files');
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
