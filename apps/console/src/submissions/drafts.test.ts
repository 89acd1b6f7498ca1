import type { FormItem } from '@sheaf/client';
import { draftsOf, filledIn, type Drafts } from './drafts';

const field = (key: string, type: string, more: object = {}): FormItem => ({ key, label: key, type, required: false, ...more }) as FormItem;
const answersOf = (of: readonly FormItem[], drafts: Drafts, language: string) => filledIn(of, drafts, language).answers;
const items = [
  field('name', 'short_text'),
  { type: 'section', label: 'More' } as FormItem,
  field('age', 'integer'),
  field('member', 'boolean'),
  field('colours', 'multi_select', { options: [] }),
  field('photo', 'file'),
  field('papers', 'file', { multiple: true }),
];

it('gives back the answers that it was given', () => {
  const answers = { name: 'Ada', age: 0, member: false, colours: ['red', 'blue'], photo: 'f1', papers: ['f2'] };
  expect(answersOf(items, draftsOf(items, answers, 'en'), 'en')).toEqual(answers);
});

it('leaves out what is not answered', () => {
  expect(answersOf(items, draftsOf(items, {}, 'en'), 'en')).toEqual({});
});

it('passes on what is no number, so that the API can say so', () => {
  expect(answersOf(items, { age: 'ten' }, 'en')).toEqual({ age: 'ten' });
});

it('reads numbers as the page of the form does, and writes them so that they are read again', () => {
  const numbers = [field('age', 'integer'), field('height', 'number')];
  const answers = { age: 1_500, height: 1.125 };
  expect(draftsOf(numbers, answers, 'de')).toEqual({ age: '1500', height: '1,125' });
  for (const language of ['en', 'de']) expect(answersOf(numbers, draftsOf(numbers, answers, language), language)).toEqual(answers);
  expect(answersOf(numbers, { age: '1.500', height: '1.500,5 €' }, 'de')).toEqual({ age: 1_500, height: 1_500.5 });
  expect(answersOf(numbers, { age: '4000123412341234567' }, 'en')).toEqual({ age: '4000123412341234567' });
});

it('normalizes an answer as the page of the form does', () => {
  const texts = [field('name', 'short_text'), field('code', 'short_text', { trim: false }), field('site', 'url'), field('phone', 'phone')];
  const drafts = { name: ' Ada\t', code: ' 7 ', site: 'example.org', phone: 'tel:+49\u00a030\u20111234567' };
  expect(answersOf(texts, drafts, 'en')).toEqual({ name: 'Ada', code: ' 7 ', site: 'https://example.org', phone: '+49 30-1234567' });
});

it('leaves out the answers that other answers hide, and names their fields', () => {
  const guests = [
    field('guests', 'boolean'),
    { type: 'section', label: 'Guests', visible_if: { key: 'guests', equals: true } } as FormItem,
    field('names', 'long_text'),
    field('meal', 'short_text', { visible_if: { key: 'names', answered: true } }),
    field('car', 'short_text'),
  ];
  const drafts = { guests: 'true', names: 'Grace', meal: 'Soup', car: '' };
  expect(filledIn(guests, drafts, 'en')).toEqual({
    answers: { guests: true, names: 'Grace', meal: 'Soup' },
    hidden: new Set(),
    fallingAway: [],
    offered: new Map(),
  });
  expect(filledIn(guests, { ...drafts, guests: 'false' }, 'en')).toEqual({
    answers: { guests: false },
    hidden: new Set(guests.slice(1)),
    fallingAway: guests.slice(2, 4),
    offered: new Map(),
  });
});

it('tells which options other answers offer', () => {
  const city = field('city', 'select', {
    options: [
      { value: 'a', label: 'A', visible_if: { key: 'far', equals: true } },
      { value: 'b', label: 'B' },
    ],
  });
  const offered = (far: string) => [...(filledIn([field('far', 'boolean'), city], { far }, 'en').offered.get(city) ?? [])];
  expect([offered('true'), offered('false')]).toEqual([['b', 'a'], ['b']]);
});
