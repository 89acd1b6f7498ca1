import type { FormItem } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Asked } from '../asked';
import type { Entered } from './entered';
import { fallenAway } from './fallen-away';
import type { OpenForm } from './known-forms';
import type { Deps, FormVisit } from './visit';

const choice = (type: 'multi_select' | 'ranking'): FormItem[] => [
  {
    key: 'cities',
    type,
    label: 'Cities',
    required: false,
    options: [
      { value: 'r', label: 'Rome' },
      { value: 'o', label: 'Oslo' },
    ],
  },
];

/** The values that stay, and those that are named as dropped. */
async function after(
  before: FormItem[] | Problem,
  now: FormItem[],
  entries: readonly string[] = ['o', 'r'],
  added: readonly string[] = [],
) {
  const files = new Map([['cities', added.map((name) => ({ id: name, name, size: 1, token: name }))]]);
  const { dropped, values, files: keptFiles } = await changed(before, now, new Map([['cities', entries]]), files);
  const names = keptFiles.get('cities')?.map(({ name }) => name);
  return { dropped, kept: values.get('cities'), ...(added.length > 0 && { files: names }) };
}

async function changed(before: FormItem[] | Problem, now: FormItem[], values: Entered['values'], files: Entered['files'] = new Map()) {
  const form = { id: 'f', items: now, timeZone: 'UTC', settings: {} } as unknown as OpenForm;
  const visit = { form, asked: { call: {} } as Asked, language: 'en' } as FormVisit;
  const deps = {
    knownForms: { itemsOf: () => (before instanceof Problem ? Promise.reject(before) : Promise.resolve(before)) },
  } as unknown as Deps;
  const entered = { values, files } as unknown as Entered;
  const { dropped, entered: kept } = await fallenAway(deps, visit, entered, { version: 1, values, files });
  return { dropped, values: kept.values, files: kept.files };
}

it('choices that are to be ranked now are named, and not taken for an order that people chose', async () => {
  expect(await after(choice('multi_select'), choice('ranking'))).toEqual({
    dropped: [{ label: 'Cities', value: 'Oslo, Rome' }],
    kept: undefined,
  });
  for (const [from, to] of [
    ['ranking', 'ranking'],
    ['ranking', 'multi_select'],
  ] as const)
    expect(await after(choice(from), choice(to))).toEqual({ dropped: [], kept: ['o', 'r'] });
});

it('choices that are a date range now are named, and days that its pickers can show stay', async () => {
  const range: FormItem[] = [{ key: 'cities', type: 'date_range', label: 'When?', required: false }];
  expect(await after(choice('multi_select'), range)).toEqual({ dropped: [{ label: 'Cities', value: 'Oslo, Rome' }], kept: undefined });
  expect(await after(range, range, ['', '2026-06-02'])).toEqual({ dropped: [], kept: ['', '2026-06-02'] });
  const day: FormItem[] = [{ key: 'cities', type: 'date', label: 'When?', required: false }];
  expect(await after(range, day, ['2026-05-29', '2026-06-02'])).toEqual({
    dropped: [{ label: 'When?', value: '2026-06-02' }],
    kept: ['2026-05-29'],
  });
});

it('a signature stays a signature, and nothing else becomes one', async () => {
  const one = (type: 'signature' | 'file' | 'short_text') => [{ key: 'cities', type, label: 'Signed', required: false }] as FormItem[];
  expect(await after(one('signature'), one('signature'), ['Ada'], ['signature.png'])).toEqual({
    dropped: [],
    kept: ['Ada'],
    files: ['signature.png'],
  });
  expect(await after(one('short_text'), one('signature'), ['Ada'])).toEqual({
    dropped: [{ label: 'Signed', value: 'Ada' }],
    kept: undefined,
  });
  for (const [from, to] of [
    ['file', 'signature'],
    ['signature', 'file'],
    ['file', 'short_text'],
  ] as const)
    expect(await after(one(from), one(to), [], ['a.pdf'])).toEqual({
      dropped: [{ label: 'Signed', value: 'a.pdf' }],
      kept: undefined,
      files: undefined,
    });
  expect(await after(one('file'), one('file'), [], ['a.pdf'])).toMatchObject({ dropped: [], files: ['a.pdf'] });
});

const address = (...parts: string[]): FormItem[] => [
  { key: 'cities', type: 'address', label: 'Where?', required: false, parts: parts.map((part) => ({ part })) } as FormItem,
];

it('the parts of an address stay by their names, and those that are gone are named', async () => {
  const before = address('line1', 'postal_code', 'city');
  const typed = ['Main St 1', '12345', 'Berlin'];
  expect(await after(before, address('city', 'region', 'postal_code', 'line1'), typed)).toEqual({
    dropped: [],
    kept: ['Berlin', '', '12345', 'Main St 1'],
  });
  expect(await after(before, address('city', 'line1'), typed)).toEqual({
    dropped: [{ label: 'Where?', value: '12345' }],
    kept: ['Berlin', 'Main St 1'],
  });
});

it('the parts of an address are named, and not put into others, while nobody knows which they were', async () => {
  const now = address('city', 'postal_code');
  const typed = ['12345', 'Berlin'];
  expect(await after(Problem.unavailable(), now, typed)).toEqual({
    dropped: [{ label: 'cities', value: '12345, Berlin' }],
    kept: undefined,
  });
  expect(await after(Problem.notFound('version'), now, typed)).toEqual({ dropped: [], kept: undefined });
});

