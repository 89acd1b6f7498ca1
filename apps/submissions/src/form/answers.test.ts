import { Field, FormItem, type AnswerFaultCode } from '@sheaf/contracts';
import { silentLog } from '@sheaf/runtime';
import { effort, little } from '@sheaf/testing';
import { answerCheck, type Answers, type Checked } from './answers';
import { MatchedPatterns, type Patterns } from './patterns';

const patterns = new MatchedPatterns({ log: silentLog() });

/** Runs a check that must finish synchronously. */
const checkOf = (items: FormItem[]) => {
  const check = answerCheck(items, patterns);
  return (input: Answers): Checked => {
    const checked = check(input, () => '2026-05-31');
    if (checked instanceof Promise) throw new Error('it takes long');
    return checked;
  };
};

const fileId = (n: number) => `019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c${String(n).padStart(2, '0')}`;
const fieldOf = (input: Record<string, unknown>) => Field.parse({ key: 'a', label: 'A', ...input });
const faultsOf = (field: Record<string, unknown>, answer: unknown) =>
  checkOf([fieldOf(field)])({ a: answer }).faults.map(({ message }) => message);

describe('an accepted answer', () => {
  it.each([
    ['short_text', {}, 'Ada'],
    ['short_text', { min_length: 3, max_length: 3 }, 'abc'],
    ['short_text', { pattern: '[A-Z]{2}-[0-9]+' }, 'AB-12'],
    ['long_text', {}, 'line\nline'],
    ['email', {}, 'ada@example.org'],
    ['url', {}, 'https://example.org/?q=1'],
    ['short_text', { min_length: 3, max_length: 3 }, '😀😀😀'],
    ['short_text', {}, '😀'.repeat(1_000)],
    ['short_text', {}, ' '],
    ['phone', {}, '+44 20 7946 0000'],
    ['phone', {}, '+1 (555) 123-4567'],
    ['phone', {}, '+44 (0)20 7946 0000'],
    ['phone', {}, '030/901820.0'],
    ['country', {}, 'XK'],
    ['country', { only: ['AT', 'DE'] }, 'DE'],
    ['number', { min: 0, max: 1 }, 0.5],
    ['integer', {}, -3],
    ['rating', {}, 5],
    ['rating', { max: 10 }, 10],
    ['boolean', {}, false],
    ['date', {}, '2028-02-29'],
    ['time', {}, '23:59'],
    ['datetime', {}, '2026-05-31T14:30'],
    ['datetime', {}, '2026-05-31T14:30:00+02:00'],
    ['datetime', {}, '2026-05-31t14:30:00.123456z'],
    ['datetime', {}, '2026-12-31T23:59:60Z'],
    ['date_range', {}, { from: '2026-05-31', to: '2026-05-31' }],
    ['date_range', { max_days: 29 }, { from: '2028-02-01', to: '2028-02-29' }],
    ['date_range', { min_date: '2026-05-01', max_date: '2026-05-02' }, { from: '2026-05-01', to: '2026-05-02' }],
    ['select', { options: ['red', 'blue'] }, 'red'],
    ['multi_select', { options: ['red', 'blue'] }, ['blue', 'red']],
    ['ranking', { options: ['red', 'blue'] }, ['blue', 'red']],
    ['ranking', { options: ['red', 'blue', 'green'], ranks: 2 }, ['green', 'red']],
    ['matrix', { rows: ['a', 'b'], columns: ['x', 'y'] }, { a: 'y' }],
    ['matrix', { rows: ['a', 'b'], columns: ['x', 'y'], multiple: true }, { b: ['x', 'y'] }],
    ['hidden', {}, 'campaign-7'],
    ['file', {}, '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09'],
    ['file', { multiple: true, max_files: 1 }, ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09']],
    ['multi_select', { options: ['red', 'blue'], min_choices: 2, max_choices: 2 }, ['blue', 'red']],
    ['date', { min_date: '2026-05-31', max_date: '2026-05-31' }, '2026-05-31'],
    ['datetime', { min_date: '2026-05-31', max_date: '2026-05-31' }, '2026-05-31T23:59:00-11:00'],
  ])('%s %j: %j', (type, rules, answer) => {
    expect(faultsOf({ type, ...rules }, answer)).toEqual([]);
  });
});

const dateRangeFault = 'must be an object with the days from and to, such as {"from": "2026-05-01", "to": "2026-05-31"}';
const unknownPart = (name: string) => `must not have the part "${name}", for which the field does not ask`;
const dateTimeFault = 'must be a date and time such as 2026-05-31T14:30 or 2026-05-31T14:30:00Z';

describe('a refused answer', () => {
  it.each([
    ['short_text', {}, 5, 'must be text'],
    ['short_text', { min_length: 3 }, 'ab', 'must have at least 3 characters'],
    ['short_text', { max_length: 3 }, 'abcd', 'must have at most 3 characters'],
    ['short_text', {}, 'x'.repeat(1001), 'must have at most 1000 characters'],
    ['short_text', { min_length: 3 }, '😀😀', 'must have at least 3 characters'],
    ['short_text', { max_length: 3 }, '😀😀😀😀', 'must have at most 3 characters'],
    ['short_text', {}, 'a\0b', 'must be well-formed Unicode without NUL'],
    ['short_text', {}, '\ud800', 'must be well-formed Unicode without NUL'],
    ['short_text', { pattern: '[a-z]+' }, 'abc1', 'does not have the required format'],
    ['email', {}, 'ada@', 'must be an e-mail address'],
    ['url', {}, 'javascript:alert(1)', 'must be a web address that starts with http:// or https://'],
    ['phone', {}, 'call me', 'must be a phone number'],
    ['phone', {}, '()', 'must be a phone number'],
    ['phone', {}, '((555', 'must be a phone number'],
    ['country', {}, 'Germany', 'must be the code of a country that the field offers, such as DE'],
    ['country', { only: ['AT'] }, 'DE', 'must be the code of a country that the field offers, such as DE'],
    ['country', {}, ['DE'], 'must be the code of a country that the field offers, such as DE'],
    ['date_range', {}, '2026-05-31', dateRangeFault],
    ['date_range', {}, ['2026-05-01', '2026-05-31'], dateRangeFault],
    ['date_range', {}, { from: '2026-05-01' }, dateRangeFault],
    ['date_range', {}, { from: '', to: '2026-05-01' }, dateRangeFault],
    ['date_range', {}, { from: '2026-02-29', to: '2026-05-01' }, dateRangeFault],
    ['date_range', {}, { from: '2026-05-01', to: '2026-05-02', constructor: 1 }, unknownPart('constructor')],
    ['date_range', {}, JSON.parse('{"from": "2026-05-01", "to": "2026-05-02", "__proto__": 1}'), unknownPart('__proto__')],
    ['date_range', {}, { from: '2026-05-02', to: '2026-05-01' }, 'must not end before it begins'],
    ['date_range', { min_date: '2026-05-02' }, { from: '2026-05-01', to: '2026-05-03' }, 'must be 2026-05-02 or later'],
    ['date_range', { max_date: '2026-05-02' }, { from: '2026-05-01', to: '2026-05-03' }, 'must be 2026-05-02 or earlier'],
    ['date_range', { max_days: 28 }, { from: '2028-02-01', to: '2028-02-29' }, 'must have at most 28 days'],
    ['number', {}, '5', 'must be a number'],
    ['number', { min: 0 }, -1, 'must be at least 0'],
    ['number', { max: 1 }, 2, 'must be at most 1'],
    ['integer', {}, 1.5, 'must be a whole number'],
    ['integer', {}, 2 ** 53, 'must be between -9007199254740991 and 9007199254740991'],
    ['rating', {}, 6, 'must be at most 5'],
    ['rating', {}, 0, 'must be at least 1'],
    ['boolean', {}, 'yes', 'must be true or false'],
    ['date', {}, '2026-02-29', 'must be a date such as 2026-05-31'],
    ['date', {}, '2026-W01', 'must be a date such as 2026-05-31'],
    ['time', {}, '24:01', 'must be a time such as 14:30'],
    ['time', {}, '24:00', 'must be a time such as 14:30'],
    ['date', {}, '0000-01-01', 'must be a date such as 2026-05-31'],
    ['datetime', {}, '2026-05-31', dateTimeFault],
    ['datetime', {}, '2026-05-31T14:30+02:00', dateTimeFault],
    ['datetime', {}, '2026-02-29T14:30:00Z', dateTimeFault],
    ['datetime', {}, '2026-05-31 14:30:00Z', dateTimeFault],
    ['select', { options: ['red'] }, 'green', 'must be one of the options'],
    ['multi_select', { options: ['red'] }, 'red', 'must be a list of options'],
    ['multi_select', { options: ['red'] }, ['green'], 'must contain only options of this field'],
    ['multi_select', { options: ['red'] }, ['red', 'red'], 'must not contain an option twice'],
    ['multi_select', { options: ['red', 'blue'], min_choices: 2 }, ['red'], 'must have at least 2 options'],
    ['multi_select', { options: ['red', 'blue'], max_choices: 1 }, ['red', 'blue'], 'must have at most 1 option'],
    ['ranking', { options: ['red', 'blue'] }, ['red'], 'must have at least 2 options'],
    ['ranking', { options: ['red', 'blue'], ranks: 1 }, ['red', 'blue'], 'must have at most 1 option'],
    ['ranking', { options: ['red', 'blue'] }, ['red', 'red'], 'must not contain an option twice'],
    ['ranking', { options: ['red', 'blue'] }, ['red', 'green'], 'must contain only options of this field'],
    ['ranking', { options: ['red', 'blue'] }, 'red', 'must be a list of options'],
    ['date', { min_date: '2026-05-31' }, '2026-05-30', 'must be 2026-05-31 or later'],
    ['date', { min_date: '2026-05-31' }, 'soon', 'must be a date such as 2026-05-31'],
    ['datetime', { max_date: '2026-05-31' }, '2026-06-01T00:00', 'must be 2026-05-31 or earlier'],
    ['file', { multiple: true }, '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09', 'must be a list of file_ids'],
    ['file', { multiple: true }, [fileId(0), fileId(0)], 'must not contain a file twice'],
    ['file', { multiple: true }, Array.from({ length: 11 }, (_, n) => fileId(n)), 'must have at most 10 files'],
    ['file', { multiple: true, max_files: 1 }, [fileId(0), fileId(1)], 'must have at most 1 file'],
    ['file', { multiple: true }, ['cv.pdf', 'cv2.pdf'], 'must be the file_id of a file that was uploaded for this field and is not in use'],
    ['file', {}, 'cv.pdf', 'must be the file_id of a file that was uploaded for this field and is not in use'],
  ])('%s %j: %j %s', (type, rules, answer, message) => {
    expect(faultsOf({ type, ...rules }, answer)).toEqual([message]);
  });

  it('may have a key that the form does not have', () => {
    expect(checkOf([fieldOf({ type: 'short_text' })])({ a: 'x', b: 'y' }).faults).toEqual([
      { key: 'b', code: 'unknown_field', params: {}, message: 'is not a field of this form' },
    ]);
  });

  it('costs little with as many unknown keys as a body may have, of which 30 are named', async () => {
    const check = checkOf([fieldOf({ type: 'short_text', required: true })]);
    const input = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, at]));
    expect(await effort(() => check(input))).toBeLessThan(little);
    expect(check(input)).toMatchObject({ unlisted: 39_970 });
    expect(check(input).faults).toHaveLength(31);
  });

  it('is reported together with all others', () => {
    const check = checkOf([fieldOf({ type: 'email', required: true }), fieldOf({ key: 'b', type: 'number' })]);
    expect(check({ b: 'x' }).faults).toEqual([
      { key: 'a', code: 'required', params: {}, message: 'is required' },
      { key: 'b', code: 'not_number', params: {}, message: 'must be a number' },
    ]);
  });
});

