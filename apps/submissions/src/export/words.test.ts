import { exportWords } from './words';

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
