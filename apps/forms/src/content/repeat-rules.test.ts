import type { Field, FormItem } from '@sheaf/contracts';
import { fieldFaults, withNormalValues } from './draft-rules';

const field = (key: string, more: Partial<Field> = {}): Field => ({ key, label: key, type: 'short_text', required: false, ...more });
const price = field('price', { type: 'number' });
const guests = (more: Partial<Field> = {}) => field('guests', { type: 'repeat', fields: [field('name'), price], ...more });
const faults = (...items: FormItem[]) => fieldFaults(items).map(({ key, message }) => `${key}: ${message}`);
const inItem = (...fields: Field[]) => faults(field('before'), guests({ fields: [field('name'), ...fields] }), field('after'));

it('a repeat has fields, conditions, texts and formulas that name earlier fields, and those of the same item', () => {
  expect(
    faults(
      field('member', { type: 'boolean' }),
      guests({
        item_label: 'Guest',
        min: 1,
        max: 25,
        required: true,
        fields: [
          field('name', { visible_if: { key: 'member', equals: true } }),
          field('meal', {
            label: 'What does {{name}} eat?',
            type: 'select',
            options: [{ value: 'vegan', label: 'Vegan' }],
            visible_if: { key: 'name', answered: true },
          }),
          price,
          field('taxed', { type: 'calculated', formula: 'price * if(member, 1, 1.2)' }),
        ],
      }),
      field('total', { type: 'calculated', formula: 'sum(guests.taxed, 1) + max(guests.price) + count(guests) + count(guests.meal)' }),
      field('why', { visible_if: { key: 'guests', chosen_at_least: 3 } }),
      field('none', { visible_if: { key: 'guests', answered: false } }),
    ),
  ).toEqual([]);
});

it.each<[Partial<Field>, string]>([
  [{ fields: undefined }, 'fields.0.fields: is required for the type repeat'],
  [{ fields: [field('ten', { type: 'calculated', formula: '10' })] }, 'fields.0.fields: must have a field that people answer'],
  [{ min: -1 }, 'fields.0.min: must be between 0 and 50'],
  [{ min: 1.5 }, 'fields.0.min: must be a whole number for the type repeat'],
  [{ max: 51 }, 'fields.0.max: must be between 1 and 50'],
  [{ min: 3, max: 2 }, 'fields.0.max: must not be less than min'],
  [{ min: 21 }, 'fields.0.min: must be at most 20 without max'],
  [{ item_label: 'Guest of {{name}}' }, 'fields.0.item_label: must not show an answer'],
  [{ translations: { de: { item_label: 'Gast {{name}}' } } }, 'fields.0.translations.de.item_label: must not show an answer'],
  [{ default: 'x' }, 'fields.0.default: is not allowed for the type repeat'],
  [{ prefill: true }, 'fields.0.prefill: is not allowed for the type repeat'],
  [
    { max: 50, fields: Array.from({ length: 11 }, (_, at) => field(`f${at}`)) },
    'fields.0.fields: with their parts and ranks, times max (50) must be at most 500, but are 550',
  ],
])('%j of a repeat is refused', (more, message) => {
  expect(faults(guests(more))).toEqual([message]);
});

it.each<[Partial<Field>, string]>([
  [{ type: 'repeat' }, 'fields.1.fields.1.type: must not be repeat in a repeat'],
  [{ type: 'file' }, 'fields.1.fields.1.type: must not be file in a repeat'],
  [{ type: 'hidden' }, 'fields.1.fields.1.type: must not be hidden in a repeat'],
  [{ unique: true }, 'fields.1.fields.1.unique: must not be true in a repeat'],
  [{ prefill: true }, 'fields.1.fields.1.prefill: must not be true in a repeat'],
  [{ type: 'select', options: [{ value: 'a', label: 'A', limit: 1 }] }, 'fields.1.fields.1.options.0.limit: is not allowed in a repeat'],
  [{ visible_if: { key: 'guests', answered: true } }, 'fields.1.fields.1.visible_if.key: must be the key of an earlier field'],
  [{ visible_if: { key: 'after', answered: true } }, 'fields.1.fields.1.visible_if.key: must be the key of an earlier field'],
  [{ min: 3, max: 2, type: 'integer' }, 'fields.1.fields.1.max: must not be less than min'],
])('%j in a repeat is refused', (more, message) => {
  expect(inItem(field('more', more))[0]).toBe(message);
});