it('accepts a phone number with its area code in parentheses', () => {
  expect(faultsOf({ type: 'phone' }, '(555) 123-4567')).toEqual([]);
});

describe('a required field', () => {
  it.each(['short_text', 'long_text', 'email', 'hidden'])('of type %s is not answered by blank text', (type) => {
    const blanks = [' ', ' \t\r\n', '\u00a0\u3000\ufeff', '\u200b\u2060\u3164', '\u2800'];
    expect(blanks.flatMap((blank) => faultsOf({ type, required: true }, blank))).toEqual(blanks.map(() => 'is required'));
  });

  it('is answered by false, unless it must be true', () => {
    expect(faultsOf({ type: 'boolean', required: true }, false)).toEqual([]);
    expect(faultsOf({ type: 'boolean', required: true, must_be_true: false }, false)).toEqual([]);
    expect(faultsOf({ type: 'boolean', required: true, must_be_true: true }, true)).toEqual([]);
    expect(faultsOf({ type: 'boolean', required: true, must_be_true: true }, false)).toEqual(['must be true']);
    expect(faultsOf({ type: 'boolean', required: true, must_be_true: true }, null)).toEqual(['is required']);
  });
});

describe('an empty answer', () => {
  it.each([[undefined], [null], [''], [[]]])('%j counts as no answer', (empty) => {
    expect(faultsOf({ type: 'short_text', required: true }, empty)).toEqual(['is required']);
    expect(checkOf([fieldOf({ type: 'short_text' })])({ a: empty })).toEqual({ answers: {}, faults: [] });
  });

  it('is neither false nor 0', () => {
    expect(checkOf([fieldOf({ type: 'boolean', required: true })])({ a: false })).toEqual({ answers: { a: false }, faults: [] });
    expect(checkOf([fieldOf({ type: 'number', required: true })])({ a: 0 })).toEqual({ answers: { a: 0 }, faults: [] });
  });
});

