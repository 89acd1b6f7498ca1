import { answerTraits, partsOfKind, type AnswerKind } from './answer-kinds';
import { inEnglish } from '../words/en';
import { formats } from './field-kinds';
import { partIn } from '../answers/part-in';
import { answerKindOf, canBePrefilled, isHidden, partLabel, partsOf, plainTypeOf } from './traits';

it('the format of a calculated field says what its answer is, and which type is like it', () => {
  const kinds = formats.map((format) => [
    format,
    answerKindOf({ type: 'calculated', format }),
    plainTypeOf({ type: 'calculated', format }),
  ]);
  expect(kinds).toEqual([
    ['number', 'number', 'number'],
    ['currency', 'number', 'number'],
    ['percent', 'number', 'number'],
    ['text', 'text', 'short_text'],
    ['date', 'date', 'date'],
    ['boolean', 'boolean', 'boolean'],
  ]);
  expect([answerKindOf({ type: 'calculated' }), plainTypeOf({ type: 'rating' })]).toEqual(['number', 'rating']);
});

it('a calculated field is seen unless its author says otherwise', () => {
  expect([{}, { shown: true }, { shown: false }].map((more) => isHidden({ type: 'calculated', ...more }))).toEqual([false, false, true]);
});

it('a ranking cannot be filled in before people see it, as an order that they did not choose would be theirs', () => {
  expect([canBePrefilled({ type: 'multi_select' }), canBePrefilled({ type: 'ranking' })]).toEqual([true, false]);
});

it('a kind of a later release has no facts, so that a stored plan with it can be read', () => {
  for (const kind of ['later', 'constructor'] as unknown as AnswerKind[])
    expect([partsOfKind(kind), answerTraits(kind).cell, answerTraits(kind).isText]).toEqual([[], undefined, undefined]);
});

const words = inEnglish.parts;

it('a date range has two days, and no answer without both', () => {
  expect(partsOf({ type: 'date_range' })).toEqual([
    { name: 'from', kind: 'date', required: true },
    { name: 'to', kind: 'date', required: true },
  ]);
  expect(partsOf({ type: 'short_text' })).toEqual([]);
});

it.each(['__proto__', 'constructor'])('a part may be called %s, and is read from the answer itself', (name) => {
  expect([partIn({}, name), partIn(JSON.parse(`{"${name}": "a"}`), name), partIn([], name), partIn(null, name)]).toEqual([
    undefined,
    'a',
    undefined,
    undefined,
  ]);
  expect(partLabel({ name }, words)).toBe(name);
});

it('a part has the words of its name, or the text of its form', () => {
  expect([partLabel({ name: 'to' }, words), partLabel({ name: 'to', label: 'Towards' }, words)]).toEqual(['to', 'Towards']);
});

it('an address asks for the parts of its field in their order, and for all unless it says otherwise', () => {
  const parts = [{ part: 'city' as const }, { part: 'country' as const, required: true }];
  expect(partsOf({ type: 'address', parts })).toEqual([
    { name: 'city', kind: 'text', required: false },
    { name: 'country', kind: 'country', required: true },
  ]);
  const usual = partsOf({ type: 'address' });
  expect(usual.map(({ name }) => name)).toEqual(['line1', 'line2', 'postal_code', 'city', 'region', 'country']);
  expect(usual.filter(({ required }) => !required).map(({ name }) => name)).toEqual(['line2', 'region']);
});
