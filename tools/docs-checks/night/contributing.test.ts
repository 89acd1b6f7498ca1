import { CopiedTree } from '../src/copied-tree';
import { consoleLanguage, definition, doors, formLanguage, names, places, table, type Step } from '../src/contributing-steps';

/** All of this takes half a minute of a processor, and ten times as long on the busiest machine. */
const hangMs = 1_200_000;

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
