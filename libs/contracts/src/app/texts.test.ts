import { countTexts, formTextsOf, textsOf } from './texts';
import type { FormItem } from './draft';

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
const hidden: FormItem = { key: 'source', label: 'Source', type: 'hidden', required: false };
const form = { title: 'Survey', thank_you: { text: 'Thanks' }, translations: { de: { title: 'Umfrage' } } };

it('are each text that the author wrote and respondents read, with its translation', () => {
  expect([colour, hidden].flatMap((item) => textsOf(item, 'de')).map(({ part, translation }) => [part, translation])).toEqual([
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

it('are messages about wrong answers too', () => {
  const named: FormItem = {
    ...{ key: 'name', label: 'Name', type: 'short_text', required: true },
    ...{ messages: { required: 'Who are you?' }, translations: { de: { messages: { required: 'Wer sind Sie?' } } } },
  };
  expect(textsOf(named, 'de')).toContainEqual({ part: 'messages.required', original: 'Who are you?', translation: 'Wer sind Sie?' });
});

it('are the title and the text of an ending too', () => {
  const ending = {
    type: 'ending',
    name: 'a',
    if: { key: 'a', answered: true },
    title: 'Yes',
    text: 'See you',
    translations: { de: { title: 'Ja' } },
  };
  expect(textsOf(ending as FormItem, 'de')).toEqual([
    { part: 'title', original: 'Yes', translation: 'Ja' },
    { part: 'text', original: 'See you', translation: '' },
  ]);
});

it('are counted, and those that are missing in a language', () => {
  expect(countTexts(form, [colour], 'de')).toEqual({ all: 6, missing: 3 });
  expect(countTexts(form, [colour], 'fr')).toEqual({ all: 6, missing: 6 });
});
