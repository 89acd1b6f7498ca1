import type { FormItem } from '@sheaf/client';
import { dayOf, draftsOf, filledIn, type Drafts } from './drafts';

const field = (key: string, type: string, more: object = {}): FormItem => ({ key, label: key, type, required: false, ...more }) as FormItem;
const answersOf = (of: readonly FormItem[], drafts: Drafts, language: string) =>
  filledIn(of, drafts, { language, today: '2026-05-31' }).answers;
const items = [
  field('name', 'short_text'),
  { type: 'section', label: 'More' } as FormItem,
  field('age', 'integer'),
  field('member', 'boolean'),
  field('colours', 'multi_select', { options: [] }),
  field('cities', 'ranking', { options: [] }),
  field('stay', 'date_range'),
  field('photo', 'file'),
  field('papers', 'file', { multiple: true }),
];

it('gives back the answers that it was given', () => {
  const answers = {
    name: 'Ada',
    age: 0,
    member: false,
    colours: ['red', 'blue'],
    cities: ['Rome', 'Oslo'],
    stay: { from: '2026-05-01', to: '2026-05-02' },
    photo: 'f1',
    papers: ['f2'],
  };
  expect(answersOf(items, draftsOf(items, answers, 'en'), 'en')).toEqual(answers);
});

it('takes a text from before the question was a signature for no picture', () => {
  const signed = [field('signed', 'signature')];
  expect(draftsOf(signed, { signed: 'Ada' }, 'en')).toEqual({ signed: [''] });
  expect(draftsOf(signed, { signed: { kind: 'drawn', file_id: 'f1' } }, 'en')).toEqual({ signed: ['', 'f1'] });
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
  expect(filledIn(guests, drafts, { language: 'en', today: '2026-05-31' })).toEqual({
    answers: { guests: true, names: 'Grace', meal: 'Soup' },
    hidden: new Set(),
    fallingAway: [],
    offered: new Map(),
    inItems: new Map(),
  });
  expect(filledIn(guests, { ...drafts, guests: 'false' }, { language: 'en', today: '2026-05-31' })).toEqual({
    answers: { guests: false },
    hidden: new Set(guests.slice(1)),
    fallingAway: guests.slice(2, 4),
    offered: new Map(),
    inItems: new Map(),
  });
});

it('tells which options other answers offer', () => {
  const city = field('city', 'select', {
    options: [
      { value: 'a', label: 'A', visible_if: { key: 'far', equals: true } },
      { value: 'b', label: 'B' },
    ],
  });
  const offered = (far: string) => [
    ...(filledIn([field('far', 'boolean'), city], { far }, { language: 'en', today: '2026-05-31' }).offered.get(city) ?? []),
  ];
  expect([offered('true'), offered('false')]).toEqual([['b', 'a'], ['b']]);
});

describe('A calculated answer', () => {
  const form = { timezone: 'Europe/Berlin' };
  const arrived = { created_at: '2026-05-31T22:30:00.000Z' };
  const now = new Date('2027-01-01T23:30:00Z');

  it('is computed with the day of arrival in the time zone of the form, or with the present one for a new submission', () => {
    expect([dayOf(form, arrived, now), dayOf({}, arrived, now)]).toEqual(['2026-06-01', '2026-05-31']);
    expect([dayOf(form, undefined, now), dayOf({}, undefined, now)]).toEqual(['2027-01-02', '2027-01-01']);
  });

  it('hides what follows by that day', () => {
    const late = [
      field('day', 'date'),
      field('days', 'calculated', { formula: 'days_between(day, today())', format: 'number' }),
      field('why', 'short_text', { visible_if: { key: 'days', gt: 0 } }),
    ];
    const drafts = { day: '2026-05-31', why: 'Rain' };
    const on = (today: string) => filledIn(late, drafts, { language: 'en', today });
    expect(on('2026-06-01').answers).toEqual({ day: '2026-05-31', days: 1, why: 'Rain' });
    expect(on('2026-05-31')).toMatchObject({ answers: { day: '2026-05-31', days: 0 }, fallingAway: [late[2]] });
  });
});

describe('a repeat', () => {
  const guests = field('guests', 'repeat', {
    fields: [
      field('guest', 'short_text'),
      field('age', 'integer', { visible_if: { key: 'asked', equals: true } }),
      field('twice', 'calculated', { formula: 'age * 2' }),
    ],
  });
  const form = [field('asked', 'boolean'), guests];

  it('gives back its items, each with what earlier answers show in it', () => {
    const answers = { asked: true, guests: [{ guest: 'Ann', age: 3, twice: 6 }, { guest: 'Bo' }] };
    expect(answersOf(form, draftsOf(form, answers, 'en'), 'en')).toEqual(answers);
    expect(answersOf(form, draftsOf(form, { ...answers, asked: false }, 'en'), 'en')).toEqual({
      asked: false,
      guests: [{ guest: 'Ann' }, { guest: 'Bo' }],
    });
  });

  it('calculates in its items with what the whole form asks, and what depends on the results stays', () => {
    const priced = [
      field('rate', 'integer'),
      field('guests', 'repeat', {
        fields: [
          field('name', 'short_text'),
          field('price', 'integer'),
          field('due', 'calculated', { formula: 'price * rate', format: 'number' }),
          field('note', 'short_text', { visible_if: { key: 'due', gt: 1 } }),
        ],
      }),
      field('total', 'calculated', { formula: 'sum(guests.due)', format: 'number' }),
      field('why', 'short_text', { visible_if: { key: 'total', gt: 1 } }),
    ];
    const answers = {
      rate: 2,
      guests: [{ name: 'a', price: 5, due: 10, note: 'n' }, {}, { name: 'b' }],
      total: 10,
      why: 'because',
    };
    expect(answersOf(priced, draftsOf(priced, answers, 'en'), 'en')).toEqual(answers);
  });

  it('keeps an item without any answer until somebody removes it', () => {
    expect(answersOf(form, { guests: ['{}'] }, 'en')).toEqual({ guests: [{}] });
    expect(answersOf(form, { guests: [] }, 'en')).toEqual({});
  });

  it('names in each item the answers that others hide, and the options that they offer', () => {
    const city = field('city', 'select', {
      options: [
        { value: 'a', label: 'A', visible_if: { key: 'far', equals: true } },
        { value: 'b', label: 'B' },
      ],
    });
    const far = field('far', 'boolean');
    const why = field('why', 'short_text', { visible_if: { key: 'far', equals: true } });
    const trips = [field('trips', 'repeat', { fields: [far, city, why] })];
    const { answers, inItems } = filledIn(
      trips,
      draftsOf(
        trips,
        {
          trips: [
            { far: true, why: 'Sun' },
            { far: false, why: 'Rain' },
          ],
        },
        'en',
      ),
      { language: 'en', today: '2026-05-31' },
    );
    expect(answers).toEqual({ trips: [{ far: true, why: 'Sun' }, { far: false }] });
    expect(inItems.get('trips')?.map((item) => [item.hidden, item.fallingAway, [...(item.offered.get(city) ?? [])]])).toEqual([
      [new Set(), [], ['b', 'a']],
      [new Set([why]), [why], ['b']],
    ]);
  });
});
