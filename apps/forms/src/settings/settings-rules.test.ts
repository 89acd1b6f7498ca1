import { settingsFaults } from './settings-rules';

const keys = (...given: Parameters<typeof settingsFaults>) => settingsFaults(...given).map(({ key }) => key);

describe('the languages of a form', () => {
  it('have the default language among them', () => {
    expect(settingsFaults({ languages: ['en', 'fr'], default_language: 'de' })).toEqual([
      { key: 'default_language', message: 'must be one of languages (en, fr)' },
    ]);
    expect(keys({ languages: ['en', 'de'], default_language: 'de' })).toEqual([]);
    expect(keys({ default_language: 'de' })).toEqual([]);
  });

  it('are the only ones with translations', () => {
    expect(settingsFaults({ languages: ['en', 'fr'], translations: { fr: {}, de: { title: 'Besuch' } } })).toEqual([
      { key: 'translations.de', message: 'must be one of the languages that the form offers' },
    ]);
    expect(keys({ translations: { fr: {} } })).toEqual(['translations.fr']);
    expect(keys({ default_language: 'fr', translations: { fr: {} } })).toEqual([]);
  });
});

describe('the colours of a theme', () => {
  it.each([
    ['are readable without a theme', {}, []],
    ['may be a dark accent', { accent: '#7f1d1d' }, []],
    ['may be a light background', { background: '#fef3c7' }, []],
    [
      'include no accent that is hard to read on the background',
      { accent: '#f59e0b' },
      ['theme.accent: has a contrast of 2.14:1 with the background #ffffff; it needs at least 4.5:1'],
    ],
    [
      'include no accent that just misses the minimum',
      { accent: '#777777' },
      ['theme.accent: has a contrast of 4.47:1 with the background #ffffff; it needs at least 4.5:1'],
    ],
    [
      'include no accent on which white text is hard to read',
      { accent: '#808080', background: '#fffbeb' },
      [
        'theme.accent: has a contrast of 3.94:1 with the text on buttons #ffffff; it needs at least 4.5:1',
        'theme.accent: has a contrast of 3.80:1 with the background #fffbeb; it needs at least 4.5:1',
      ],
    ],
    [
      'include no dark background',
      { background: '#404040', accent: '#000000' },
      [
        'theme.background: has a contrast of 1.63:1 with the text #1a1d21; it needs at least 4.5:1',
        'theme.accent: has a contrast of 2.02:1 with the background #404040; it needs at least 4.5:1',
      ],
    ],
    [
      'include no background on which the usual accent is hard to read',
      { background: '#93c5fd' },
      ['theme.background: has a contrast of 3.71:1 with the accent #1d4ed8; it needs at least 4.5:1'],
    ],
  ])('%s', (_, theme, faults) => {
    expect(settingsFaults({ theme }).map(({ key, message }) => `${key}: ${message}`)).toEqual(faults);
  });
});
