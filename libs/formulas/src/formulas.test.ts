import { Field, type FormItem } from '@sheaf/contracts';
import { effort, little, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { calculated, dayIn, formulasOf, labelsFor } from './calculation';
import { checkFormula } from './check';
import { evaluate } from './evaluate';
import { formulaFaultText } from './faults';
import { parseFormula, Refused, withNames } from './parse';
import { printFormula } from './print';
import type { Tree } from './tree';

const field = (key: string, type: string, more: object = {}): Field => Field.parse({ key, label: key, type, ...more });
const options = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Bread' },
];
const fields = [
  field('places', 'integer'),
  field('price', 'number'),
  field('name', 'short_text'),
  field('member', 'boolean'),
  field('born', 'date'),
  field('starts', 'datetime'),
  field('size', 'select', { options }),
  field('extras', 'multi_select', { options }),
  field('photo', 'file'),
  field('stay', 'date_range'),
  field('constructor', 'integer'),
];
const known = new Map(fields.map((each) => [each.key, each]));
const check = (text: string) => checkFormula(text, (key) => known.get(key));

function valueOf(text: string, answers: Record<string, unknown> = {}): unknown {
  const { fault } = { fault: undefined, ...check(text) };
  if (fault) throw new Error(JSON.stringify(fault));
  const items = [...fields, field('result', 'calculated', { formula: text })];
  return calculated(items, { key: 'result' }, { answers, today: () => '2026-05-31' });
}

describe('a formula', () => {
  it.each<[string, unknown, Record<string, unknown>?]>([
    ['places * price - if(member, 10, 0)', 15, { places: 2, price: 12.5, member: true }],
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['-2 * -3', 6],
    ['0.1 + 0.2', 0.3],
    ['1 / 3', 0.333333333333333],
    ['2 / 3', 0.666666666666667],
    ['7 % 3', 1],
    ['-7 % 3', -1],
    ['1 / 0', undefined],
    ['1 % 0', undefined],
    ['1 < 2 and not 2 < 1 or false', true],
    ['2 >= 2', true],
    ["name = 'Ada'", true, { name: 'Ada' }],
    ["name != 'Ada'", true],
    ['places = places', false],
    ['places + 1', undefined],
    ['coalesce(places, 0) + 1', 1],
    ['sum(places, price, 1)', 3.5, { price: 2.5 }],
    ['sum(places, price)', undefined],
    ['min(3, 1, 2)', 1],
    ['max(born, today())', '2026-05-31', { born: '2000-02-29' }],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(1234, -2)', 1200],
    ['round(1, 0.5)', undefined],
    ['floor(-1.5)', -2],
    ['ceil(-1.5)', -1],
    ['ceil(1.2)', 2],
    ['abs(-4)', 4],
    ['count(places, price, extras, photo)', 4, { places: 0, extras: ['a', 'b'], photo: 'id' }],
    ['count(stay)', 1, { stay: { from: '2026-05-29', to: '2026-05-31' } }],
    ['count(stay)', 0],
    ["concat(name, ', ', places, ' ', born)", 'Ada, 2 2000-01-01', { name: 'Ada', places: 2, born: '2000-01-01' }],
    ['concat(name)', undefined],
    ['days_between(born, today())', 31, { born: '2026-04-30' }],
    ["days_between(starts, '2026-06-01')", 1, { starts: '2026-05-31T23:00:00+02:00' }],
    ["born < '2026-05-31'", true, { born: '2026-05-30' }],
    ["selected(extras, 'b')", true, { extras: ['b'] }],
    ["selected(size, 'b')", false, { size: 'a' }],
    ['label(size)', 'Apple', { size: 'a' }],
    ['label(extras)', 'Bread, Apple', { extras: ['b', 'a'] }],
    ["'it''s'", "it's"],
    // Neither empty, as that would be free, nor without a bound.
    ['999999999999999999999 * 10', 1e21],
    ['places * -price', -1e21, { places: 1e15, price: 1e15 }],
    ['places - 1', 1e21, { places: 1e300 }],
    ['places * 100 - places * 10', 1e21, { places: 1e21 }],
    ['sum(places, -places)', 1e21, { places: 1e21 }],
    ['floor(places / places % 3)', 1e21, { places: 1e21 }],
    ['0 - 0', 0],
    ['price', undefined, { price: 'many' }],
    ['constructor + 1', 6, { constructor: 5 }],
    ['constructor + 1', undefined],
    ["if(member, 'yes')", undefined],
  ])('%s is %j', (text, value, answers = {}) => {
    expect(valueOf(text, answers)).toEqual(value);
  });

  it.each([
    ['', 1, 'a number, a text, a key or a function is expected'],
    ['1 +', 4, 'a number, a text, a key or a function is expected'],
    ['1 2', 3, 'an operator or the end is expected'],
    ['(1', 3, ') is expected'],
    ["'a", 1, 'the text has no closing quotation mark'],
    ['1 < 2 < 3', 7, 'comparisons are joined by and'],
    ['1 & 2', 3, '& has no meaning here'],
    ['total + 1', 1, 'total is the key of no earlier field'],
    ['valueof', 1, 'valueof is the key of no earlier field'],
    ['power(2, 3)', 1, 'there is no function power'],
    ['photo', 1, 'photo can only be counted'],
    ['label(name)', 7, 'label takes the key of a field with options'],
    ["selected(size, 'c')", 16, 'no option has the value c'],
    ['round()', 1, 'round takes 1 to 2 values'],
    ['today(1)', 1, 'today takes 0 values'],
    ['sum()', 1, 'sum takes at least 1 value'],
    ['name + 1', 1, 'a number is expected, but it is a text'],
    ['places and member', 1, 'yes or no is expected, but it is a number'],
    ["if(member, 1, 'a')", 15, 'a number is expected, but it is a text'],
    ['extras', 1, 'a number or a text or yes or no or a day is expected, but it is several answers'],
    ["born < 'soon'", 8, 'a day is expected, but it is a text'],
    ["days_between(born, '2026-02-31')", 20, 'a day is expected, but it is a text'],
    ['1'.repeat(2_001), 2_001, 'a formula has at most 2,000 characters'],
    [`1${'+1'.repeat(100)}`, 200, 'a formula has at most 200 parts'],
    ['('.repeat(1_000), 31, 'parentheses and functions are at most 30 deep'],
  ])('%s is refused at its place, with the reason', (text, at, reason) => {
    const found = check(text);
    expect(found.fault && formulaFaultText(found.fault)).toBe(`is wrong at character ${at}: ${reason}`);
  });
});

