import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportWords } from './words';

const languagesOfConsole = join(__dirname, '../../../console/src/words/languages');

it.each(['en', 'de', 'fr', 'es'])('in %s, an export and the console call statuses, yes and no the same', (language) => {
  const console = readFileSync(join(languagesOfConsole, `${language}.ts`), 'utf8');
  const wordOf = (name: string) => new RegExp(`^  ${name}: '(.*)',$`, 'm').exec(console)?.[1];
  const { statuses, yes, no, columns } = exportWords(language);
  expect([yes, no, columns.status, columns.created_at]).toEqual(['yes', 'no', 'column_status', 'column_received'].map(wordOf));
  for (const [status, word] of Object.entries(statuses)) expect([status, word]).toEqual([status, wordOf(`status_${status}`)]);
});

it('a region changes nothing, and a language that has no words gets English ones', () => {
  expect(exportWords('de-AT')).toBe(exportWords('de'));
  expect(exportWords('ja')).toBe(exportWords('en'));
  expect(exportWords('constructor')).toBe(exportWords('en'));
});

it.each(['en', 'de', 'fr', 'es'])('in %s, the names of sheets are such as Excel accepts', (language) => {
  const { sheet, aboutSheet } = exportWords(language);
  for (const name of [sheet, aboutSheet]) expect(name).toMatch(/^[^:\\/?*[\]'<>&]{1,25}$/);
  expect(sheet).not.toBe(aboutSheet);
});
