import { answerFaultCodes, type FieldType } from '@sheaf/contracts';
import type { Fault } from '../view';
import { faultSentence, faultText } from './fault-sentence';
import { wordLanguages } from './languages';

const fault = (code: string, params: Fault['params'] = {}): Fault => ({ key: 'k', code, params, message: 'has an unknown fault' });

const sentence = (language: string, code: string, params: Fault['params'] = {}, type: FieldType = 'short_text', label = 'Name') =>
  faultSentence(language, fault(code, params), { label, type });

const params = { min: 2, max: 3, types: 'image/*, application/pdf', rows: '["a"]' };
const days = { min: '2026-05-31', max: '2026-06-30' };
const paramsOf = (code: string) => (code === 'too_early' || code === 'too_late' ? days : params);

/** The message of a check is its author's. */
const codesWithWords = answerFaultCodes.filter((code) => code !== 'refused');

test.each([...wordLanguages])('%s has a sentence with the label for each fault', (language) => {
  const sentences = codesWithWords.map((code) => sentence(language, code, paramsOf(code)));
  for (const text of sentences) {
    expect(text).toContain('Name');
    expect(text).not.toMatch(/undefined|NaN|#|unknown/);
  }
});

test.each([
  ['short_text', 'Name: enter an answer'],
  ['email', 'Name: enter an email address in the correct format, like name@example.com'],
  ['integer', 'Name: enter a number'],
  ['date', 'Name: enter a date'],
  ['select', 'Name: choose an option'],
  ['multi_select', 'Name: choose at least one option'],
  ['boolean', 'Name: choose an option'],
  ['file', 'Name: add a file'],
] as const)('a missing answer of the type %s is asked for as its control is used', (type, text) => {
  expect(sentence('en', 'required', {}, type)).toBe(text);
});

test('consent is asked for by its box', () => {
  const label = 'I agree to the terms.';
  const field = { label, type: 'boolean', must_be_true: true } as const;
  expect(faultSentence('en', fault('required'), field)).toBe('I agree to the terms. Tick the box to continue');
});

test.each([
  ['en', 'too_long', { max: 1000 }, 'Name: enter no more than 1,000 characters'],
  ['de', 'too_long', { max: 1000 }, 'Name: Geben Sie höchstens 1.000 Zeichen ein'],
  ['pl', 'too_few_choices', { min: 3 }, 'Name: wybierz co najmniej 3 opcje'],
  ['fr', 'too_small', { min: 1.5 }, 'Name\u00a0: saisissez un nombre supérieur ou égal à 1,5'],
  ['es', 'too_early', { min: '2026-05-31' }, 'Name: introduzca el 31 de mayo de 2026 o una fecha posterior'],
  ['it', 'too_late', { max: '2026-05-08' }, 'Name: inserisci una data fino all’8 maggio 2026'],
  ['it', 'too_late', { max: '2026-05-18' }, 'Name: inserisci una data fino al 18 maggio 2026'],
  ['ja', 'too_late', { max: '2026-05-31' }, 'Name：2026年5月31日以前の日付を入力してください'],
  ['en', 'file_too_large', { max: 10_485_760 }, 'Name: the file must be no larger than 10 MB'],
  ['en', 'file_type_not_accepted', { types: 'image/*, application/pdf' }, 'Name: choose a file of one of these types: images or PDF'],
])('%s writes the bounds of %s as it writes numbers and dates', (language, code, bounds, text) => {
  expect(sentence(language, code, bounds)).toBe(text);
});

test.each([
  ['en', 'What is your name?', 'What is your name? Enter an answer'],
  ['en', 'Name:', 'Name: enter an answer'],
  ['en', 'Name *', 'Name: enter an answer'],
  ['en', '***', '***: enter an answer'],
  ['tr', 'Adınız nedir?', 'Adınız nedir? Bir yanıt girin'],
  ['it', 'Qual è il tuo nome?', 'Qual è il tuo nome? Inserisci una risposta'],
  ['ja', 'お名前は？', 'お名前は？入力してください'],
])('in %s the label "%s" reads: %s', (language, label, text) => {
  expect(sentence(language, 'required', {}, 'short_text', label)).toBe(text);
});

test.each([
  ['en', 'CV', 'CV: cv.pdf: the file could not be stored; choose it again'],
  ['en', 'Where is your CV?', 'Where is your CV? cv.pdf: the file could not be stored; choose it again'],
  ['fr', 'CV', 'CV\u00a0: cv.pdf\u00a0: le fichier n’a pas pu être enregistré\u00a0; choisissez-le de nouveau'],
])('%s names the refused file after the label %s, as it is written', (language, label, text) => {
  expect(faultSentence(language, { ...fault('not_stored'), file: 'cv.pdf' }, { label, type: 'file' })).toBe(text);
});

test('a fault that this version does not know shows its English message', () => {
  expect(sentence('de', 'brand_new')).toBe('Name: has an unknown fault');
  expect(sentence('de', 'constructor')).toBe('Name: has an unknown fault');
});

test('the message of a check is written as its author wrote it', () => {
  const refused = { ...fault('refused', { check: 1 }), message: 'iPads only' };
  const authored = { text: 'מ-iPad בלבד', lang: 'he' };
  const where = { label: 'What do you have?', type: 'short_text' } as const;
  expect(faultText('en', refused, where)).toBe('iPads only');
  expect(faultSentence('en', refused, where)).toBe('What do you have? iPads only');
  expect(faultText('en', { ...refused, authored }, where)).toBe('\u2068מ-iPad בלבד\u2069');
  expect(faultSentence('en', { ...refused, authored }, { ...where, label: 'Device' })).toBe('Device: \u2068מ-iPad בלבד\u2069');
});

test('a label in the other direction does not reorder the sentence', () => {
  expect(sentence('en', 'required', {}, 'short_text', 'שם')).toBe('\u2068שם\u2069: enter an answer');
  expect(sentence('ar', 'required', {}, 'short_text', 'Name')).toBe('\u2068Name\u2069: يُرجى إدخال إجابة');
});

test('direction controls in a label are dropped from the sentence', () => {
  expect(sentence('en', 'required', {}, 'short_text', 'Na\u202eme\u2069')).toBe('Name: enter an answer');
});
