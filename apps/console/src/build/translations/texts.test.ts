import type { FormSettingsDetail } from '@sheaf/client';
import type { FormItem } from '@sheaf/contracts';
import { contentsOf } from '../model/contents';
import { countTexts, formTextsOf, textsOf, translated } from './texts';

const colour: FormItem = {
  key: 'colour',
  label: 'Colour',
  type: 'select',
  required: false,
  help: 'Your favourite',
  options: [
    { value: 'red', label: 'Red' },
    { value: 'blue', label: 'Blue' },
  ],
  translations: { de: { label: 'Farbe', options: { red: 'Rot' } } },
};
const form = {
  title: 'Survey',
  thank_you: { text: 'Thanks' },
  translations: { de: { title: 'Umfrage' } },
} as unknown as FormSettingsDetail;
const contents = contentsOf({ fields: [colour] });

it('finds each text that the author wrote, with its translation', () => {
  expect(contents.entries.flatMap((entry) => textsOf(entry, 'de')).map(({ part, translation }) => [part, translation])).toEqual([
    ['label', 'Farbe'],
    ['help', ''],
    ['options.red', 'Rot'],
    ['options.blue', ''],
  ]);
  expect(formTextsOf(form, 'de').map(({ part, translation }) => [part, translation])).toEqual([
    ['title', 'Umfrage'],
    ['thank_you', ''],
  ]);
});

it('counts what is missing in a language', () => {
  expect(countTexts(form, contents, 'de')).toEqual({ all: 6, missing: 3 });
  expect(countTexts(form, contents, 'fr')).toEqual({ all: 6, missing: 6 });
});

it('adds a translation and leaves the others as they are', () => {
  expect(translated(colour, 'de', 'options.blue', 'Blau')).toEqual({ de: { label: 'Farbe', options: { red: 'Rot', blue: 'Blau' } } });
  expect(translated(colour, 'fr', 'help', 'Préférée')).toEqual({ de: colour.translations?.de, fr: { help: 'Préférée' } });
});

it('leaves nothing behind when the last translation is emptied', () => {
  const item = { ...colour, translations: { de: { options: { red: 'Rot' } } } };
  expect(translated(item, 'de', 'options.red', '')).toBeUndefined();
});
