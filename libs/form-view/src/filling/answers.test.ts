import type { Field, FormItem } from '@sheaf/contracts';
import { readAnswers } from './answers';
import { valuesOf } from './values';

const today = () => '2026-05-31';
const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({ key: 'q', label: 'Q', type, required: false, ...more });
const read = (one: Field, ...values: string[]) => readAnswers([one], new Map([['q', values]]), new Map(), 'en', today).answers.q;

it.each<[string, Field, string[], unknown]>([
  ['a text without the white space around it', field('short_text'), [' a\t'], 'a'],
  ['a text that keeps its white space', field('short_text', { trim: false }), [' a '], ' a '],
  ['a web address without its scheme', field('url'), ['example.org'], 'https://example.org'],
  ['a number that cannot be kept as it was meant', field('number'), ['4,000,123,412,341,234,567'], '4000123412341234567'],
  ['several lines', field('long_text'), ['a\nb'], 'a\nb'],
  ['an empty text as no answer', field('short_text'), [''], undefined],
  ['an e-mail address without the spaces around it', field('email'), [' a@example.org '], 'a@example.org'],
  ['a number', field('number'), ['1,234.5'], 1234.5],
  ['what is no number as it was typed', field('number'), ['many'], 'many'],
  ['yes', field('boolean'), ['true'], true],
  ['no', field('boolean'), ['false'], false],
  ['a box that is not ticked as no answer', field('boolean', { must_be_true: true }), [], undefined],
  ['one choice', field('select'), ['b'], 'b'],
  ['several choices', field('multi_select'), ['b', 'a'], ['b', 'a']],
  ['no choice as no answer', field('multi_select'), [], undefined],
  ['a day', field('date'), ['2026-05-31'], '2026-05-31'],
])('reads %s', (_, one, values, answer) => {
  expect(read(one, ...values)).toEqual(answer);
});

it('reads one file as its id, and several as a list', () => {
  const files = new Map([['q', ['one', 'two']]]);
  expect(readAnswers([field('file', { multiple: true })], new Map(), files, 'en', today).answers.q).toEqual(['one', 'two']);
  expect(readAnswers([field('file')], new Map(), files, 'en', today).answers.q).toBe('two');
});

it('leaves out what conditions hide, also if something was entered there', () => {
  const items: FormItem[] = [
    { ...field('boolean'), key: 'has_pet' },
    { type: 'section', label: 'Pet', visible_if: { key: 'has_pet', equals: true } },
    { ...field('short_text'), key: 'name' },
    { ...field('short_text'), key: 'breed', visible_if: { key: 'name', answered: true } },
  ];
  const values = (hasPet: string) =>
    new Map([
      ['has_pet', [hasPet]],
      ['name', ['Rex']],
    ]);
  expect(readAnswers(items, values('false'), new Map(), 'en', today)).toEqual({
    answers: { has_pet: false },
    shown: [true, false, false, false],
  });
  expect(readAnswers(items, values('true'), new Map(), 'en', today)).toEqual({
    answers: { has_pet: true, name: 'Rex' },
    shown: [true, true, true, true],
  });
});

it('fills controls with defaults', () => {
  const write = (number: number) => `<${number}>`;
  expect([undefined, 'a', 2, true, ['a', 'b']].map((answer) => valuesOf(answer, write))).toEqual([
    [],
    ['a'],
    ['<2>'],
    ['true'],
    ['a', 'b'],
  ]);
});

it('calculates with the answers before, and shows by what is calculated', () => {
  const items: FormItem[] = [
    { ...field('number'), key: 'price' },
    { ...field('calculated', { formula: 'price * 2' }), key: 'total' },
    { ...field('short_text'), key: 'why', visible_if: { key: 'total', gt: 3 } },
  ];
  const typed = (price: string) =>
    new Map([
      ['price', [price]],
      ['total', ['1000']],
      ['why', ['x']],
    ]);
  expect(readAnswers(items, typed('1.1'), new Map(), 'en', today).answers).toEqual({ price: 1.1, total: 2.2 });
  expect(readAnswers(items, typed('2'), new Map(), 'en', today).answers).toEqual({ price: 2, total: 4, why: 'x' });
  expect(readAnswers(items, typed('much'), new Map(), 'en', today).answers).toEqual({ price: 'much' });
});