const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 0, max: 6 })).map(([whole, places]) => {
  const text = String(whole).padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
});
const at = 0;
const { number: anyNumber } = fc.letrec<{ number: Tree }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    digits.map((value): Tree => ({ kind: 'number', value, at })),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%'), tie('number'), tie('number'))
      .map(([of, ...parts]): Tree => ({ kind: 'call', of, parts, at })),
    tie('number').map((part): Tree => ({ kind: 'call', of: 'negative', parts: [part], at })),
  ),
}));

const scale = 10n ** 20n;
const limit = 10n ** 21n * scale;
const size = (number: bigint) => (number < 0n ? -number : number);

/** The quotient as a whole number, half away from zero. */
function divided(by: bigint, number: bigint): bigint {
  const half = (2n * size(number) + size(by)) / (2n * size(by));
  return number < 0n === by < 0n ? half : -half;
}

/** By whole numbers of 10^-20. */
function expected(tree: Tree): bigint | undefined {
  const value = unbounded(tree);
  if (value === undefined || size(value) < limit) return value;
  return value < 0n ? -limit : limit;
}

function unbounded(tree: Tree): bigint | undefined {
  if (tree.kind === 'number') {
    const [whole = '', fraction = ''] = tree.value.split('.');
    return BigInt(whole + fraction.padEnd(20, '0'));
  }
  if (tree.kind !== 'call') throw new Error('no number');
  const [a, b] = tree.parts.map(expected);
  if (a === undefined) return undefined;
  if (tree.of === 'negative') return size(a) < limit ? -a : a;
  if (b === undefined) return undefined;
  const beyond = [a, b].find((each) => size(each) >= limit);
  if (beyond !== undefined) return beyond;
  if (tree.of === '+') return a + b;
  if (tree.of === '-') return a - b;
  if (tree.of === '*') return divided(scale, a * b);
  if (b === 0n) return undefined;
  return tree.of === '/' ? divided(b, a * scale) : a % b;
}

function asAnswer(value: bigint | undefined): number | undefined {
  if (value === undefined) return undefined;
  const beyond = Math.max(String(size(value)).length - 15, 0);
  return Number(`${divided(10n ** BigInt(beyond), value)}e${beyond - 20}`) + 0;
}

