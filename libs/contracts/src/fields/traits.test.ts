import { answerTraits, partsOfKind, type AnswerKind } from './answer-kinds';
import { formats } from './field-kinds';
import { answerKindOf, canBePrefilled, isHidden, partIn, partLabel, partsOf, plainTypeOf } from './traits';

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
  expect(partLabel({ name }, { from: 'From', to: 'To' })).toBe(name);
});

it('a part has the words of its name, or the text of its form', () => {
  const words = { from: 'From', to: 'To' };
  expect([partLabel({ name: 'to' }, words), partLabel({ name: 'to', label: 'Towards' }, words)]).toEqual(['To', 'Towards']);
});