it('cells of a matrix stay as long as their row and column do, however many there are, and are no text that people typed', async () => {
  const named = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));
  const matrix = (rows: string[], columns: string[]): FormItem[] => [
    { key: 'cities', type: 'matrix', label: 'Looks', required: false, multiple: true, rows: named(...rows), columns: named(...columns) },
  ];
  const cells = ['["a","x"]', '["a","y"]', '["b","x"]'];
  expect(await after(matrix(['a', 'b'], ['x', 'y']), matrix(['b', 'new', 'a'], ['x', 'y']), cells)).toEqual({ dropped: [], kept: cells });
  expect(await after(matrix(['a', 'b'], ['x', 'y']), matrix(['a'], ['x', 'y']), cells)).toEqual({
    dropped: [{ label: 'Looks', value: 'B: X' }],
    kept: cells.slice(0, 2),
  });
  const single = matrix(['a', 'b'], ['x', 'y']).map((item) => ({ ...item, multiple: false }) as FormItem);
  expect(await after(matrix(['a', 'b'], ['x', 'y']), single, cells)).toEqual({
    dropped: [{ label: 'Looks', value: 'A: Y' }],
    kept: ['["a","x"]', '["b","x"]'],
  });
  for (const type of ['short_text', 'address', 'multi_select'] as const) {
    const asked: FormItem[] = [
      { key: 'cities', type, label: 'City', required: false, ...(type === 'multi_select' && { options: named('a') }) },
    ];
    expect(await after(matrix(['a'], ['x']), asked, ['["a","x"]'])).toEqual({
      dropped: [{ label: 'Looks', value: 'A: X' }],
      kept: undefined,
    });
  }
});

describe('in the items of a repeat', () => {
  const field = (key: string, more: object = {}) => ({ key, type: 'short_text', label: key.toUpperCase(), required: false, ...more });
  const guests = (...fields: object[]) =>
    [{ key: 'guests', type: 'repeat', label: 'Guests', required: false, item_label: 'Guest', fields }] as unknown as FormItem[];
  const typed = {
    guests: ['2'],
    'guests[0].name': ['Ann'],
    'guests[0].meal': ['Fish'],
    'guests[1].name': ['Bob'],
    'guests[1].meal': ['Soup'],
  };

  /** The values of items that stay, and those that are named as dropped. */
  async function ofItems(before: FormItem[] | Problem, now: FormItem[], entries: Record<string, string[]> = typed) {
    const { dropped, values } = await changed(before, now, new Map(Object.entries(entries)));
    return { dropped: dropped.map(({ label, value }) => `${label.replaceAll(/[\u2068\u2069]/g, '')} = ${value}`), values };
  }

  it('answers to a question that is gone are named with their item', async () => {
    expect((await ofItems(guests(field('name'), field('meal')), guests(field('name')))).dropped).toEqual([
      'Guest 1: MEAL = Fish',
      'Guest 2: MEAL = Soup',
    ]);
  });

  it('answers to a question that a condition hides now are named for the items that it hides it in, and those that it hid before are not', async () => {
    const hides = field('meal', { visible_if: { key: 'name', equals: 'Ann' } });
    expect((await ofItems(guests(field('name'), field('meal')), guests(field('name'), hides))).dropped).toEqual(['Guest 2: MEAL = Soup']);
    expect((await ofItems(guests(field('name'), hides), guests(field('name')))).dropped).toEqual(['Guest 1: MEAL = Fish']);
  });

  it('the number of items is no answer to another question, nor an answer the number of items', async () => {
    const text = [field('guests')] as unknown as FormItem[];
    const { dropped, values } = await ofItems(guests(field('name')), text, { guests: ['1'], 'guests[0].name': ['Ann'] });
    expect([dropped, values.get('guests')]).toEqual([['Guest 1: NAME = Ann'], undefined]);
    const back = await ofItems(text, guests(field('name')), { guests: ['3'] });
    expect([back.dropped, back.values.get('guests')]).toEqual([['GUESTS = 3'], undefined]);
  });

  it('while the old version cannot be read, answers are named by their places, and no part of an address is put into another', async () => {
    const where = field('meal', { type: 'address', parts: [{ part: 'city' }] });
    const { dropped, values } = await ofItems(Problem.unavailable(), guests(where));
    expect(dropped).toEqual(['guests[0].name = Ann', 'guests[0].meal = Fish', 'guests[1].name = Bob', 'guests[1].meal = Soup']);
    expect(values.get('guests[0].meal')).toBeUndefined();
    expect((await ofItems(Problem.unavailable(), [])).dropped).toEqual(dropped);
  });

  it('while the old version cannot be read, the number of items is no answer to another question, but stays with a repeat', async () => {
    const entries = { guests: ['1'], 'guests[0].name': ['Ann'] };
    for (const problem of [Problem.unavailable(), Problem.notFound('version')]) {
      for (const type of ['short_text', 'number', 'rating'])
        expect(
          (await ofItems(problem, [field('guests', { type })] as unknown as FormItem[], entries)).values.get('guests'),
        ).toBeUndefined();
      expect((await ofItems(problem, guests(field('name')), entries)).values.get('guests')).toEqual(['1']);
    }
    expect((await ofItems(Problem.unavailable(), [field('guests')] as unknown as FormItem[], entries)).dropped).toEqual([
      'guests[0].name = Ann',
    ]);
  });

  it('while the old version cannot be read, an answer is named, and does not become the number of items', async () => {
    for (const answer of ['3', 'Ann and Bob']) {
      const { dropped, values } = await ofItems(Problem.unavailable(), guests(field('name')), { guests: [answer] });
      expect([dropped, values.get('guests')]).toEqual([[`guests = ${answer}`], undefined]);
    }
    expect((await ofItems(Problem.unavailable(), guests(field('name')), { guests: ['0'] })).dropped).toEqual([]);
  });
});
