import { FormCheck, FormEnding, itemsIn, sentItems, storedItems, type Field, type FormItem } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { effort, little } from '@sheaf/testing';
import { z } from 'zod';
import { fieldFaults, readDraft } from './draft-rules';

const field = (key: string, more: Partial<Field> = {}): Field => ({ key, label: key, type: 'short_text', required: false, ...more });
const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const faults = (...items: FormItem[]) => fieldFaults(items).map(({ key, message }) => `${key}: ${message}`);

function refusalOf(json: string): Problem {
  try {
    readDraft(json);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('the draft was not refused');
}

it('finds no fault in a form that uses every feature', () => {
  expect(
    faults(
      field('name', { min_length: 2, max_length: 2, pattern: '^\\p{L}+$' }),
      field('age', { type: 'integer', min: 18, max: 18 }),
      field('weight', { type: 'number', min: -0.5, max: 0.5 }),
      field('stars', { type: 'rating', max: 10, appearance: 'stars', low_label: 'Bad', high_label: 'Good' }),
      field('faces', { type: 'rating', min: 0, max: 9, appearance: 'faces' }),
      field('recommend', { type: 'rating', min: 0, max: 10, score: 'nps', translations: { de: { low_label: 'Nein' } } }),
      field('member', { type: 'boolean', required: true, must_be_true: true }),
      field('size', { type: 'select', options: options('S', 'M') }),
      field('extras', { type: 'multi_select', options: options('gift', 'card') }),
      field('born', { type: 'date' }),
      field('cv', { type: 'file', accept: ['application/pdf', 'image/*'], max_bytes: 1 }),
      field('a', { visible_if: { key: 'name', equals: 'Ada' } }),
      field('b', { visible_if: { key: 'age', in: [18, 19] } }),
      field('c', { visible_if: { key: 'weight', not_equals: 0.25 } }),
      field('d', { visible_if: { key: 'member', equals: false } }),
      field('e', { visible_if: { key: 'size', in: ['S', 'M'] } }),
      field('f', { visible_if: { key: 'extras', equals: 'gift' } }),
      field('g', { visible_if: { key: 'born', answered: true } }),
      field('h', { visible_if: { key: 'cv', answered: true } }),
      { type: 'page', label: 'More', help: 'About you', visible_if: { key: 'member', equals: true } },
      { type: 'section', label: 'Travel', visible_if: { key: 'size', equals: 'S' }, translations: { de: { label: 'Reise' } } },
      { type: 'statement', label: 'Nearly there' },
      field('cities', { type: 'ranking', options: options('Rome', 'Oslo', 'Lima'), ranks: 2, shuffle: true }),
      field('days', { type: 'multi_select', options: options('Mo', 'Tu', 'We'), min_choices: 1, max_choices: 3, default: ['Mo'] }),
      field('from', { type: 'date', min_date: '2026-01-01', max_date: '2026-01-01', default: '2026-01-01' }),
      field('proofs', { type: 'file', multiple: true, max_files: 3 }),
      field('mail', { type: 'email', default: 'ada@example.org', prefill: true, autocomplete: 'email' }),
      field('count', { type: 'integer', default: 3 }),
      field('colour', { type: 'select', options: options('red'), translations: { 'pt-BR': { options: { red: 'vermelho' } } } }),
      field('campaign', { type: 'hidden', default: 'none' }),
    ),
  ).toEqual([]);
});

it.each<[string, FormItem[], string[]]>([
  ['a repeated key', [field('a'), field('b'), field('a')], ['fields.2.key: must be unique; "a" is already used']],
  ['a choice without options', [field('a', { type: 'select' })], ['fields.0.options: is required for the type select']],
  [
    'options for a type without choices',
    [field('a', { options: options('x') })],
    ['fields.0.options: is not allowed for the type short_text'],
  ],
  [
    'a repeated option',
    [field('a', { type: 'multi_select', options: options('x', 'y', 'x') })],
    ['fields.0.options.2: must have a value that no other option has'],
  ],
  ['swapped bounds', [field('a', { type: 'number', min: 2, max: 1 })], ['fields.0.max: must not be less than min']],
  ['swapped lengths', [field('a', { min_length: 2, max_length: 1 })], ['fields.0.max_length: must not be less than min_length']],
  ['a fractional rating', [field('a', { type: 'rating', max: 4.5 })], ['fields.0.max: must be a whole number for the type rating']],
  [
    'stars and faces for long scales, and a score for another scale',
    [
      field('a', { type: 'rating', appearance: 'stars', min: 0 }),
      field('b', { type: 'rating', appearance: 'stars', max: 11 }),
      field('c', { type: 'rating', appearance: 'faces', min: 0, max: 10 }),
      field('d', { type: 'rating', score: 'nps', max: 10 }),
    ],
    [
      'fields.0.appearance: may be stars only for a scale from 1 to at most 10',
      'fields.1.appearance: may be stars only for a scale from 1 to at most 10',
      'fields.2.appearance: may be faces only for a scale of at most 10 steps',
      'fields.3.score: may be nps only with min: 0 and max: 10',
    ],
  ],
  [
    'settings of ratings for another type',
    [field('a', { type: 'integer', min: 0, max: 10, appearance: 'stars', low_label: 'x', high_label: 'y', score: 'nps' })],
    ['appearance', 'low_label', 'high_label', 'score'].map((part) => `fields.0.${part}: is not allowed for the type integer`),
  ],
  [
    'a look that choices of another type have',
    [
      field('a', { type: 'multi_select', options: options('x'), appearance: 'dropdown' }),
      field('b', { type: 'select', options: options('x'), appearance: 'stars' }),
      field('c', { type: 'rating', appearance: 'buttons' }),
    ],
    [
      'fields.0.appearance: must be one of list, buttons for the type multi_select',
      'fields.1.appearance: must be one of list, dropdown, buttons for the type select',
      'fields.2.appearance: must be one of numbers, stars, faces for the type rating',
    ],
  ],
  [
    'settings of choices for another type',
    [field('a', { type: 'boolean', appearance: 'buttons', shuffle: true }), field('b', { type: 'rating', shuffle: true })],
    [
      'fields.0.appearance: is not allowed for the type boolean',
      'fields.0.shuffle: is not allowed for the type boolean',
      'fields.1.shuffle: is not allowed for the type rating',
    ],
  ],
  ['a bound for a text field', [field('a', { min: 1 })], ['fields.0.min: is not allowed for the type short_text']],
  [
    'lengths and a pattern for a number field',
    [field('a', { type: 'integer', min_length: 1, max_length: 2, pattern: 'x' })],
    ['min_length', 'max_length', 'pattern'].map((part) => `fields.0.${part}: is not allowed for the type integer`),
  ],
  [
    'file settings for a text field',
    [field('a', { accept: ['image/*'], max_bytes: 1 })],
    ['accept', 'max_bytes'].map((part) => `fields.0.${part}: is not allowed for the type short_text`),
  ],
  [
    'a condition on the value of a file field',
    [field('a', { type: 'file' }), field('b', { visible_if: { key: 'a', equals: 'x' } })],
    ['fields.1.visible_if.equals: must be omitted (use answered), as "a" is of type file'],
  ],
  [
    'a broken pattern',
    [field('a', { pattern: '[' })],
    ['fields.0.pattern: must be a regular expression in RE2 syntax (missing closing ])'],
  ],
  [
    'a pattern with a backreference',
    [field('a', { pattern: '(a+)\\1' })],
    ['fields.0.pattern: must be a regular expression in RE2 syntax (invalid escape sequence)'],
  ],
  [
    'a pattern with nested repetitions that multiply',
    [field('a', { pattern: '((a{100}){100}){100}' })],
    ['fields.0.pattern: must have at most 1000 steps once its repetitions are written out, but has 1010100'],
  ],
  [
    'a pattern that is large once its repetitions are written out',
    [field('a', { pattern: '(?:a?){1000}'.repeat(41) })],
    ['fields.0.pattern: must have at most 1000 steps once its repetitions are written out, but has 82000'],
  ],
  [
    'a large pattern hidden behind a quoted bracket',
    [field('a', { pattern: `[\\Q]\\E]${'(?:a?)'.repeat(40)}{1000}` })],
    [expect.stringMatching(/^fields.0.pattern: must /)],
  ],
  [
    'patterns that are large together',
    Array.from({ length: 6 }, (_, index) => field(`f${index}`, { pattern: `${'abcdefghij'[index]}{999}` })),
    ['fields.5.pattern: must leave the patterns of all fields together at most 5000 steps once their repetitions are written out'],
  ],
  [
    'a consent that is optional or not boolean',
    [field('a', { type: 'boolean', must_be_true: true }), field('b', { required: true, must_be_true: true })],
    [0, 1].map((index) => `fields.${index}.must_be_true: must be true only for a required field of type boolean`),
  ],
  [
    'bounds for choices and dates, and several files, for a text field',
    [field('a', { min_choices: 1, max_choices: 2, min_date: '2026-01-01', max_date: '2026-01-02', multiple: true })],
    ['multiple', 'min_choices', 'max_choices', 'min_date', 'max_date'].map(
      (part) => `fields.0.${part}: is not allowed for the type short_text`,
    ),
  ],
  [
    'more choices than options',
    [field('a', { type: 'multi_select', options: options('x', 'y'), min_choices: 3 })],
    ['fields.0.min_choices: must be at most 2, the number of options'],
  ],
  [
    'a ranking with more ranks than options, places, a default, or more than a page can list',
    [
      field('a', { type: 'ranking', options: options('x', 'y'), ranks: 3 }),
      field('b', { type: 'ranking', options: [{ value: 'x', label: 'x', limit: 2 }] }),
      field('c', { type: 'ranking', options: options('x', 'y'), default: ['y', 'x'] }),
      field('d', { type: 'ranking', options: options(...Array.from({ length: 32 }, (_, at) => `x${at}`)) }),
      field('e', { type: 'ranking', options: options(...Array.from({ length: 250 }, (_, at) => `x${at}`)), ranks: 5 }),
      field('f', { type: 'ranking', options: options('x', 'y'), prefill: true }),
    ],
    [
      'fields.0.ranks: must be at most 2, the number of options',
      'fields.1.options.0.limit: is not allowed for the type ranking',
      'fields.2.default: is not allowed for the type ranking',
      'fields.3.ranks: must be at most 31 for 32 options',
      'fields.4.ranks: must be at most 4 for 250 options',
      'fields.5.prefill: is not allowed for the type ranking',
    ],
  ],
  [
    'swapped choices and dates',
    [
      field('a', { type: 'multi_select', options: options('x', 'y'), min_choices: 2, max_choices: 1 }),
      field('b', { type: 'datetime', min_date: '2026-01-02', max_date: '2026-01-01' }),
    ],
    ['fields.0.max_choices: must not be less than min_choices', 'fields.1.max_date: must not be less than min_date'],
  ],
  [
    'messages about a field that respondents do not see',
    [field('a', { type: 'hidden', messages: { required: 'Required' } })],
    ['fields.0.messages: is not allowed for the type hidden'],
  ],
  [
    'a condition of a requirement on what is no requirement, and on a later field',
    [
      field('a', { required_if: { key: 'b', answered: true } }),
      field('b', { required: true, required_if: { all: [{ key: 'a', gt: 3 }] } }),
    ],
    [
      'fields.0.required_if: is allowed only with required: true',
      'fields.0.required_if.key: must be the key of an earlier field',
      'fields.1.required_if.all.0.gt: must be omitted, as "a" is of type short_text',
    ],
  ],
  [
    'a condition of a requirement on what respondents cannot answer',
    [field('a'), field('b', { type: 'hidden', required: true, required_if: { key: 'a', answered: true } })],
    ['fields.1.required_if: is not allowed for the type hidden'],
  ],
  [
    'a number of files for a field that takes one',
    [field('a', { type: 'file', max_files: 2 })],
    ['fields.0.max_files: is allowed only with multiple'],
  ],
  [
    'a default that is not a valid answer to its field',
    [
      field('a', { type: 'integer', default: 1.5 }),
      field('b', { type: 'multi_select', options: options('x'), default: 'x' }),
      field('c', { type: 'boolean', default: 'yes' }),
      field('d', { type: 'file', default: 'x' }),
    ],
    [
      'fields.0.default: must be a whole number',
      'fields.1.default: must be a list of options',
      'fields.2.default: must be true or false',
      'fields.3.default: is not allowed for the type file',
    ],
  ],
  [
    'prefilling a file, or a hidden field, which is always filled from the URL',
    [field('a', { type: 'file', prefill: true }), field('b', { type: 'hidden', prefill: true })],
    ['file', 'hidden'].map((type, index) => `fields.${index}.prefill: is not allowed for the type ${type}`),
  ],
  [
    'a translation of an option that the field does not have',
    [field('a', { type: 'select', options: options('x'), translations: { de: { options: { y: 'Ypsilon' } } } })],
    ['fields.0.translations.de.options: must have only values of options, not "y"'],
  ],
  [
    'a page with a condition on a later field',
    [{ type: 'page', label: 'More', visible_if: { key: 'a', answered: true } }, field('a')],
    ['fields.0.visible_if.key: must be the key of an earlier field'],
  ],
  [
    'a condition on a later field',
    [field('a', { visible_if: { key: 'b', answered: true } }), field('b')],
    ['fields.0.visible_if.key: must be the key of an earlier field'],
  ],
  [
    'a condition on itself',
    [field('a', { visible_if: { key: 'a', answered: true } })],
    ['fields.0.visible_if.key: must be the key of an earlier field'],
  ],
  [
    'a condition that no answer can meet',
    [
      field('size', { type: 'select', options: options('S') }),
      field('age', { type: 'integer' }),
      field('ok', { type: 'boolean' }),
      field('a', { visible_if: { key: 'size', in: ['S', 'XL'] } }),
      field('b', { visible_if: { key: 'age', equals: 1.5 } }),
      field('c', { visible_if: { key: 'ok', not_equals: 'yes' } }),
      field('d', { visible_if: { key: 'a', equals: 1 } }),
    ],
    [
      'fields.3.visible_if.in: must be the value of an option, as "size" is of type select',
      'fields.4.visible_if.equals: must be a whole number, as "age" is of type integer',
      'fields.5.visible_if.not_equals: must be true or false, as "ok" is of type boolean',
      'fields.6.visible_if.equals: must be a string, as "a" is of type short_text',
    ],
  ],
])('refuses %s', (_, fields, expected) => {
  expect(faults(...fields)).toEqual(expected);
});

it('compiles a pattern once, however many fields use it', () => {
  expect(faults(...Array.from({ length: 500 }, (_, index) => field(`f${index}`, { pattern: '^[A-Z]{2}[0-9]{900}$' })))).toEqual([]);
});

it('quickly compiles the longest pattern that would backtrack catastrophically elsewhere', () => {
  expect(faults(field('a', { pattern: `${'(a+)+'.repeat(99)}$` }))).toEqual([]);
});

describe('reading a draft', () => {
  it('returns the fields as they are stored', () => {
    const json = JSON.stringify([
      { unknown: 1, type: 'select', label: ' Size ', key: 'size', options: ['S', { value: 'M', label: 'Medium' }] },
    ]);

    expect(JSON.stringify(readDraft(json))).toBe(
      '[{"key":"size","label":"Size","type":"select","required":false,"options":[{"value":"S","label":"S"},{"value":"M","label":"Medium"}]}]',
    );
  });

  it('lists all faults of the shape, in the message and in details', () => {
    const problem = refusalOf('[{"key":"A","type":"short_text"},{"key":"b","label":7,"type":"select","options":[{}]}]');

    expect(problem.code).toBe('bad_request');
    expect(problem.message).toBe(
      'fields.0.key: must be a lower-case letter followed by up to 63 lower-case letters, digits or underscores; fields.0.label: is required; ' +
        'fields.1.label: must be a string; fields.1.options.0: must be a string, or an object with value and label',
    );
    expect(problem.details).toContainEqual({ key: 'fields.0.label', message: 'is required' });
    expect(problem.details).toHaveLength(4);
  });

  it('lists all faults between fields', () => {
    const problem = refusalOf(JSON.stringify([field('a'), field('a', { min: 1 })]));

    expect(problem.message).toBe('fields.1.key: must be unique; "a" is already used; fields.1.min: is not allowed for the type short_text');
    expect(problem.details).toHaveLength(2);
  });

  it('limits the number of listed faults', () => {
    const problem = refusalOf(JSON.stringify(Array.from({ length: 500 }, () => ({ type: 'email' }))));

    expect(problem.details).toHaveLength(30);
    expect(problem.message).toMatch(/; and 970 more$/);
  });

  it.each([
    ['invalid JSON', '{', 'fields: must be JSON'],
    ['a value that is not an array', '{"a":1}', 'fields: must be an array'],
    ['null', 'null', 'fields: must be an array'],
    [
      'too many fields',
      JSON.stringify(Array.from({ length: 501 }, (_, index) => field(`f${index}`))),
      'fields: must have at most 500 fields',
    ],
  ])('refuses %s', (_, json, message) => {
    expect(refusalOf(json).message).toBe(message);
  });
});

it.each<[Partial<Field>, message: string]>([
  [{ type: 'date', default: '45353' }, 'must be a date such as 2026-05-31'],
  [{ type: 'date', default: '2026-02-29' }, 'must be a date such as 2026-05-31'],
  [{ type: 'date', min_date: '2026-05-31', default: '2026-05-30' }, 'must be 2026-05-31 or later'],
  [{ type: 'time', default: '25:00' }, 'must be a time such as 14:30'],
  [{ type: 'datetime', default: 'now' }, 'must be a date and time such as 2026-05-31T14:30 or 2026-05-31T14:30:00Z'],
  [{ type: 'number', max: 3, default: 5 }, 'must be at most 3'],
  [{ type: 'integer', default: 2 ** 53 }, 'must be between -9007199254740991 and 9007199254740991'],
  [{ type: 'rating', default: 6 }, 'must be at most 5'],
  [{ type: 'short_text', min_length: 3, default: 'ab ' }, 'must have at least 3 characters'],
  [{ type: 'short_text', default: 'x'.repeat(1_001) }, 'must have at most 1000 characters'],
  [{ type: 'short_text', pattern: '[A-Z]+', default: 'Ab' }, 'does not have the required format'],
  [{ type: 'long_text', pattern: '(a+)+', default: 'a'.repeat(1_001) }, 'must have at most 1000 characters beside a pattern'],
  [{ type: 'email', default: 'ada@' }, 'must be an e-mail address'],
  [{ type: 'url', default: 'javascript:alert(1)' }, 'must be a web address that starts with http:// or https://'],
  [{ type: 'phone', default: 'none' }, 'must be a phone number'],
  [{ type: 'country', only: ['AT'], default: 'DE' }, 'must be the code of a country that the field offers, such as DE'],
  [{ type: 'select', options: options('x'), default: 'y' }, 'must be one of the options'],
  [{ type: 'multi_select', options: options('x', 'y'), min_choices: 2, default: ['x'] }, 'must have at least 2 options'],
  [{ type: 'multi_select', options: options('x'), default: ['x', 'x'] }, 'must not contain an option twice'],
])('refuses the default of %j, as a respondent who leaves it could not send the form', (more, message) => {
  expect(faults(field('a', more))).toEqual([`fields.0.default: ${message}`]);
});

it.each<Partial<Field>>([
  { type: 'boolean', required: true, must_be_true: true, default: false },
  { type: 'short_text', min_length: 3, default: '' },
  { type: 'multi_select', options: options('x', 'y'), min_choices: 2, default: [] },
  { type: 'short_text', pattern: '[A-Z]+', default: ' AB ' },
  { type: 'url', default: 'example.org' },
  { type: 'number', max: 5, default: 5 },
])('accepts the default of %j, with which everybody can send the form or has to answer anyway', (more) => {
  expect(faults(field('a', more))).toEqual([]);
});

it('keeps defaults and the values of conditions as answers are kept, as a condition would never hold otherwise', () => {
  const draft = [
    field('name', { default: ' Zoe\u0308 ' }),
    field('exact', { trim: false, default: ' x ' }),
    field('site', { type: 'url', default: 'example.org' }),
    field('a', { visible_if: { key: 'name', equals: 'Zoe\u0308 ' } }),
    field('b', { visible_if: { key: 'exact', in: [' x ', 'e\u0301'] } }),
    field('c', { visible_if: { key: 'site', not_equals: 'www.example.org' } }),
  ];
  const read = readDraft(JSON.stringify(draft));
  expect(
    read.map((item) => ({
      ...('default' in item ? { default: item.default } : {}),
      if: 'visible_if' in item ? item.visible_if : undefined,
    })),
  ).toEqual([
    { default: 'Zoë', if: undefined },
    { default: ' x ', if: undefined },
    { default: 'https://example.org', if: undefined },
    { if: { key: 'name', equals: 'Zoë' } },
    { if: { key: 'exact', in: [' x ', 'é'] } },
    { if: { key: 'site', not_equals: 'https://www.example.org' } },
  ]);
  expect(readDraft(JSON.stringify(read))).toEqual(read);
});

it.each<[Partial<Field>, string]>([
  [{ only: [] }, 'only: must have at least one country'],
  [{ only: ['de'] }, 'only.0: must be the code of a country in upper case, such as DE (ISO 3166-1 alpha-2)'],
  [{ only: ['AT', 'EU'] }, 'only.1: must be the code of a country in upper case, such as DE (ISO 3166-1 alpha-2)'],
  [{ only: ['AT', 'AT'] }, 'only: must not have a country twice'],
  [{ preferred: Array.from({ length: 21 }, () => 'AT') }, 'preferred: must have at most 20 countries'],
  [{ only: ['AT'], preferred: ['AT', 'DE'] }, 'preferred: must have only countries of "only", not DE'],
  [{ type: 'phone', only: ['AT'] }, 'only: is not allowed for the type phone'],
  [{ options: options('DE') }, 'options: is not allowed for the type country'],
])('refuses the countries of %j', (more, message) => {
  expect(() => readDraft(JSON.stringify([field('a', { type: 'country', ...more })]))).toThrow(`fields.0.${message}`);
});

it.each<[Partial<Field>, string]>([
  [{ max_days: 0 }, 'max_days: must be'],
  [{ min_date: '2026-02-01', max_date: '2026-01-01' }, 'max_date: must not be less than min_date'],
  [{ default: 'x' }, 'default: is not allowed for the type date_range'],
  [{ prefill: true }, 'prefill: is not allowed for the type date_range'],
  [{ type: 'date', max_days: 2 }, 'max_days: is not allowed for the type date'],
])('refuses the date range of %j', (more, message) => {
  expect(() => readDraft(JSON.stringify([field('a', { type: 'date_range', ...more })]))).toThrow(`fields.0.${message}`);
});

it('compares a date range with nothing, and asks only whether it is answered', () => {
  const range = field('a', { type: 'date_range' });
  expect(fieldFaults([range, field('b', { visible_if: { key: 'a', answered: true } })])).toEqual([]);
  expect(faults(range, field('b', { visible_if: { key: 'a', equals: 'x' } }))).toEqual([
    'fields.1.visible_if.equals: must be omitted, as "a" is of type date_range',
  ]);
});

it.each<[object, string]>([
  [{ rows: undefined }, 'rows: is required for the type matrix'],
  [{ columns: undefined }, 'columns: is required for the type matrix'],
  [{ rows: ['a', 'b', 'a'] }, 'rows.2: must have a value that no other one has'],
  [{ rows: [] }, 'rows: must have at least one row'],
  [{ columns: Array.from({ length: 21 }, (_, at) => `c${at}`) }, 'columns: must have at most 20 columns'],
  [
    { rows: Array.from({ length: 34 }, (_, at) => `r${at}`), columns: Array.from({ length: 15 }, (_, at) => `c${at}`) },
    'rows: times columns must be at most 500, but are 510',
  ],
  [{ default: 'x' }, 'default: is not allowed for the type matrix'],
  [{ prefill: true }, 'prefill: is not allowed for the type matrix'],
  [{ options: ['x'] }, 'options: is not allowed for the type matrix'],
  [{ translations: { de: { rows: { z: 'Z' } } } }, 'translations.de.rows: must have only values of rows, not "z"'],
  [{ type: 'select', options: ['x'] }, 'rows: is not allowed for the type select'],
])('refuses the matrix of %j', (more, message) => {
  expect(() =>
    readDraft(JSON.stringify([field('a', { type: 'matrix', rows: ['a', 'b'], columns: ['x', 'y'], ...more } as object)])),
  ).toThrow(`fields.0.${message}`);
});

it('bounds the cells of all matrices together, as a page has each of them', () => {
  const values = (most: number) => Array.from({ length: most }, (_, at) => ({ value: `v${at}`, label: `${at}` }));
  const fields = Array.from({ length: 6 }, (_, at) => field(`a${at}`, { type: 'matrix', rows: values(50), columns: values(10) }));
  expect(fieldFaults(fields.slice(1))).toEqual([]);
  expect(fieldFaults(fields)).toEqual([
    { key: 'fields.5.rows', message: 'must leave the matrices of a form together at most 2500 rows times columns' },
  ]);
});

it('bounds the countries of all questions together, as each of them is an option of a page', () => {
  const fields = Array.from({ length: 21 }, (_, at) => field(`a${at}`, { type: 'country' }));
  expect(fieldFaults(fields.slice(1))).toEqual([]);
  expect(fieldFaults(fields)).toEqual([
    { key: 'fields.20.only', message: 'must leave the questions of a form together at most 5000 countries to choose from' },
  ]);
});

it('bounds the lists of all rankings together, as each of them has the options of a page once more', () => {
  const ofTen = options(...Array.from({ length: 10 }, (_, at) => `o${at}`));
  const fields = Array.from({ length: 51 }, (_, at) => field(`a${at}`, { type: 'ranking', options: ofTen }));
  expect(fieldFaults(fields.slice(1))).toEqual([]);
  expect(fieldFaults(fields)).toEqual([
    { key: 'fields.50.ranks', message: 'must leave the rankings of a form together at most 5000 ranks times options' },
  ]);
  expect(fieldFaults(fields.map((each) => ({ ...each, ranks: 9 })))).toEqual([]);
});

it('compares a country with the countries that its field offers, and with another country', () => {
  const fields = (condition: object) => [
    field('from', { type: 'country', only: ['AT', 'DE'] }),
    field('to', { type: 'country' }),
    field('name'),
    field('b', { visible_if: { key: 'from', ...condition } }),
  ];
  const faultsOf = (condition: object) => fieldFaults(fields(condition));
  expect(faultsOf({ in: ['AT', 'DE'] })).toEqual([]);
  expect(faultsOf({ not_equals: { key: 'to' } })).toEqual([]);
  expect(faultsOf({ equals: 'FR' })).toMatchObject([
    { key: 'fields.3.visible_if.equals', message: 'must be the code of a country that the field offers, as "from" is of type country' },
  ]);
  expect(faultsOf({ gt: 'AT' })).toMatchObject([{ key: 'fields.3.visible_if.gt' }]);
  expect(faultsOf({ equals: { key: 'name' } })).toMatchObject([{ key: 'fields.3.visible_if.equals.key' }]);
  expect(readDraft(JSON.stringify(fields({ equals: 'at' })))[3]).toMatchObject({ visible_if: { key: 'from', equals: 'AT' } });
});

it('refuses trim for a type whose answers are never kept as they are', () => {
  expect(faults(field('a', { type: 'phone', trim: false }))).toEqual(['fields.0.trim: is not allowed for the type phone']);
});

describe('as much as a draft may have costs little', () => {
  const values = (start: string, length = 1_000) => Array.from({ length }, (_, at) => `${start}${at}`);
  const labels = (start: string) => Object.fromEntries(values(start).map((value) => [value, 'x']));
  const languages = values('', 29).map((_, at) => `a${String.fromCharCode('a'.charCodeAt(0) + (at % 26))}${at < 26 ? '' : 'a'}`);
  const translated = (start: string) =>
    field('a', {
      type: 'select',
      options: options(...values('option-')),
      translations: Object.fromEntries(languages.map((language) => [language, { options: labels(start) }])),
    });
  const conditional = (start: string) => [
    field('a', { type: 'select', options: options(...values('option-')) }),
    ...values('b', 180).map((key) => field(key, { visible_if: { key: 'a', in: values(start, 200) } })),
  ];

  it.each<[string, FormItem[], number]>([
    ['translated options', [translated('option-')], 0],
    ['translations of options that there are not', [translated('absent-')], 29_000],
    ['values of conditions', conditional('option-'), 0],
    ['values of conditions that no option has', conditional('absent-'), 180],
    [
      'conditions',
      [
        ...conditional('option-').slice(0, 1),
        ...values('b', 499).map((key) => field(key, { visible_if: { key: 'a', equals: 'option-999' } })),
      ],
      0,
    ],
  ])('of %s', async (_, items, found) => {
    expect(fieldFaults(items)).toHaveLength(found);
    expect(await effort(() => fieldFaults(items))).toBeLessThan(little);
  });
});

describe('a condition that joins others', () => {
  const earlier = [
    field('age', { type: 'integer' }),
    field('start', { type: 'date' }),
    field('end', { type: 'date' }),
    field('size', { type: 'multi_select', options: options('S', 'M') }),
    field('name'),
  ];
  const on = (visible_if: unknown) => JSON.stringify([...earlier, { ...field('a'), visible_if }]);
  const refused = (visible_if: unknown): unknown => {
    try {
      readDraft(on(visible_if));
      return undefined;
    } catch (error) {
      return (error as { details?: { key: string; message: string }[] }).details?.map(({ key, message }) => `${key}: ${message}`);
    }
  };
  const nested = (depth: number): object => (depth === 0 ? { key: 'age', gt: 1 } : { not: nested(depth - 1) });
  const many = (length: number) => ({ any: Array.from({ length }, () => ({ key: 'age', gt: 1 })) });

  it('is accepted with every operator that fits the field', () => {
    const condition = {
      all: [
        {
          any: [
            { key: 'age', gt: 17.5 },
            { key: 'end', lt: { key: 'start' } },
          ],
        },
        { not: { key: 'name', contains: 'é' } },
        { key: 'name', starts_with: 'Z' },
        { key: 'size', chosen_at_least: 1 },
        { key: 'size', not_contains: 'S' },
        { key: 'start', gte: '2026-01-01' },
      ],
    };
    expect(readDraft(on(condition)).at(-1)).toMatchObject({ visible_if: condition });
    expect(refused(nested(5))).toBeUndefined();
    expect(refused(many(50))).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ['too deep', nested(6), 'fields.5.visible_if: must join conditions at most 5 deep'],
    ['far too deep', nested(60), 'fields.5.visible_if: must join conditions at most 5 deep'],
    ['too large', many(51), 'fields.5.visible_if: must compare at most 50 answers'],
    ['far too large', { all: Array.from({ length: 20_000 }, () => nested(4)) }, 'fields.5.visible_if: must compare at most 50 answers'],
    ['empty', { all: [] }, 'fields.5.visible_if.all: must have at least one condition'],
    ['an unknown operator', { key: 'age', above: 3 }, 'fields.5.visible_if: must have exactly one of equals, not_equals'],
    ['two operators', { key: 'age', gt: 1, lt: 3 }, 'fields.5.visible_if: must have exactly one of equals, not_equals'],
    ['two joints', { all: [nested(0)], any: [nested(0)] }, 'fields.5.visible_if: must have a key, or exactly one of all, any, not'],
    [
      'a value of another type',
      { any: [{ key: 'age', gt: '3' }] },
      'fields.5.visible_if.any.0.gt: must be a number, as "age" is of type integer',
    ],
    ['a day that is none', { not: { key: 'start', lt: '2026-02-30' } }, 'fields.5.visible_if.not.lt: must be a date'],
    ['an operator that does not fit', { key: 'name', gt: 3 }, 'fields.5.visible_if.gt: must be omitted, as "name" is of type short_text'],
    ['a later field', { all: [{ key: 'later', answered: true }] }, 'fields.5.visible_if.all.0.key: must be the key of an earlier field'],
    ['itself', { not: { key: 'age', gt: { key: 'a' } } }, 'fields.5.visible_if.not.gt.key: must be the key of an earlier field'],
    [
      'an answer of another kind',
      { key: 'age', gt: { key: 'start' } },
      'fields.5.visible_if.gt.key: must be the key of a field with answers of the same kind',
    ],
    ['a list', [], 'fields.5.visible_if: must be an object'],
  ])('is refused if it is %s, naming the part and the bound', (_, condition, fault) => {
    expect(refused(condition)).toEqual([expect.stringContaining(fault)]);
  });

  it('and all conditions of a form together have bounds, so that an answer is soon compared with them', async () => {
    const all = (condition: object, count: number) => [
      ...earlier,
      ...Array.from({ length: count }, (_, at) => field(`b${at}`, { visible_if: { all: Array.from({ length: 50 }, () => condition) } })),
    ];
    const [compared, sought] = [all({ key: 'age', gt: 3 }, 101), all({ key: 'name', contains: 'x' }, 3)];
    expect(fieldFaults(compared)[0]?.message).toBe('must leave the conditions of all fields together at most 5000 comparisons');
    expect(fieldFaults(sought)[0]?.message).toContain('at most 100 of contains, not_contains, starts_with on texts');
    expect(await effort(() => fieldFaults(compared))).toBeLessThan(little);
  });
});

describe('a check', () => {
  const starts = field('starts', { type: 'date' });
  const ends = field('ends', { type: 'date' });
  const check = (more: object = {}): FormItem =>
    FormCheck.parse({ type: 'check', if: before, message: 'Not before the start.', at: 'ends', ...more });
  const before = { key: 'ends', lt: { key: 'starts' } };

  it('is accepted behind the fields that it names', () => {
    expect(faults(starts, ends, check({ translations: { de: { message: 'Nicht vor dem Anfang.' } } }))).toEqual([]);
  });

  it.each<[string, FormItem[], string]>([
    ['names a field that is gone', [starts, check({ at: 'starts' })], 'fields.1.if.key: must be the key of an earlier field'],
    ['stands before a field that it compares', [ends, check(), starts], 'fields.1.if.lt.key: must be the key of an earlier field'],
    ['has its message at a field that is gone', [starts, ends, check({ at: 'end' })], 'fields.2.at: must be the key of an earlier field'],
    [
      'has its message where nobody sees it',
      [field('source', { type: 'hidden' }), starts, ends, check({ at: 'source' })],
      'fields.3.at: must be the key of a field that respondents see, but "source" is of type hidden',
    ],
    ['is one too many', [starts, ends, ...Array.from({ length: 51 }, () => check())], 'fields.52.type: must be at most 50 times check'],
  ])('is refused if it %s, naming the part', (_, items, fault) => {
    expect(faults(...items)).toEqual([fault]);
  });

  it.each([
    [{ message: undefined }, 'fields.0.message: is required'],
    [{ message: ' ' }, 'fields.0.message: must have between 1 and 500 characters'],
    [{ message: 'x'.repeat(501) }, 'fields.0.message: must have between 1 and 500 characters'],
    [{ if: undefined }, 'fields.0.if: is required'],
    [{ if: [] }, 'fields.0.if: must be an object'],
    [{ at: undefined }, 'fields.0.at: is required'],
  ])('is refused with %j', (more, fault) => {
    expect(refusalOf(JSON.stringify([{ type: 'check', if: before, message: 'x', at: 'ends', ...more }])).message).toContain(fault);
  });

  it('compares with values as answers are kept', () => {
    const draft = [field('name'), check({ if: { key: 'name', equals: ' Zoe\u0308 ' }, at: 'name' })];
    expect(readDraft(JSON.stringify(draft)).at(-1)).toMatchObject({ if: { key: 'name', equals: 'Zoë' } });
  });
});

describe('an ending', () => {
  const ending = (name: string, more: object = {}): FormItem =>
    FormEnding.parse({ type: 'ending', name, if: { key: 'name', equals: 'Ada' }, title: 'Welcome', ...more });

  it('is accepted behind the fields that it names', () => {
    expect(faults(field('name'), ending('name', { text: '**Ada**', redirect_url: 'https://example.org/' }), ending('other'))).toEqual([]);
  });

  it.each<[string, FormItem[], string]>([
    ['names a field that is gone', [ending('a')], 'fields.0.if.key: must be the key of an earlier field'],
    ['has the name of another', [field('name'), ending('a'), ending('a')], 'fields.2.name: must be unique; "a" is already used'],
    [
      'is one too many',
      [field('name'), ...Array.from({ length: 21 }, (_, number) => ending(`n${number}`))],
      'fields.21.type: must be at most 20 times ending',
    ],
  ])('is refused if it %s, naming the part', (_, items, fault) => {
    expect(faults(...items)).toEqual([fault]);
  });

  it.each<[object, string]>([
    [{ name: 'No Name' }, 'fields.0.name: must be a lower-case letter'],
    [{ title: ' ' }, 'fields.0.title: must have between 1 and 200 characters'],
    [{ text: 'x'.repeat(5_001) }, 'fields.0.text: must have at most 5000 characters'],
    [{ if: undefined }, 'fields.0.if: is required'],
    ...['javascript:alert(1)', 'data:text/html,x', '//example.org', 'https://ada@example.org/'].map((redirect_url): [object, string] => [
      { redirect_url },
      'fields.0.redirect_url: must',
    ]),
  ])('is refused with %j', (more, fault) => {
    const item = { type: 'ending', name: 'a', if: { key: 'name', answered: true }, title: 'x', ...more };
    expect(refusalOf(JSON.stringify([item])).message).toContain(fault);
  });

  it('compares with values as answers are kept', () => {
    const draft = [field('name'), ending('a', { if: { key: 'name', equals: ' Zoe\u0308 ' } })];
    expect(readDraft(JSON.stringify(draft)).at(-1)).toMatchObject({ if: { key: 'name', equals: 'Zoë' } });
  });
});

describe('A condition of an option', () => {
  const region = field('region', { type: 'select', options: options('a', 'b') });
  const withOptions = (given: unknown[], more: object = {}) =>
    JSON.stringify([region, { ...field('city', { type: 'select' }), options: given, ...more }]);
  const city = (visible_if: unknown) => ({ value: 'x', label: 'X', visible_if });
  const faultsIn = (json: string): string[] => {
    try {
      readDraft(json);
      return [];
    } catch (error) {
      return ((error as { details?: { key: string; message: string }[] }).details ?? []).map(({ key, message }) => `${key}: ${message}`);
    }
  };

  it('is kept with values as answers are kept, and stored in a form that an earlier release refuses', () => {
    const items = readDraft(withOptions([city({ key: 'region', equals: 'a' }), 'y']));
    expect(items[1]).toMatchObject({ options: [city({ key: 'region', equals: 'a' }), { value: 'y', label: 'y' }] });
    const earlier = z.object({ value: z.string(), label: z.string() });
    const [, { options: stored = [] } = {}] = JSON.parse(storedItems(items)) as { options?: unknown[] }[];
    expect(stored.map((option) => earlier.safeParse(option).success)).toEqual([false, true]);
    expect(readDraft(storedItems(items))).toEqual(items);
    expect(itemsIn(sentItems(storedItems(items)))).toEqual(items);
  });

  it.each<[string, unknown, string]>([
    ['of a later field', { key: 'later', answered: true }, 'fields.1.options.0.visible_if.key: must be the key of an earlier field'],
    ['of its own field', { key: 'city', answered: true }, 'fields.1.options.0.visible_if.key: must be the key of an earlier field'],
    [
      'on a value that the other field does not have',
      { not: { key: 'region', equals: 'c' } },
      'fields.1.options.0.visible_if.not.equals: must be the value of an option',
    ],
    ['without an operator', { key: 'region' }, 'fields.1.options.0.visible_if: must have exactly one of'],
  ])('is refused %s, once for all options that have it', (_, condition, fault) => {
    expect(faultsIn(withOptions([city(condition)]))).toEqual([expect.stringContaining(fault)]);
  });

  it('counts once in a field, however many options have it', () => {
    const given = Array.from({ length: 1_000 }, (_, at) => ({
      ...city({ all: Array(50).fill({ key: 'region', equals: 'a' }) }),
      value: `v${at}`,
    }));
    expect(faultsIn(withOptions(given))).toEqual([]);
    const name = field('name', { type: 'short_text' });
    const distinct = given.map((option, at) => ({ ...option, visible_if: { any: Array(6).fill({ key: 'name', equals: `x${at}` }) } }));
    const json = JSON.stringify([name, { ...field('city', { type: 'select' }), options: distinct }]);
    expect(faultsIn(json)[0]).toBe(
      'fields.1.options.833.visible_if.any.2: must leave the conditions of all fields together at most 5000 comparisons',
    );
  });

  it('lets no option be the default that may not be offered', () => {
    const given = [city({ key: 'region', equals: 'a' }), 'y'];
    expect(faultsIn(withOptions(given, { default: 'x' }))).toEqual(['fields.1.default: must have only options without a condition']);
    expect(faultsIn(withOptions(given, { default: 'y' }))).toEqual([]);
  });
});

describe('The option Other', () => {
  const choice = (more: object = {}) => ({ key: 'a', label: 'A', type: 'select', options: ['x'], other: { label: 'Else' }, ...more });
  const draft = (...fields: object[]) => JSON.stringify(fields);

  it('is stored as an option and a text, of which conditions may be, and which an earlier release takes alike', () => {
    const read = readDraft(
      draft(choice(), {
        key: 'b',
        label: 'B',
        type: 'short_text',
        visible_if: { key: 'a_other', contains: 'y' },
        required_if: { key: 'a', equals: 'other' },
        required: true,
      }),
    );
    expect(read).toHaveLength(3);
    expect(read[0]).toMatchObject({ options: [{ value: 'x' }, { value: 'other', label: 'Else' }] });
    expect(read[1]).toMatchObject({ key: 'a_other', required: true, visible_if: { key: 'a', equals: 'other' } });
    expect(readDraft(JSON.stringify(read))).toEqual(read);
  });

  it.each([
    [
      'a field with the key of its text',
      [choice(), { key: 'a_other', label: 'B', type: 'email' }],
      'fields.1.key: must be unique; "a_other" is already used',
    ],
    [
      'an earlier field with that key',
      [{ key: 'a_other', label: 'B', type: 'email' }, choice()],
      'fields.1.other: needs a field for its text: key must be unique; "a_other" is already used',
    ],
    [
      'a key that is too long for that of its text',
      [choice({ key: 'a'.repeat(59) })],
      'fields.0.other: is allowed only for a key of at most 58 characters',
    ],
    [
      'too many options',
      [choice({ options: Array.from({ length: 1_000 }, (_, n) => `${n}`) })],
      'fields.0.other: must leave at most 1000 options, itself included',
    ],
    [
      'a condition of its own',
      [
        { key: 'b', label: 'B', type: 'email' },
        choice({ options: ['x', { value: 'other', label: 'O', visible_if: { key: 'b', answered: true } }] }),
      ],
      'fields.1.other: must have no condition',
    ],
    [
      'a limit of its own',
      [choice({ options: ['x', { value: 'other', label: 'O', limit: 3 }] })],
      'fields.0.other: must have no limit, as it is for what the other options leave out',
    ],
    [
      'a type without choices',
      [{ key: 'b', label: 'B', type: 'email', other: { label: 'Else' } }],
      'fields.0.other: is not allowed for the type email',
    ],
    [
      'a text of no choice',
      [{ key: 'b', label: 'B', type: 'short_text', other_of: 'c' }],
      'fields.0.other_of: is allowed only for the key c_other',
    ],
    [
      'too many fields with its text',
      [...Array.from({ length: 499 }, (_, n) => ({ key: `k${n}`, label: 'K', type: 'email' })), choice()],
      'fields: must have at most 500 fields, with those of repeats and for the texts of "other"',
    ],
    ['an empty label', [choice({ other: { label: ' ' } })], 'fields.0.other.label: must'],
  ])('is refused with %s', (_, fields, message) => {
    expect(refusalOf(draft(...fields)).message).toContain(message);
  });
});

describe('A limit of an option, and answers that are unique', () => {
  const day = (limits: readonly unknown[], type = 'multi_select') => ({
    key: 'day',
    type,
    label: 'Day',
    options: limits.map((limit, at) => ({ value: `d${at}`, label: 'D', limit })),
  });
  const mail = { key: 'mail', type: 'email', label: 'E-mail', unique: true, messages: { unique: 'We have you.' } };
  const region = { key: 'region', type: 'select', label: 'Region', options: ['a'] };
  const both = { value: 'x', label: 'X', limit: 0, visible_if: { key: 'region', equals: 'a' } };

  it('are kept, and stored in a form that earlier releases refuse', () => {
    const items = readDraft(JSON.stringify([region, { key: 'day', type: 'select', label: 'Day', options: [both, 'y'] }, mail]));
    expect(items).toMatchObject([{}, { options: [both, { value: 'y' }] }, mail]);
    const [, { options: stored }, unique] = JSON.parse(storedItems(items)) as [object, { options: [{ option: object }] }, object];
    // A release that knows conditions of options takes the outer one away, and misses value and label.
    expect(stored[0].option).not.toHaveProperty('value');
    // No release reads this option; key and type are where they always are.
    expect(unique).toMatchObject({ key: 'mail', type: 'email', options: [{ unique: true }] });
    expect(unique).not.toHaveProperty('unique');
    expect(readDraft(storedItems(items))).toEqual(items);
    expect(itemsIn(sentItems(storedItems(items)))).toEqual(items);
  });

  it.each<[string, object[], string]>([
    ['a limit below 0', [day([-1])], 'fields.0.options.0.limit: must be a whole number between 0 and 1000000'],
    [
      'a limit in a list of more than 200',
      [day(Array.from({ length: 201 }, () => 1))],
      'fields.0.options: must have at most 200 options if one has a limit',
    ],
    ['unique choices', [{ ...day([1]), unique: true }], 'fields.0.unique: is not allowed for the type multi_select'],
    [
      'more than 20 unique fields',
      Array.from({ length: 21 }, (_, at) => ({ ...mail, key: `m${at}` })),
      'fields.20.unique: must be true for at most 20 fields of a form',
    ],
  ])('are refused for %s', (_, items, fault) => {
    expect(() => readDraft(JSON.stringify(items))).toThrow(fault);
  });
});

it('refuses texts that show answers which do not stand before them, and names the text and the key', () => {
  const ending = { type: 'ending', name: 'end', if: { key: 'a', answered: true }, title: '{{a}}', text: '{{z}}' } as const;
  expect(
    faults(
      field('a', { label: '{{a}}' }),
      field('b', { help: '{{a}} {{c}}', translations: { de: { label: '{{B}}' } } }),
      { type: 'page', label: '{{b}}', help: '{{d}}' },
      field('c', { type: 'select', options: [{ value: 'x', label: '{{x}}' }], placeholder: '{{x}}' }),
      ending,
    ),
  ).toEqual(
    [
      ['fields.0.label', 'a'],
      ['fields.1.help', 'c'],
      ['fields.1.translations.de.label', 'B'],
      ['fields.2.help', 'd'],
      ['fields.4.text', 'z'],
    ].map(
      ([path, key]) => `${path}: must show only answers to fields before it, which "${key}" is not; \\{{ in place of {{ makes it a text`,
    ),
  );
});

it('keeps the words of *Other* a text in the label that is made of them', () => {
  const choice = { key: 'c', label: 'Of {{a}}?', type: 'select', options: ['x'], other: { label: '{{b}}' } };
  const [, , text] = readDraft(JSON.stringify([field('a'), choice]));
  expect(text).toMatchObject({ key: 'c_other', label: '\\{{b}}: Of {{a}}?' });
});