it('only a repeat has a label for its items, also in translations', () => {
  expect(faults(field('name', { item_label: 'Guest', translations: { de: { label: 'Name', item_label: 'Gast' } } }))).toEqual([
    'fields.0.item_label: is not allowed for the type short_text',
    'fields.0.translations.de.item_label: is not allowed for the type short_text',
  ]);
  expect(faults(guests({ item_label: 'Guest', translations: { de: { item_label: 'Gast' } } }))).toEqual([]);
});

it('a key is that of one field in the whole form, also in repeats', () => {
  expect(faults(field('name'), guests(), field('price'))).toEqual([
    'fields.1.fields.0.key: must be unique; "name" is already used',
    'fields.2.key: must be unique; "price" is already used',
  ]);
});

it('an answer in an item has no meaning outside of its repeat, and that to a repeat no text', () => {
  expect(
    faults(
      guests(),
      field('a', { visible_if: { key: 'price', gt: 1 } }),
      field('b', { label: '{{name}}' }),
      field('c', { label: '{{guests}}' }),
      field('d', { type: 'calculated', formula: 'price' }),
      field('e', { type: 'calculated', formula: 'guests.price + 1' }),
      field('f', { type: 'calculated', formula: 'sum(guests.name)' }),
    ).map((each) => each.slice(0, 80)),
  ).toEqual([
    'fields.1.visible_if.key: must be the key of an earlier field',
    'fields.2.label: must show only answers to fields before it, which "name" is not;',
    'fields.3.label: must show only answers to fields before it, which "guests" is no',
    'fields.4.formula: is wrong at character 1: price is the key of no earlier field',
    'fields.5.formula: is wrong at character 1: guests.price is one for each item, wh',
    'fields.6.formula: is wrong at character 5: a number is expected, but it is a tex',
  ]);
});

it('the fields of repeats count as fields of the form, and all their items as controls', () => {
  const many = (key: string) => guests({ key, max: 25, fields: Array.from({ length: 20 }, (_, at) => field(`${key}_${at}`)) });
  expect(faults(many('a'), many('b'), many('c'))).toEqual([]);
  expect(faults(many('a'), many('b'), many('c'), many('d'))).toEqual([
    'fields.3.max: must leave the repeats of a form together at most 1500 fields times items, with their parts and ranks',
  ]);
  const repeats = Array.from({ length: 24 }, (_, at) => guests({ ...many(`r${at}`), max: 1 }));
  expect(faults(...repeats)[0]).toBe('fields: must have at most 500 fields, with those of repeats and for the texts of "other"');
});

it('a form has at most 20 repeats', () => {
  const repeats = Array.from({ length: 21 }, (_, at) => guests({ key: `r${at}`, max: 1, fields: [field(`f${at}`)] }));
  expect(faults(...repeats.slice(1))).toEqual([]);
  expect(faults(...repeats)).toEqual(['fields.20.type: must be at most 20 times repeat']);
});

it('the options of all items that there can be are bounded in a form', () => {
  const options = Array.from({ length: 1_000 }, (_, at) => ({ value: `v${at}`, label: 'x' }));
  const choice = (key: string) => field(key, { type: 'multi_select', options });
  const meals = (key: string, max: number) => guests({ key, max, fields: [choice(`${key}_meal`)] });
  expect(faults(meals('a', 5), meals('b', 5), choice('c'))).toEqual([]);
  expect(faults(meals('a', 5), meals('b', 6))).toEqual([
    'fields.1.fields.0.options: must leave the repeats of a form together at most 10000 options times items',
  ]);
});

it('each part of an address and each rank counts as a control, as a page posts a value for each', () => {
  const of = (key: string, more: object) => guests({ key, max: 50, fields: [field(`${key}_a`, more), field(`${key}_b`, more)] });
  const options = Array.from({ length: 6 }, (_, at) => ({ value: `v${at}`, label: `V${at}` }));
  expect(faults(of('where', { type: 'address', parts: ['line1', 'city', 'region'].map((part) => ({ part })) }))).toEqual([]);
  for (const more of [
    { type: 'address', parts: ['line1', 'line2', 'postal_code', 'city', 'region', 'country'].map((part) => ({ part })) },
    { type: 'ranking', options },
  ])
    expect(faults(of('where', more))).toContain(
      'fields.0.fields: with their parts and ranks, times max (50) must be at most 500, but are 600',
    );
});

it('the text of *Other* is asked for in each item', () => {
  const meal = field('meal', { type: 'select', options: [{ value: 'a', label: 'A' }], other: { label: 'Else' } });
  const [kept] = withNormalValues([guests({ fields: [meal] })]) as Field[];
  expect(kept?.fields?.map(({ key }) => key)).toEqual(['meal', 'meal_other']);
  expect(fieldFaults([kept as FormItem])).toEqual([]);
});
