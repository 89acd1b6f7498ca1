import { Field, FormCheck, FormElement, FormSettings } from '@sheaf/contracts';
import { localForm, localItem, localMessage } from './localized';

const colour = Field.parse({
  key: 'colour',
  label: 'Farbe',
  type: 'select',
  help: 'Wählen Sie.',
  placeholder: 'Farbe',
  options: [{ value: 'red', label: 'Rot' }, { value: 'constructor', label: 'Grün' }, 'Blau'],
  translations: {
    en: { label: 'Colour', options: { red: 'Red' }, placeholder: '' },
    'pt-PT': { label: 'Cor' },
    'zh-Hant': { label: '顏色' },
  },
});

test('a field is shown in the page’s language, and what is not translated in the author’s, each with its language', () => {
  expect(localItem(colour, 'en', 'de')).toEqual({
    label: { text: 'Colour', lang: 'en' },
    help: { text: 'Wählen Sie.', lang: 'de' },
    placeholder: { text: 'Farbe', lang: 'de' },
    rows: [],
    columns: [],
    ends: {},
    options: [
      { value: 'red', label: { text: 'Red', lang: 'en' } },
      { value: 'constructor', label: { text: 'Grün', lang: 'de' } },
      { value: 'Blau', label: { text: 'Blau', lang: 'de' } },
    ],
    messages: {},
  });
});

test.each([
  ['de', 'Farbe', 'de'],
  ['de-AT', 'Farbe', 'de'],
  ['fr', 'Farbe', 'de'],
  ['en-GB', 'Colour', 'en'],
  ['pt-BR', 'Cor', 'pt-PT'],
  ['zh-TW', '顏色', 'zh-Hant'],
  ['__proto__', 'Farbe', 'de'],
])('readers of %s see the label %s in %s', (language, text, lang) => {
  expect(localItem(colour, language, 'de').label).toEqual({ text, lang });
});

test('a text keeps an unknown language where the author has not said theirs', () => {
  expect(localItem(colour, 'fr', '').label).toEqual({ text: 'Farbe', lang: '' });
  expect(localItem(colour, 'en', '').label).toEqual({ text: 'Colour', lang: 'en' });
});

test('a form in Portuguese is shown as it is to Brazil, although it is translated for Portugal', () => {
  const field = Field.parse({ key: 'a', label: 'Trem', type: 'short_text', translations: { 'pt-PT': { label: 'Comboio' } } });
  expect(localItem(field, 'pt-BR', 'pt').label).toEqual({ text: 'Trem', lang: 'pt' });
  expect(localItem(field, 'pt-PT', 'pt').label).toEqual({ text: 'Comboio', lang: 'pt-PT' });
});

test('a page without a question is translated too, and a missing help stays missing', () => {
  const page = FormElement.parse({ type: 'page', label: 'Seite', translations: { en: { label: 'Page', help: 'Help' } } });
  expect(localItem(page, 'en', 'de')).toEqual({
    label: { text: 'Page', lang: 'en' },
    help: { text: 'Help', lang: 'en' },
    placeholder: undefined,
    options: [],
    rows: [],
    columns: [],
    ends: {},
    messages: {},
  });
  expect(localItem(page, 'de', 'de').help).toBeUndefined();
});

test('the texts of a form are shown in the page’s language as far as they are translated', () => {
  const settings = FormSettings.parse({
    description: 'Beschreibung',
    thank_you: { text: 'Danke' },
    translations: { en: { title: 'Form', thank_you: 'Thanks', closed_message: 'Closed' } },
  });
  expect(localForm({ title: 'Formular', settings, closed_message: 'Geschlossen' }, 'en', 'de')).toEqual({
    title: { text: 'Form', lang: 'en' },
    description: { text: 'Beschreibung', lang: 'de' },
    thankYou: { text: 'Thanks', lang: 'en' },
    closedMessage: { text: 'Closed', lang: 'en' },
  });
  expect(localForm({ title: 'Formular', settings: {} }, 'en', 'de')).toEqual({
    title: { text: 'Formular', lang: 'de' },
    description: undefined,
    thankYou: undefined,
    closedMessage: undefined,
  });
});

test('the message of a check is shown in the page’s language if it is translated', () => {
  const check = FormCheck.parse({
    ...{ type: 'check', if: { key: 'a', answered: true }, message: 'Nein', at: 'a' },
    translations: { en: { message: 'No' } },
  });
  expect(localMessage(check, 'en', 'de')).toEqual({ text: 'No', lang: 'en' });
  expect(localMessage(check, 'fr', 'de')).toEqual({ text: 'Nein', lang: 'de' });
});
