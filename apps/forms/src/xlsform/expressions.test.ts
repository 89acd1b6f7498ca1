import type { Field } from '@sheaf/contracts';
import { readConstraint, readRelevant } from './expressions';

const fields = new Map<string, Pick<Field, 'key' | 'type'>>([
  ['Age', { key: 'age', type: 'integer' }],
  ['colour', { key: 'colour', type: 'select' }],
  ['agreed', { key: 'agreed', type: 'boolean' }],
]);

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
  ["${colour} = 'red' and ${Age} = 18", undefined],
  ["${colour} = 'red' or ${Age} = 18", undefined],
  ["${colour} != 'red' or ${colour} != 'blue'", undefined],
  ['${Age} > 18', undefined],
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
