import type { FormItem } from '@sheaf/contracts';
import { translated } from './translated';

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

it('adds a translation and leaves the others as they are', () => {
  expect(translated(colour, 'de', 'options.blue', 'Blau')).toEqual({ de: { label: 'Farbe', options: { red: 'Rot', blue: 'Blau' } } });
  expect(translated(colour, 'fr', 'help', 'Préférée')).toEqual({ de: colour.translations?.de, fr: { help: 'Préférée' } });
});

it('translates messages', () => {
  expect(translated(colour, 'de', 'messages.required', 'Welche?')?.de).toEqual({
    ...colour.translations?.de,
    messages: { required: 'Welche?' },
  });
});

it('leaves nothing behind when the last translation is emptied', () => {
  const item = { ...colour, translations: { de: { options: { red: 'Rot' } } } };
  expect(translated(item, 'de', 'options.red', '')).toBeUndefined();
});
