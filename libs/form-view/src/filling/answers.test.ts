import type { Field, FormItem } from '@sheaf/contracts';
import { readAnswers } from './answers';
import { faultsInMissingItems, withAnotherItem, withFirstItems, withoutEmptyItems, withoutItem } from './repeats';
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
  expect(readAnswers(items, values('false'), new Map(), 'en', today)).toMatchObject({
    answers: { has_pet: false },
    shown: [true, false, false, false],
  });
  expect(readAnswers(items, values('true'), new Map(), 'en', today)).toMatchObject({
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

describe('A repeat', () => {
  const fields = [
    { ...field('short_text'), key: 'name' },
    { ...field('boolean'), key: 'eats' },
    { ...field('short_text'), key: 'meal', visible_if: { key: 'eats', equals: true } },
    { ...field('calculated', { formula: 'fee * 2', shown: false }), key: 'price' },
  ];
  const items: FormItem[] = [
    { ...field('number'), key: 'fee' },
    { ...field('repeat', { fields }), key: 'guests' },
    { ...field('short_text'), key: 'table', visible_if: { key: 'guests', chosen_at_least: 2 } },
  ];
  const typed = (...values: [string, string][]) => new Map(values.map(([key, value]) => [key, [value]]));
  const read = (...values: [string, string][]) => readAnswers(items, typed(['table', 'A'], ...values), new Map(), 'en', today);

  it('has the answers of each item, by the conditions and formulas in it', () => {
    const { answers, inItems } = read(
      ['fee', '2'],
      ['guests', '2'],
      ...([
        ['guests[0].name', 'Ann'],
        ['guests[0].meal', 'Soup'],
        ['guests[1].name', 'Bob'],
        ['guests[1].eats', 'true'],
        ['guests[1].meal', 'Fish'],
        ['guests[2].name', 'not counted'],
      ] as [string, string][]),
    );
    expect(answers).toEqual({
      fee: 2,
      guests: [
        { name: 'Ann', price: 4 },
        { name: 'Bob', eats: true, meal: 'Fish', price: 4 },
      ],
      table: 'A',
    });
    expect(inItems.get('guests')?.map(({ shown }) => shown)).toEqual([
      [true, true, false, true],
      [true, true, true, true],
    ]);
  });

  it('leaves out items without an answer, and is not answered without any other', () => {
    const some: [string, string][] = [
      ['guests', '3'],
      ['guests[0].name', ' '],
      ['guests[1].name', 'Bob'],
      ['guests[2].meal', 'hidden'],
    ];
    expect(read(...some).answers).toEqual({ guests: [{ name: 'Bob' }] });
    expect(read(['guests', '1'], ['guests[0].name', '']).answers).toEqual({});
    // A result is no answer that somebody gave.
    expect(read(['fee', '2'], ['guests', '1']).answers).toEqual({ fee: 2 });
    const left = withoutEmptyItems(items, typed(...some), read(...some));
    expect([...left]).toEqual([
      ['guests', ['1']],
      ['guests[0].name', ['Bob']],
    ]);
  });

  it('gets further items up to its bound, with defaults, and loses one with its answers', () => {
    const repeat = { ...field('repeat', { max: 3, fields: [{ ...field('number', { default: 1.5 }), key: 'size' }] }), key: 'rooms' };
    const two = withAnotherItem(repeat, withAnotherItem(repeat, new Map([['rest', ['kept']]]), 'de'), 'de');
    expect([...two]).toEqual([
      ['rest', ['kept']],
      ['rooms', ['2']],
      ['rooms[0].size', ['1,5']],
      ['rooms[1].size', ['1,5']],
    ]);
    const three = withAnotherItem(repeat, new Map([...two, ['rooms[1].size', ['7']]]), 'de');
    expect(withAnotherItem(repeat, three, 'de')).toBe(three);
    expect([...withoutItem(repeat, three, 0)]).toEqual([
      ['rest', ['kept']],
      ['rooms', ['2']],
      ['rooms[0].size', ['7']],
      ['rooms[1].size', ['1,5']],
    ]);
  });

  it('begins with the fewest items that it may have, with defaults, and costs little where a form has as many as it can', () => {
    const repeats = Array.from({ length: 30 }, (_, number) => ({
      ...field('repeat', { min: 50, max: 50, fields: [{ ...field('number', { default: 1.5 }), key: `size_${number}` }] }),
      key: `rooms_${number}`,
    }));
    const before = performance.now();
    const first = withFirstItems([...items, ...repeats], new Map([['fee', ['2']]]), 'de');
    expect(performance.now() - before).toBeLessThan(100);
    expect([first.size, first.get('fee'), first.get('guests'), first.get('rooms_29'), first.get('rooms_29[49].size_29')]).toEqual([
      1 + 30 * 51,
      ['2'],
      undefined,
      ['50'],
      ['1,5'],
    ]);
  });

  it('names what is required in the first item that is missing, and that items are missing where nothing is', () => {
    const some = [
      ...fields.slice(1),
      { ...field('short_text', { required: true }), key: 'name' },
      { ...field('short_text', { required: true }), key: 'diet', visible_if: { key: 'eats', equals: true } },
    ];
    const form: FormItem[] = [{ ...field('repeat', { min: 2, fields: some }), key: 'guests' }, items[1] ?? field('number')].map(
      (item, at) => ({
        ...item,
        key: ['guests', 'others'][at] ?? '',
      }),
    );
    const fault = (key: string, code: string) => ({ key, code, params: {}, message: code });
    const told = (answers: Record<string, unknown>, ...faults: [string, string][]) =>
      faultsInMissingItems(
        form,
        faults.map(([key, code]) => fault(key, code)),
        answers,
      ).map(({ key, code }) => [key, code]);
    expect(told({}, ['guests', 'required'], ['others', 'required'])).toEqual([
      ['guests[0].name', 'required'],
      ['others', 'required'],
    ]);
    expect(told({ guests: [{ name: 'Ann' }] }, ['guests', 'too_few_items'])).toEqual([['guests[1].name', 'required']]);
    expect(told({}, ['guests', 'too_many_items'])).toEqual([['guests', 'too_many_items']]);
  });
});