describe('a field that depends on another', () => {
  const check = (visible_if: Record<string, unknown>) =>
    checkOf([
      fieldOf({ type: 'select', options: ['yes', 'no'] }),
      fieldOf({ key: 'why', type: 'short_text', required: true, visible_if: { key: 'a', ...visible_if } }),
    ]);

  it.each([
    [{ equals: 'yes' }, 'yes', true],
    [{ equals: 'yes' }, 'no', false],
    [{ not_equals: 'yes' }, 'no', true],
    [{ not_equals: 'yes' }, undefined, true],
    [{ in: ['yes', 'perhaps'] }, 'yes', true],
    [{ in: ['perhaps'] }, 'yes', false],
    [{ answered: true }, 'no', true],
    [{ answered: true }, undefined, false],
    [{ answered: false }, undefined, true],
  ])('with %j and the answer %j is required: %j', (condition, answer, asked) => {
    expect(check(condition)({ a: answer }).faults).toEqual(
      asked ? [{ key: 'why', code: 'required', params: {}, message: 'is required' }] : [],
    );
  });

  it('is not required because of a property that every JavaScript object has', () => {
    const fields = [
      fieldOf({ key: 'constructor', type: 'short_text' }),
      fieldOf({ required: true, visible_if: { key: 'constructor', answered: true }, type: 'short_text' }),
    ];
    expect(checkOf(fields)({})).toEqual({ answers: {}, faults: [] });
  });

  it('is dropped while it is hidden, because a page without scripts sends it anyway', () => {
    expect(check({ equals: 'yes' })({ a: 'no', why: 'left over' })).toEqual({ answers: { a: 'no' }, faults: [] });
  });
});

it('treats keys that every object has like any other unknown key', () => {
  const { faults } = checkOf([])(JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>);
  expect(faults.map(({ key }) => key)).toEqual(['__proto__', 'constructor']);
});

it('matches in linear time a pattern that backtracks exponentially elsewhere', () => {
  expect(faultsOf({ type: 'short_text', pattern: '(a+)+$' }, 'a'.repeat(900) + '!')).toEqual(['does not have the required format']);
});

it('the answers in items are matched pattern by pattern, as few are kept compiled, and their faults are in the order of the items', async () => {
  const matched: string[] = [];
  const recording: Patterns = {
    matcher: (pattern) => (text) => () => {
      matched.push(`${pattern} ${text}`);
      return Promise.resolve(text.endsWith('2') ? 'differs' : 'matches');
    },
  };
  const fields = ['a', 'b'].map((key) => ({ key, label: key, type: 'short_text', pattern: `${key}.` }));
  const check = answerCheck([fieldOf({ key: 'g', type: 'repeat', fields })], recording);
  const { faults } = await check({ g: [1, 2, 2].map((n) => ({ a: `a${n}`, b: `b${n}` })) }, () => '2026-05-31');
  expect(matched).toEqual(['a. a1', 'a. a2', 'a. a2', 'b. b1', 'b. b2', 'b. b2']);
  expect(faults.map(({ key }) => key)).toEqual(['g[1].a', 'g[1].b', 'g[2].a', 'g[2].b']);
});

describe('a field that is required only under a condition', () => {
  const check = checkOf([
    fieldOf({ type: 'boolean' }),
    fieldOf({ key: 'b', type: 'short_text', required: true, required_if: { key: 'a', equals: true } }),
    fieldOf({
      key: 'c',
      type: 'short_text',
      required: true,
      visible_if: { key: 'b', answered: true },
      required_if: { key: 'a', answered: true },
    }),
  ]);

  it.each<[Answers, string[]]>([
    [{ a: true }, ['b']],
    [{ a: true, b: ' ' }, ['b']],
    [{ a: true, b: 'x' }, ['c']],
    [{ a: false }, []],
    [{ b: ' ' }, []],
    [{}, []],
  ])('with the answers %j lacks %j', (given, missing) => {
    const { faults } = check(given);
    expect(faults.map(({ key, code }) => [key, code])).toEqual(missing.map((key) => [key, 'required']));
  });

  it('keeps an answer that it does not need', () => {
    expect(check({ a: false, b: 'x', c: 'y' })).toEqual({ answers: { a: false, b: 'x', c: 'y' }, faults: [] });
  });
});

