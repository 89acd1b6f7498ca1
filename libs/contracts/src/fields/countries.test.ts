import { countryCodes, countryName, countryOptions, languageOfCountries } from './countries';

/** What `Intl` has a name for and is no country of ISO 3166-1: other areas, and codes that the standard only reserves. */
const others = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ');

test('the countries are those that Intl knows now, each once', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const known = letters
    .flatMap((first) => letters.map((second) => first + second))
    // A code of former times stands for the one of today.
    .filter((code) => names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code);
  expect(countryCodes).toEqual(known.filter((code) => !others.includes(code)));
  expect(countryCodes).toHaveLength(250);
});

test('countries are in the order of the reader’s language', () => {
  const labels = (language: string) => countryOptions({ only: ['ZA', 'AT', 'DE', 'SE'] }, language).map(({ label }) => label);
  expect(labels('en')).toEqual(['Austria', 'Germany', 'South Africa', 'Sweden']);
  expect(labels('de')).toEqual(['Deutschland', 'Österreich', 'Schweden', 'Südafrika']);
  expect(labels('sv')).toEqual(['Sverige', 'Sydafrika', 'Tyskland', 'Österrike']);
});

test('preferred countries come first in their author’s order, and only once', () => {
  const options = countryOptions({ preferred: ['SE', 'AT'] }, 'en');
  expect(options.slice(0, 3).map(({ value }) => value)).toEqual(['SE', 'AT', 'AF']);
  expect(options).toHaveLength(250);
});

test('names are in English where there are no others, whatever the language of the process', () => {
  expect(countryName('tlh', 'DE')).toBe('Germany');
  expect(languageOfCountries('tlh')).toBe('en');
  expect(languageOfCountries('de-AT')).toBe('de-AT');
});

test('a code that is none has no name', () => {
  expect(countryName('en', 'constructor')).toBe('constructor');
  expect(countryName('en', 'QQ')).toBe('QQ');
});