it('computes as whole numbers do', () => {
  fc.assert(
    fc.property(anyNumber, (tree) => {
      expect(evaluate({ tree, names: {}, gives: 'number' }, { answers: {}, today: () => '', labels: {} })).toEqual(
        asAnswer(expected(tree)),
      );
    }),
    propertyRuns(2_000),
  );
});

const withoutPlaces = (tree: Tree): Tree =>
  tree.kind === 'call' ? { ...tree, at: 0, parts: tree.parts.map(withoutPlaces) } : { ...tree, at: 0 };

const { any: anyTree } = fc.letrec<{ any: Tree }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    digits.map((value): Tree => ({ kind: 'number', value, at })),
    fc.string({ unit: 'grapheme' }).map((value): Tree => ({ kind: 'text', value, at })),
    fc.boolean().map((value): Tree => ({ kind: 'truth', value, at })),
    fc.constantFrom('a', 'places', 'if', 'constructor').map((key): Tree => ({ kind: 'name', key, at })),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%', '<', '>=', '=', '!=', 'and', 'or'), tie('any'), tie('any'))
      .map(([of, ...parts]): Tree => ({ kind: 'call', of, parts, at })),
    fc.tuple(fc.constantFrom('not', 'negative'), tie('any')).map(([of, part]): Tree => ({ kind: 'call', of, parts: [part], at })),
    fc
      .tuple(fc.constantFrom('if', 'sum', 'today'), fc.array(tie('any'), { maxLength: 3 }))
      .map(([of, parts]): Tree => ({ kind: 'call', of, parts, at })),
  ),
}));

it('is read as it is printed', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const text = printFormula(tree);
      try {
        expect(withoutPlaces(parseFormula(text))).toEqual(tree);
      } catch (error) {
        // A random tree may be too large.
        if (!(error instanceof Refused) || !['too_long', 'too_many_parts', 'too_deep'].includes(error.fault.code)) throw error;
      }
    }),
    propertyRuns(2_000),
  );
});

it('is read or refused whatever its text is', () => {
  const marks = fc.array(fc.constantFrom('(', ')', ',', '+', '-', 'not ', 'if', '1', '.', "'", '"', ' ', 'a', '=', '<', '😀', '\0'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        marks.map((each) => each.join('')),
      ),
      (text) => {
        const found = check(text);
        if (found.fault) expect(found.fault.at).toBeLessThanOrEqual(text.length);
      },
    ),
    propertyRuns(2_000),
  );
});

/** Much more than the parts of a formula could hold if their results had no bound. */
const long = 'x'.repeat(100_000);
it.each<[string, string]>([
  ['numbers that grow', `${'9'.repeat(20)}${'*999999999'.repeat(99)}`],
  ['numbers that shrink', `0.${'0'.repeat(19)}1${'*0.000001'.repeat(99)}`],
  ['quotients of quotients', `1${'/7'.repeat(99)}`],
  ['remainders of what is far apart', `0${'+100000000000000000000%.0000000001'.repeat(40)}`],
  ['long texts', `concat(${'name,'.repeat(198)}name)`],
  ['parentheses', '('.repeat(2_000)],
  ['signs', '-'.repeat(2_000)],
  ['quotation marks', "''".repeat(1_000)],
  ['digits', '9'.repeat(2_000)],
  ['a long fraction', `.${'9'.repeat(1_999)}`],
])('costs little, whatever it computes: %s', async (_, text) => {
  const work = () => {
    const found = check(text);
    if (!found.fault) evaluate(found.formula, { answers: { name: long }, today: () => '2026-05-31', labels: {} });
  };
  expect(
    await effort(() => {
      for (let turn = 0; turn < 10; turn++) work();
    }),
  ).toBeLessThan(little);
});

describe('labels of a thousand options', () => {
  const values = Array.from({ length: 1_000 }, (_, at) => `v${at}`);
  const many = field('many', 'multi_select', { options: values.map((value) => ({ value, label: `${value} ${'x'.repeat(190)}` })) });
  const texts = Array.from({ length: 400 }, (_, at) => field(`text_${at}`, 'calculated', { formula: 'label(many)', format: 'text' }));
  const longText = field('long', 'calculated', { formula: `concat(${'label(many),'.repeat(98)}label(many))`, format: 'text' });

  it('are in no formula, and once among those of a page', () => {
    const items = [...fields, many, ...texts];
    const formulas = [...formulasOf(items).values()];
    expect(Math.max(...formulas.map((formula) => JSON.stringify(formula).length))).toBeLessThan(300);
    expect(Object.keys(labelsFor(items, formulas))).toEqual(['many']);
    expect(labelsFor(items, formulas.slice(0, 1)).many).toMatchObject({ v7: expect.stringMatching(/^v7 x/) as string });
    expect(labelsFor([...items, field('total', 'calculated', { formula: 'places' })], [])).toEqual({});
  });

  it('cost little, for however many formulas ask for them', async () => {
    const facts = { answers: { many: values }, today: () => '' };
    expect(
      await effort(() => {
        const items = [...fields, many, ...texts, longText];
        for (const item of [...texts, longText]) calculated(items, item, facts);
      }),
    ).toBeLessThan(little);
    expect(calculated([many, longText], longText, facts)).toHaveLength(1_000);
  });
});