describe('a check', () => {
  const day = (key: string, more: object = {}) => fieldOf({ key, type: 'date', ...more });
  const check = (more: object) => FormItem.parse({ type: 'check', message: 'The end is before the start.', at: 'ends', ...more });
  const items = [
    fieldOf({ type: 'boolean' }),
    day('starts', { visible_if: { key: 'a', equals: true } }),
    day('ends', { visible_if: { not: { key: 'a', equals: false } } }),
    check({ if: { key: 'ends', lt: { key: 'starts' } } }),
    check({
      if: {
        all: [
          { key: 'ends', answered: true },
          { key: 'starts', answered: false },
        ],
      },
      message: 'The start is missing.',
    }),
  ];
  const refused = (answers: Answers) =>
    checkOf(items)(answers).faults.map(({ key, code, params, message }) => [key, code, params, message]);

  it('refuses answers that meet its condition, at its field and with its own message', () => {
    expect(refused({ a: true, starts: '2026-05-02', ends: '2026-05-01' })).toEqual([
      ['ends', 'refused', { check: 3 }, 'The end is before the start.'],
    ]);
    expect(refused({ a: true, starts: '2026-05-02', ends: '2026-05-02' })).toEqual([]);
    expect(refused({ a: true, starts: '2026-05-02' })).toEqual([]);
  });

  it('counts a hidden answer as none', () => {
    expect(refused({ starts: '2026-05-02', ends: '2026-05-01' })).toEqual([['ends', 'refused', { check: 4 }, 'The start is missing.']]);
  });

  it('refuses nothing while its field is hidden, as nobody could correct it there', () => {
    const hidden = [...items, check({ if: { key: 'a', equals: false } })];
    expect(checkOf(hidden)({ a: false })).toEqual({ answers: { a: false }, faults: [] });
  });

  it('waits until the answers that it names are right', () => {
    expect(refused({ a: true, starts: 'soon', ends: '2026-05-01' })).toEqual([
      ['starts', 'not_date', {}, 'must be a date such as 2026-05-31'],
    ]);
  });

  it('costs little, however many there are', async () => {
    const fifty = (condition: object) => ({ any: Array.from({ length: 50 }, () => condition) });
    const many = [
      fieldOf({ type: 'integer' }),
      fieldOf({ key: 'ends', type: 'long_text' }),
      ...Array.from({ length: 48 }, () => check({ if: fifty({ key: 'a', gt: 3 }) })),
      ...Array.from({ length: 2 }, () => check({ if: fifty({ key: 'ends', contains: 'x' }) })),
    ];
    const input = { a: 1, ends: 'é'.repeat(100_000) };
    expect(checkOf(many)(input)).toEqual({ answers: input, faults: [] });
    expect(await effort(() => checkOf(many)(input))).toBeLessThan(little);
  });
});

