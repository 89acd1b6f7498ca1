import { contentsOf } from './contents';
import { faultsIn, ofWhole } from './faults';

const field = (key: string, type = 'short_text') => ({ key, label: key, type, required: false });
const faultsOf = (check: object, ...before: object[]) =>
  faultsIn(contentsOf({ fields: [...before, { type: 'check', if: { key: 'a', equals: 'x' }, message: 'No', at: 'a', ...check }] }));
const told = (check: object, ...before: object[]) =>
  [...faultsOf(check, ...before).values()].flat().map(({ part, code }) => `${part} ${code ?? ''}`);

describe('A check', () => {
  it('stands behind the fields that it names', () => {
    expect(told({}, field('a'))).toEqual([]);
    expect(told({ if: { key: 'b', equals: 'x' } }, field('a'))).toEqual(['if condition_later']);
    expect(told({ at: 'b' }, field('a'))).toEqual(['at at_later']);
  });

  it('has a message where people see it', () => {
    expect(told({ message: ' ' }, field('a'))).toEqual(['message blank']);
    expect(told({ at: 'b' }, field('a'), field('b', 'hidden'))).toEqual(['at at_later']);
  });
});

describe('The text of Other', () => {
  const choice = { ...field('a', 'select'), options: [{ value: 'x', label: 'X' }], other: { label: 'Other' } };
  const ofText = { if: { key: 'a_other', answered: true }, at: 'a_other' };

  it('may be asked for by what stands behind its choice, and only while the choice has it', () => {
    expect(told(ofText, choice)).toEqual([]);
    expect(told(ofText, { ...choice, other: undefined })).toEqual(['if condition_later', 'at at_later']);
  });

  it('has a key that no other field can have', () => {
    expect(told({}, choice, field('a_other'))).toEqual(['key key_taken']);
  });
});

describe('A formula', () => {
  const wrongIn = (formula: string, more: object = {}) =>
    [...faultsIn(contentsOf({ fields: [field('a', 'number'), { ...field('b', 'calculated'), formula, ...more }] })).values()]
      .flat()
      .map(({ part, code, formula: fault }) => `${part} ${code ?? fault?.code ?? ''}`);

  it('is written, right, and gives what its format needs', () => {
    expect(wrongIn('a * 2')).toEqual([]);
    expect(wrongIn(' ')).toEqual(['formula formula_blank']);
    expect(wrongIn('a *')).toEqual(['formula value_expected']);
    expect(wrongIn('b')).toEqual(['formula name_unknown']);
    expect(wrongIn('a', { format: 'text' })).toEqual(['format result_expected']);
  });
});

describe('A text that shows an answer', () => {
  const toldOf = (...fields: object[]) =>
    [...faultsIn(contentsOf({ fields })).values()].flat().map(({ part, code }) => `${part} ${code ?? ''}`);

  it('says so when the question is removed, or moved behind it', () => {
    const text = { ...field('b'), help: '{{a}}' };
    expect(toldOf(field('a'), text)).toEqual([]);
    expect([toldOf(text), toldOf(text, field('a'))]).toEqual([['help pipe_later'], ['help pipe_later']]);
  });
});

test.each([
  ['a', 'calculated', { formula: '1' }, []],
  ['a', 'calculated', { formula: "'x'", format: 'text' }, ['price_lost']],
  ['a', 'number', {}, ['price_lost']],
  ['b', 'calculated', { formula: '1' }, ['price_lost']],
])('a price from the field %s needs a calculated number: %s %j', (key, type, more, codes) => {
  const payment = { amount_from: 'a', currency: 'eur' };
  const faults = faultsIn(contentsOf({ fields: [{ ...field(key, type), ...more }], payment }));
  expect((faults.get(ofWhole) ?? []).map(({ code }) => code)).toEqual(codes);
});
