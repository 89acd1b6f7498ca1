import type { Field } from '@sheaf/contracts';
import { readConstraint, readRelevant } from './expressions';

const fields = new Map<string, Pick<Field, 'key' | 'type' | 'options'>>([
  ['level', { key: 'level', type: 'select', options: ['1', '2', '3', 'none'].map((value) => ({ value, label: value })) }],
  ['toppings', { key: 'toppings', type: 'multi_select' }],
  ['begin', { key: 'begin', type: 'date' }],
  ['end', { key: 'end', type: 'date' }],
  ['Age', { key: 'age', type: 'integer' }],
  ['colour', { key: 'colour', type: 'select' }],
  ['agreed', { key: 'agreed', type: 'boolean' }],
]);

const only = {
  all: [
    { key: 'toppings', equals: 'none' },
    { key: 'toppings', chosen_at_most: 1 },
  ],
};

it.each([
  ["${colour} = 'red'", { key: 'colour', equals: 'red' }],
  ['${colour}="1"', { key: 'colour', equals: '1' }],
  ["( ${colour} != 'red' )", { key: 'colour', not_equals: 'red' }],
  ['${Age} = 18', { key: 'age', equals: 18 }],
  ["${Age} != ''", { key: 'age', answered: true }],
  ["${Age} = ''", { key: 'age', answered: false }],
  ["${agreed} = 'OK'", { key: 'agreed', equals: true }],
  ["selected(${colour}, 'red')", { key: 'colour', equals: 'red' }],
  ["not(selected(${colour}, 'red'))", { key: 'colour', not_equals: 'red' }],
  ["selected(${colour}, 'red') or ${colour} = 'blue'", { key: 'colour', in: ['red', 'blue'] }],
  [
    "${colour} = 'red' and ${Age} = 18",
    {
      all: [
        { key: 'colour', equals: 'red' },
        { key: 'age', equals: 18 },
      ],
    },
  ],
  [
    "${colour} = 'red' or ${Age} = 18",
    {
      any: [
        { key: 'colour', equals: 'red' },
        { key: 'age', equals: 18 },
      ],
    },
  ],
  [
    "${colour} != 'red' or ${colour} != 'blue'",
    {
      any: [
        { key: 'colour', not_equals: 'red' },
        { key: 'colour', not_equals: 'blue' },
      ],
    },
  ],
  [
    "${Age} > 18 and (${colour} = 'red' or not(${Age} <= 65))",
    { all: [{ key: 'age', gt: 18 }, { any: [{ key: 'colour', equals: 'red' }, { not: { key: 'age', lte: 65 } }] }] },
  ],
  ["${toppings} = 'none'", only],
  ["${toppings} != 'none'", { not: only }],
  ['18 < ${Age}', { key: 'age', gt: 18 }],
  ['${level} >= 2', { key: 'level', in: ['2', '3'] }],
  ['${level} > 3', undefined],
  ['count-selected(${toppings}) > 2', { key: 'toppings', chosen_at_least: 3 }],
  [
    'count-selected(${toppings}) = 2',
    {
      all: [
        { key: 'toppings', chosen_at_least: 2 },
        { key: 'toppings', chosen_at_most: 2 },
      ],
    },
  ],
  ["${begin} >= date('2026-01-01')", { key: 'begin', gte: '2026-01-01' }],
  ['${end} < ${begin}', { key: 'end', lt: { key: 'begin' } }],
  [
    '${end} = ${begin}',
    {
      any: [
        { key: 'end', equals: { key: 'begin' } },
        {
          all: [
            { key: 'end', answered: false },
            { key: 'begin', answered: false },
          ],
        },
      ],
    },
  ],
  ['${Age} + 1 > 18', undefined],
  ['${begin} <= today()', undefined],
  ["${colour} = 'red' and ${lost} = 1", undefined],
  [`${'('.repeat(400)}\${Age} = 1${')'.repeat(400)}`, undefined],
  ['${lost} = 1', undefined],
  ["not(selected(${colour}, 'red')", undefined],
  ['true()', undefined],
])('the condition %j is read as %j', (expression, condition) => {
  expect(readRelevant(expression, fields)).toEqual(condition);
});

it.each<[string, Field['type'], object | undefined]>([
  ['. >= 1 and . <= 5', 'integer', { min: 1, max: 5 }],
  ['.>0 and .<100', 'integer', { min: 1, max: 99 }],
  ['. >= 0.5', 'number', { min: 0.5 }],
  ['. > 0', 'number', undefined],
  ["regex(., '^[A-Z]{2} and [0-9]+$')", 'short_text', { pattern: '^[A-Z]{2} and [0-9]+$' }],
  ['string-length(.) <= 20', 'short_text', { max_length: 20 }],
  ['string-length(.) = 5', 'short_text', { min_length: 5, max_length: 5 }],
  [". >= date('2026-01-01') and . <= '2026-12-31'", 'date', { min_date: '2026-01-01', max_date: '2026-12-31' }],
  ['. >= 1 and . >= 2', 'integer', undefined],
  ['. >= 1 or . = -1', 'integer', undefined],
  ['. <= today()', 'date', undefined],
])('the constraint %j of a field of type %s is read as %j', (expression, type, bounds) => {
  expect(readConstraint(expression, { type })).toEqual(bounds);
});