describe('pages and sections', () => {
  const item = (type: 'page' | 'section' | 'statement', visible_if?: object) => FormItem.parse({ type, label: 'L', visible_if });
  const asked = (key: string) => fieldOf({ key, type: 'short_text', required: true });
  const missing = (input: Answers, ...items: FormItem[]) => checkOf(items)(input).faults.map(({ key }) => key);
  const ifYes = { key: 'a', equals: 'yes' };

  it('with a condition control the fields that follow, up to the next of their kind', () => {
    const items = [
      fieldOf({ type: 'short_text' }),
      item('page', ifYes),
      asked('b'),
      item('section'),
      asked('c'),
      item('page'),
      asked('d'),
      item('section', ifYes),
      asked('e'),
      item('statement'),
      asked('f'),
      item('section'),
      asked('g'),
    ];
    expect(missing({ a: 'no' }, ...items)).toEqual(['d', 'g']);
    expect(missing({ a: 'yes' }, ...items)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('show the start of a new page even if the section before it is hidden', () => {
    const items = [fieldOf({ type: 'short_text' }), item('section', ifYes), asked('b'), item('page'), asked('c')];
    expect(missing({}, ...items)).toEqual(['c']);
  });

  it('do not keep answers while they are hidden', () => {
    const items = [fieldOf({ type: 'short_text' }), item('page', ifYes), asked('b')];
    expect(checkOf(items)({ a: 'no', b: 'left over' })).toEqual({ answers: { a: 'no' }, faults: [] });
  });
});

it.each<[string, Record<string, unknown>, unknown, AnswerFaultCode, object]>([
  ['short_text', { min_length: 3 }, 'ab', 'too_short', { min: 3 }],
  ['email', {}, 'x'.repeat(300), 'too_long', { max: 254 }],
  ['rating', {}, 6, 'too_large', { max: 5 }],
  ['number', { min: 0.5 }, 0, 'too_small', { min: 0.5 }],
  ['date', { min_date: '2026-01-01' }, '2025-12-31', 'too_early', { min: '2026-01-01' }],
  ['boolean', { required: true, must_be_true: true }, false, 'not_true', {}],
])('a refused %s with %j gives the reason as a code with its bounds', (type, rules, answer, code, params) => {
  expect(checkOf([fieldOf({ type, ...rules })])({ a: answer }).faults).toMatchObject([{ key: 'a', code, params }]);
});

describe('answers are kept in their normal form', () => {
  const kept = (field: Record<string, unknown>, answer: unknown) => {
    const checked = checkOf([fieldOf(field)])({ a: answer });
    return 'answers' in checked ? checked.answers : checked.faults.map(({ message }) => message);
  };

  it.each<[Record<string, unknown>, unknown, unknown]>([
    [{ type: 'short_text', pattern: '[A-Z]{2}-[0-9]{4}' }, 'AB-1234 ', 'AB-1234'],
    [{ type: 'short_text', max_length: 3 }, ' Zoe\u0308 ', 'Zoë'],
    [{ type: 'short_text', trim: false }, ' x ', ' x '],
    [{ type: 'phone' }, '\u202a+49 170 1234567\u202c', '+49 170 1234567'],
    [{ type: 'email', max_length: 15 }, 'mailto:ada@example.com', 'ada@example.com'],
    [{ type: 'url' }, 'www.example.org', 'https://www.example.org'],
    [{ type: 'date', min_date: '2026-05-31' }, '٢٠٢٦-٠٥-٣١', '2026-05-31'],
  ])('%j: %j as %j, checked as it is kept', (field, answer, expected) => {
    expect(kept(field, answer)).toEqual({ a: expected });
  });

  it('and decide in it whether a condition holds', () => {
    const check = checkOf([
      fieldOf({ type: 'short_text' }),
      fieldOf({ key: 'b', type: 'short_text', required: true, visible_if: { key: 'a', equals: 'Zoë' } }),
    ]);
    expect(check({ a: 'Zoe\u0308\t' }).faults).toMatchObject([{ key: 'b', code: 'required' }]);
  });

  it('so that white space alone is no answer', () => {
    expect(kept({ type: 'short_text' }, ' \t')).toEqual({});
    expect(kept({ type: 'short_text', trim: false }, ' ')).toEqual({ a: ' ' });
  });

  it('but a number that would change is refused', () => {
    expect(kept({ type: 'number' }, '4000123412341234567')).toEqual([
      'must be a number of at most 15 digits: a longer one cannot be kept exactly',
    ]);
    expect(kept({ type: 'number' }, '1500')).toEqual(['must be a number']);
    expect(kept({ type: 'integer' }, '4000123412341234567')).toEqual(['must be between -9007199254740991 and 9007199254740991']);
  });
});

it('shuffled options are kept in the order of the form, whoever sends them, and others as they are sent', () => {
  const options = ['red', 'green', 'blue'];
  const kept = (field: object, a: unknown) => checkOf([fieldOf({ options, ...field })])({ a });
  const sent = ['blue', 'red'];
  expect(kept({ type: 'multi_select', shuffle: true }, sent)).toEqual({ answers: { a: ['red', 'blue'] }, faults: [] });
  expect(kept({ type: 'multi_select' }, sent)).toEqual({ answers: { a: sent }, faults: [] });
  // The order is the answer.
  expect(kept({ type: 'ranking', ranks: 2, shuffle: true }, sent)).toEqual({ answers: { a: sent }, faults: [] });
  expect(kept({ type: 'select', shuffle: true }, 'blue')).toEqual({ answers: { a: 'blue' }, faults: [] });
});

it('conditions with many values cost little, however many options are chosen', async () => {
  const options = Array.from({ length: 1_000 }, (_, at) => ({ value: `option-${at}`, label: 'x' }));
  const among = Array.from({ length: 200 }, (_, at) => `absent-${at}`);
  const check = checkOf([
    fieldOf({ type: 'multi_select', options }),
    ...Array.from({ length: 499 }, (_, at) => fieldOf({ key: `b${at}`, type: 'short_text', visible_if: { key: 'a', in: among } })),
  ]);
  const input = { a: options.map(({ value }) => value) };
  expect(check(input)).toMatchObject({ answers: input });
  expect(await effort(() => check(input))).toBeLessThan(little);
});

it('as many conditions as a form may have cost little, however long the text is that they look into', async () => {
  const fifty = (condition: object) => ({ any: Array.from({ length: 50 }, () => condition) });
  const check = checkOf([
    fieldOf({ type: 'integer' }),
    fieldOf({ key: 'text', type: 'long_text' }),
    ...Array.from({ length: 98 }, (_, at) => fieldOf({ key: `b${at}`, type: 'short_text', visible_if: fifty({ key: 'a', gt: 3 }) })),
    ...['c', 'd'].map((key) => fieldOf({ key, type: 'short_text', visible_if: fifty({ key: 'text', contains: 'x' }) })),
  ]);
  const input = { a: 1, text: 'é'.repeat(100_000) };
  expect(check(input)).toEqual({ answers: input, faults: [] });
  expect(await effort(() => check(input))).toBeLessThan(little);
});

it('as many questions as a form may have cost little, however long the text is on which their options depend', async () => {
  const options = [{ value: 'x', label: 'X', visible_if: { key: 'text', contains: 'e' } }];
  const keys = Array.from({ length: 499 }, (_, at) => `b${at}`);
  const check = checkOf([fieldOf({ key: 'text', type: 'long_text' }), ...keys.map((key) => fieldOf({ key, type: 'select', options }))]);
  const input = { text: 'é'.repeat(100_000), ...Object.fromEntries(keys.map((key) => [key, 'x'])) };
  expect(check(input)).toEqual({ answers: input, faults: [] });
  expect(await effort(() => check(input))).toBeLessThan(little);
});

describe('a refused answer', () => {
  const messages = { required: 'Who are you?', pattern: 'As on the invoice', min: 'Too few', max: 'Too many' };

  it.each<[Record<string, unknown>, unknown, AnswerFaultCode, string]>([
    [{ type: 'short_text', required: true }, undefined, 'required', 'Who are you?'],
    [{ type: 'boolean', required: true, must_be_true: true }, false, 'not_true', 'Who are you?'],
    [{ type: 'short_text', pattern: '[0-9]+' }, 'a', 'wrong_format', 'As on the invoice'],
    [{ type: 'short_text', min_length: 2 }, 'a', 'too_short', 'Too few'],
    [{ type: 'date', max_date: '2026-05-31' }, '2026-06-01', 'too_late', 'Too many'],
    [{ type: 'multi_select', options: ['a', 'b'], max_choices: 1 }, ['a', 'b'], 'too_many_choices', 'Too many'],
    [{ type: 'number', min: 3 }, 'a', 'not_number', 'must be a number'],
  ])('of %j is told in the words of the author, under the same code (%j)', (field, answer, code, message) => {
    const [fault] = checkOf([fieldOf({ ...field, messages })])(answer === undefined ? {} : { a: answer }).faults;
    expect(fault).toMatchObject({ key: 'a', code, message });
  });
});

describe('An option with a condition', () => {
  const inRegion = (region: string) => ({ key: 'region', equals: region });
  const city = (more: object = {}) =>
    fieldOf({
      ...{ key: 'city', type: 'select', required: true },
      options: [
        { value: 'linz', label: 'Linz', visible_if: inRegion('upper') },
        { value: 'wels', label: 'Wels', visible_if: inRegion('upper') },
        { value: 'graz', label: 'Graz', visible_if: inRegion('styria') },
      ],
      ...more,
    });
  const region = fieldOf({ key: 'region', type: 'select', options: ['upper', 'styria', 'vienna'] });
  const codes = (items: FormItem[], input: Answers) => checkOf(items)(input).faults.map(({ key, code }) => `${key} ${code}`);

  it.each<[Answers, string[]]>([
    [{ region: 'upper', city: 'wels' }, []],
    [{ region: 'styria', city: 'wels' }, ['city option_not_offered']],
    [{ region: 'styria' }, ['city required']],
    [{ region: 'styria', city: 'paris' }, ['city not_option']],
  ])('is accepted only where it is offered: %j', (input, faults) => {
    expect(codes([region, city()], input)).toEqual(faults);
  });

  it('leaves a required field out where none of its options is offered, with what is sent for it', () => {
    const name = fieldOf({ key: 'why', type: 'short_text', visible_if: { key: 'city', answered: true } });
    for (const input of [{ region: 'vienna' }, {}])
      expect(checkOf([region, city(), name])({ ...input, city: 'graz', why: 'x' })).toEqual({ answers: input, faults: [] });
  });

  it('is one of several that are chosen, of which nobody has to choose more than are offered', () => {
    const cities = city({ type: 'multi_select', min_choices: 2 });
    expect(codes([region, cities], { region: 'upper', city: ['linz', 'graz'] })).toEqual(['city option_not_offered']);
    expect(codes([region, cities], { region: 'upper', city: ['linz'] })).toEqual(['city too_few_choices']);
    expect(codes([region, cities], { region: 'styria', city: ['graz'] })).toEqual([]);
    expect(codes([region, cities], { region: 'upper', city: ['linz', 'wels'] })).toEqual([]);
  });

  it('is ranked with the others that are offered, however many ranks there are', () => {
    const cities = city({ type: 'ranking' });
    expect(codes([region, cities], { region: 'upper', city: ['linz', 'wels', 'graz'] })).toEqual(['city option_not_offered']);
    expect(codes([region, cities], { region: 'upper', city: ['linz'] })).toEqual(['city too_few_choices']);
    expect(codes([region, cities], { region: 'styria', city: ['graz'] })).toEqual([]);
    expect(codes([region, cities], { region: 'upper', city: ['wels', 'linz'] })).toEqual([]);
  });

  it('costs little, with as many as five questions may have, and a thousand answers to compare with', async () => {
    const values = Array.from({ length: 1_000 }, (_, at) => `v${at}`);
    const many = fieldOf({ key: 'many', type: 'multi_select', options: values });
    const cities = Array.from({ length: 5 }, (_, number) =>
      fieldOf({
        ...{ key: `c${number}`, type: 'multi_select' },
        options: values.map((value, at) => ({ value, label: value, visible_if: { key: 'many', equals: values[(at + number) % 1_000] } })),
      }),
    );
    const check = checkOf([many, ...cities]);
    const input = { many: values.slice(1), ...Object.fromEntries(cities.map(({ key }) => [key, ['v5', 'v7']])) };
    expect(check(input)).toEqual({ answers: input, faults: [] });
    expect(await effort(() => check(input))).toBeLessThan(little);
  });
});

describe('a calculated answer', () => {
  const form = [
    fieldOf({ key: 'places', type: 'integer', max: 9 }),
    fieldOf({ key: 'member', type: 'boolean' }),
    fieldOf({ key: 'total', type: 'calculated', formula: 'places * 12.10 - if(member, 1, 0)' }),
    fieldOf({ key: 'day', type: 'calculated', formula: 'today()', format: 'date', visible_if: { key: 'total', gt: 20 } }),
    FormItem.parse({ type: 'check', if: { key: 'total', gt: 100 }, message: 'Too many', at: 'places' }),
  ];
  const check = checkOf(form);

  it('is computed from the answers, whatever is sent for it', () => {
    expect(check({ places: 3, total: 1, day: 'x' })).toEqual({ answers: { places: 3, total: 36.3, day: '2026-05-31' }, faults: [] });
  });

  it('is no answer while something that it needs is missing, and where other answers hide it', () => {
    expect(check({ member: true, total: 7 })).toEqual({ answers: { member: true }, faults: [] });
    expect(check({ places: 1, day: '2020-01-01' })).toEqual({ answers: { places: 1, total: 12.1 }, faults: [] });
  });

  it('decides in conditions and checks', () => {
    expect(check({ places: 9 }).faults).toMatchObject([{ key: 'places', code: 'refused' }]);
  });

  it('takes no part of an answer that is refused', () => {
    expect(check({ places: 10 }).faults.map(({ key }) => key)).toEqual(['places']);
  });
});

it('takes a date range without days for unanswered, and keeps the days without what is around them', () => {
  const check = checkOf([fieldOf({ type: 'date_range' })]);
  expect(check({ a: { from: '', to: null } })).toEqual({ answers: {}, faults: [] });
  expect(check({ a: { from: ' 2026-05-01 ', to: '２０２６-05-02' } })).toEqual({
    answers: { a: { from: '2026-05-01', to: '2026-05-02' } },
    faults: [],
  });
});

describe('an address', () => {
  const home = { line1: 'Main St 1', postal_code: '12345', city: 'Berlin', country: 'DE' };
  const given = (a: unknown, field: object = {}) => checkOf([fieldOf({ type: 'address', ...field })])({ a });

  it('is kept in the order of its parts, without those that are empty', () => {
    expect(given({ country: ' de ', line2: ' ', city: ' Berlin ', postal_code: '12345', line1: 'Main St 1', region: null })).toEqual({
      answers: { a: home },
      faults: [],
    });
    expect(JSON.stringify(given({ country: 'DE', city: 'Berlin', postal_code: '12345', line1: 'Main St 1' }))).toContain(
      JSON.stringify(home),
    );
  });

  it('without any part is no answer', () => {
    expect(given({ city: ' ', country: '' })).toEqual({ answers: {}, faults: [] });
    expect(given({ city: '' }, { required: true }).faults).toMatchObject([{ code: 'required', params: {} }]);
  });

  it.each<[unknown, object, AnswerFaultCode, object]>([
    ['Main St 1', {}, 'not_parts', {}],
    [{ line1: 'Main St 1' }, {}, 'required', { part: 'postal_code' }],
    [{ ...home, country: 'Germany' }, {}, 'not_country', { part: 'country' }],
    [{ ...home, city: 7 }, {}, 'not_text', { part: 'city' }],
    [{ ...home, line2: 'x'.repeat(201) }, {}, 'too_long', { max: 200, part: 'line2' }],
    [{ ...home, street: 'x' }, {}, 'unknown_part', { part: 'street' }],
    [home, { parts: [{ part: 'city', required: true }] }, 'unknown_part', { part: 'line1' }],
    [JSON.parse('{"__proto__": {"city": "x"}}'), { parts: [{ part: 'city' }] }, 'unknown_part', { part: '__proto__' }],
  ])('%j with %j is refused with the part that is wrong', (answer, field, code, params) => {
    expect(given(answer, field).faults).toMatchObject([{ key: 'a', code, params }]);
  });

  it('has the message of its author for the whole, and names a part in ours', () => {
    const field = { required: true, messages: { required: 'Tell us your address' } };
    expect(given({}, field).faults).toMatchObject([{ message: 'Tell us your address' }]);
    expect(given({ line1: 'Main St 1' }, field).faults).toMatchObject([{ message: 'postal_code is required' }]);
  });
});

describe('the answer to a matrix', () => {
  const grid = { type: 'matrix', rows: [{ value: 'f', label: 'Front' }, 'b'], columns: ['x', 'y'] };
  const kept = (more: object, answer: unknown) => {
    const checked = checkOf([fieldOf({ ...grid, ...more })])({ a: answer });
    return checked.faults.length > 0 ? checked.faults.map(({ message }) => message) : 'answers' in checked && checked.answers;
  };

  it.each<[object, unknown, unknown]>([
    [{}, { b: 'x', f: 'y' }, { a: { f: 'y', b: 'x' } }],
    [{}, { f: 'y', b: null }, { a: { f: 'y' } }],
    [{}, { f: '', b: [] }, {}],
    [{ multiple: true }, { f: ['y', 'x'], b: [] }, { a: { f: ['x', 'y'] } }],
    [{ required: true }, { b: 'x', f: 'y' }, { a: { f: 'y', b: 'x' } }],
    [{ rows: ['__proto__', 'constructor'] }, JSON.parse('{"__proto__": "x"}'), { a: JSON.parse('{"__proto__": "x"}') as object }],
  ])('of %j: %j is kept in the order of its rows and columns, without empty rows', (more, answer, answers) => {
    expect(kept(more, answer)).toEqual(answers);
  });

  it.each<[object, unknown, string]>([
    [{}, 'x', 'must be an object with a column for each row, such as {"row": "column"}'],
    [{}, { f: ['x'] }, 'must be an object with a column for each row, such as {"row": "column"}'],
    [{}, { f: 5 }, 'must be an object with a column for each row, such as {"row": "column"}'],
    [{ multiple: true }, { f: 'x' }, 'must be an object with a list of columns for each row, such as {"row": ["column"]}'],
    [{}, { f: 'x', '5': 'x' }, 'must have only rows of this field, not "5"'],
    [{}, { toString: 'x' }, 'must have only rows of this field, not "toString"'],
    [{}, { f: 'z' }, 'must have only columns of this field, not "z" in the row "f"'],
    [{ multiple: true }, { f: ['x', 'x'] }, 'must not have the column "x" twice in the row "f"'],
    [{ required: true }, { b: 'x' }, 'must have an answer in each row; missing: f'],
    [{ required: true }, {}, 'is required'],
    [{ required: true, messages: { required: 'All, please' } }, { b: 'x' }, 'All, please'],
  ])('of %j: %j is refused: %s', (more, answer, message) => {
    expect(kept(more, answer)).toEqual([message]);
  });

  it('names the missing rows for programs, and misses none while its condition does not require it', () => {
    const items = [
      FormItem.parse({ type: 'boolean', key: 'c', label: 'C' }),
      FormItem.parse({ ...grid, key: 'a', label: 'A', required: true, required_if: { key: 'c', equals: true } }),
    ];
    expect(checkOf(items)({ c: true, a: { f: 'x' } }).faults).toMatchObject([
      { key: 'a', code: 'missing_rows', params: { rows: '["b"]', more: 0 } },
    ]);
    expect(checkOf(items)({ c: false, a: { f: 'x' } }).faults).toEqual([]);
    const long = { ...grid, required: true, rows: ['一', '二', '三'].map((row) => row.repeat(60)) };
    expect(checkOf([fieldOf(long)])({ a: { [long.rows[0] ?? '']: 'x' } }).faults).toMatchObject([
      { params: { rows: JSON.stringify([long.rows[1]]), more: 1 }, message: expect.stringMatching(/, and 1 more$/) as string },
    ]);
  });
});

describe('a repeat', () => {
  const guests = (more: Record<string, unknown> = {}) =>
    fieldOf({
      key: 'guests',
      label: 'Guests',
      type: 'repeat',
      fields: [
        { key: 'name', label: 'Name', type: 'short_text', required: true },
        { key: 'eats', label: 'Eats?', type: 'boolean' },
        {
          key: 'meal',
          label: 'Meal',
          type: 'select',
          options: ['vegan', 'fish'],
          required: true,
          visible_if: { key: 'eats', equals: true },
          messages: { required: 'Choose a meal' },
        },
        { key: 'price', label: 'Price', type: 'number' },
        { key: 'due', label: 'Due', type: 'calculated', formula: 'price * rate' },
      ],
      ...more,
    });
  const rate = fieldOf({ key: 'rate', type: 'number' });
  const total = fieldOf({ key: 'total', type: 'calculated', formula: 'sum(guests.due)' });
  const why = fieldOf({ key: 'why', type: 'short_text', required: true, visible_if: { key: 'guests', chosen_at_least: 2 } });
  const check = (input: Answers, more?: Record<string, unknown>) => checkOf([rate, guests(more), total, why])(input);

  it('keeps its items in their order, each with what is shown in it, computed in it and normal', () => {
    const sent = [
      { price: 2.5, name: ' Ann ', eats: true, meal: 'vegan', due: 99 },
      { name: 'Bo', eats: false, meal: 'fish', price: '' },
    ];
    expect(check({ rate: 2, guests: sent, why: 'x' })).toEqual({
      answers: {
        rate: 2,
        guests: [
          { name: 'Ann', eats: true, meal: 'vegan', price: 2.5, due: 5 },
          { name: 'Bo', eats: false },
        ],
        total: 5,
        why: 'x',
      },
      faults: [],
    });
  });

  it('has no items where none are sent', () => {
    expect([check({}), check({ guests: [] }), check({ guests: null })]).toEqual(
      Array.from({ length: 3 }, () => ({ answers: {}, faults: [] })),
    );
  });

  it('names the place of each fault in its items, with the words of the author', () => {
    const guests = [{ name: 'Ann', eats: true }, { name: 'Bo', price: 'x', age: 3 }, {}];
    expect(check({ guests, why: 'x' })).toMatchObject({
      faults: [
        { key: 'guests[0].meal', code: 'required', message: 'Choose a meal' },
        { key: 'guests[1].age', code: 'unknown_field' },
        { key: 'guests[1].price', code: 'not_number' },
        { key: 'guests[2].name', code: 'required' },
      ],
    });
  });

  it.each<[Record<string, unknown>, unknown, string, string]>([
    [{ required: true }, undefined, 'required', 'is required'],
    [{ min: 2 }, [{ name: 'Ann' }], 'too_few_items', 'must have at least 2 items'],
    [{ max: 1 }, [{ name: 'Ann' }, { name: 'Bo' }], 'too_many_items', 'must have at most 1 item'],
    [{}, Array.from({ length: 21 }, () => ({ name: 'Ann' })), 'too_many_items', 'must have at most 20 items'],
    [{}, 'Ann', 'not_items', 'must be a list with an object for each item'],
    [{}, ['Ann'], 'not_items', 'must be a list with an object for each item'],
    [{}, [null], 'not_items', 'must be a list with an object for each item'],
    [{}, [[]], 'not_items', 'must be a list with an object for each item'],
  ])('of %j is refused with %j', (more, sent, code, message) => {
    expect(check({ guests: sent }, more)).toMatchObject({ faults: [{ key: 'guests', code, message }] });
  });

  it('has no more faults for unknown keys than are reported, and counts the others, in all items and beside them', () => {
    const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, 'x']));
    const items = Array.from({ length: 20 }, () => ({ name: 'Ann', ...unknown(100) }));
    const checked = check({ guests: items, why: 'x', ...unknown(10) });
    expect(checked).toMatchObject({ unlisted: 20 * 100 + 10 - 30 });
    expect((checked as { faults: { key: string }[] }).faults.map(({ key }) => key)).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `u${at}`),
      ...Array.from({ length: 20 }, (_, at) => `guests[0].u${at}`),
    ]);
  });

  it('is left alone by the checks of a form while one of its items has a fault', () => {
    const few: FormItem = { type: 'check', if: { key: 'guests', chosen_at_most: 1 }, message: 'Bring more', at: 'guests' };
    expect(checkOf([rate, guests(), few])({ guests: [{ name: 'Ann' }] }).faults).toMatchObject([{ key: 'guests', code: 'refused' }]);
    expect(checkOf([rate, guests(), few])({ guests: [{}] }).faults).toMatchObject([{ key: 'guests[0].name' }]);
  });

  it('costs little with as many items and answers as a form can have', async () => {
    const repeats = Array.from({ length: 7 }, (_, at) =>
      fieldOf({
        key: `r${at}`,
        type: 'repeat',
        max: 10,
        fields: Array.from({ length: 20 }, (_, place) => ({
          key: `r${at}_${place}`,
          label: 'x',
          type: 'short_text',
          ...(place > 0 ? { visible_if: { key: `r${at}_0`, equals: 'x' } } : {}),
        })),
      }),
    );
    const many = checkOf(repeats);
    const input = Object.fromEntries(
      repeats.map(({ key }) => [
        key,
        Array.from({ length: 10 }, () => Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`${key}_${place}`, 'x']))),
      ]),
    );
    expect(many(input).faults).toEqual([]);
    expect(await effort(() => many(input))).toBeLessThan(little);
  });
});