it('gives a text of at most 1,000 characters, and no half of one', () => {
  const text = valueOf('concat(name)', { name: `${'x'.repeat(999)}😀` });
  expect(text).toBe('x'.repeat(999));
});

it('computes the calculated fields of a form, each from earlier ones', () => {
  const items: FormItem[] = [
    field('places', 'integer'),
    field('half', 'calculated', { formula: 'places / 2' }),
    field('wrong', 'calculated', { formula: 'later' }),
    field('later', 'calculated', { formula: 'half + 1' }),
  ];
  const facts = { answers: { places: 3, half: 1.5 }, today: () => '' };
  expect(['half', 'wrong', 'later'].map((key) => calculated(items, { key }, facts))).toEqual([1.5, undefined, 2.5]);
});

it('has the day of a time zone', () => {
  const at = new Date('2026-05-31T23:30:00Z');
  expect([dayIn('Europe/Berlin', at), dayIn('America/New_York', at), dayIn(undefined, at)]).toEqual([
    '2026-06-01',
    '2026-05-31',
    '2026-05-31',
  ]);
});

it.each([
  ["a+ sum(a , b)- 'a' ", "c+ sum(c , b)- 'a' "],
  ['not a and a', 'not c and c'],
  // A function of the same name, and a text that is not finished.
  ['a(a', 'a(c'],
  ["a + 'a", "a + 'a"],
])('names in %j are changed, and nothing else', (text, changed) => {
  expect(withNames(text, (key) => (key === 'a' ? 'c' : key))).toBe(changed);
});

describe('a repeat', () => {
  const items: FormItem[] = [
    field('rate', 'number'),
    field('lines', 'repeat', {
      fields: [field('amount', 'number'), field('day', 'date'), field('taxed', 'calculated', { formula: 'amount * rate' })],
    }),
  ];
  const lines = [{ amount: 2, day: '2026-05-31' }, { amount: 3.5, day: '2026-05-01' }, {}];
  const result = (formula: string, answers: Record<string, unknown>) => {
    const total = field('total', 'calculated', { formula });
    return calculated([...items, total], total, { answers, today: () => '' });
  };

  it.each<[string, string | number | undefined, Record<string, unknown>]>([
    ['sum(lines.amount)', 5.5, { lines }],
    ['sum(lines.amount, 1)', 6.5, { lines }],
    ['min(lines.amount)', 2, { lines }],
    ['max(lines.day)', '2026-05-31', { lines }],
    ['count(lines)', 3, { lines }],
    ['count(lines.amount)', 2, { lines }],
    ['sum(lines.amount)', undefined, {}],
    ['count(lines)', 0, {}],
    ['sum(lines.amount)', undefined, { lines: 'none' }],
    ['sum(lines.amount)', 1, { lines: [null, 'x', { amount: 1 }] }],
  ])('gives the answers of all its items: %s', (formula, expected, answers) => {
    expect(result(formula, answers)).toBe(expected);
  });

  it('counts its items without reading the answers in them, which may be long', () => {
    const unread = Object.defineProperty({}, 'amount', {
      enumerable: true,
      get: () => {
        throw new Error('was read');
      },
    });
    expect(result('count(lines)', { lines: [unread, unread] })).toBe(2);
  });

  it('computes in each item from the answers of the same one', () => {
    const facts = { answers: { rate: 2, amount: 3 }, today: () => '' };
    expect(calculated(items, { key: 'taxed' }, facts)).toBe(6);
  });

  it('keeps its name and that of its field in a formula that names them anew', () => {
    expect(withNames('sum(lines.amount) + rate', (key) => `${key}_2`)).toBe('sum(lines_2.amount_2) + rate_2');
  });
});
