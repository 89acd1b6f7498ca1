import { Field, FormCheck, FormEnding, FormElement, mainTextOf, type FormItem } from '@sheaf/contracts';
import { affectedKeys, affectedOptions, contentChanges } from './content-changes';

const field = (key: string, more: object = {}) => Field.parse({ key, label: key, type: 'short_text', ...more });
const section = (label: string, more: object = {}) => FormElement.parse({ type: 'section', label, ...more });
const changes = (from: FormItem[], to: FormItem[]) => contentChanges({ fields: from }, { fields: to }).changes;
const brief = (from: FormItem[], to: FormItem[]) =>
  changes(from, to).map(({ kind, from, to }) => {
    const item = to ?? from;
    return `${kind} ${item && ('key' in item ? item.key : mainTextOf(item))}`;
  });

describe('the differences between two contents', () => {
  it('are none if nothing has changed', () => {
    const content = { fields: [section('About you'), field('name')], payment: { amount: 2500, currency: 'eur' } };
    expect(contentChanges(content, JSON.parse(JSON.stringify(content)) as typeof content)).toEqual({ changes: [] });
  });

  it('name added, removed and retyped fields, with both sides and their positions', () => {
    const [name, age, city] = [field('name'), field('age'), field('city')];
    const number = field('age', { type: 'integer' });
    expect(changes([name, age], [number, city])).toEqual([
      { kind: 'retyped', key: 'age', from: age, to: number, from_position: 2, to_position: 1, changed_properties: ['type'] },
      { kind: 'added', key: 'city', to: city, to_position: 2 },
      { kind: 'removed', key: 'name', from: name, from_position: 1 },
    ]);
  });

  it('name the properties that differ, also those that only one side has', () => {
    const [before, after] = [field('name', { help: 'As in your passport' }), field('name', { label: 'Full name', max_length: 80 })];
    expect(changes([before], [after])).toMatchObject([
      { kind: 'changed', key: 'name', changed_properties: ['label', 'help', 'max_length'] },
    ]);
  });

  it('count as few fields as possible as moved', () => {
    const [a, b, c, d] = [field('a'), field('b'), field('c'), field('d')];
    expect(brief([a, b, c, d], [d, a, b, c])).toEqual(['moved d']);
    expect(brief([a, b, c, d], [a, c, b, d])).toHaveLength(1);
    expect(brief([a, b, c], [field('new'), a, b, c])).toEqual(['added new']);
    expect(brief([a, b, c], [b, c])).toEqual(['removed a']);
  });

  it('have an entry each for a field that was changed and moved', () => {
    const [a, b, c] = [field('a'), field('b'), field('c')];
    expect(brief([a, b, c], [field('c', { required: true }), a, b])).toEqual(['changed c', 'moved c']);
  });

  it('match elements, which have no key, by their label, and otherwise by their order', () => {
    const [you, us] = [section('About you'), section('About us')];
    expect(brief([you, us], [you, us])).toEqual([]);
    expect(brief([you, us], [us])).toEqual(['removed About you']);
    expect(brief([you, us], [you, section('About our company')])).toEqual(['changed About our company']);
    expect(brief([you, you], [you, you, you])).toEqual(['added About you']);
    expect(brief([section('Notes')], [FormElement.parse({ type: 'page', label: 'Notes' })])).toEqual(['added Notes', 'removed Notes']);
  });

  it('include the price', () => {
    const [euros, dollars] = [
      { amount: 2500, currency: 'eur' },
      { amount: 2500, currency: 'usd' },
    ];
    const payment = (from: object | undefined, to: object | undefined) =>
      contentChanges({ fields: [], payment: from as never }, { fields: [], payment: to as never }).payment;
    expect(payment(euros, dollars)).toEqual({ from: euros, to: dollars });
    expect(payment(undefined, euros)).toEqual({ to: euros });
    expect(payment(euros, undefined)).toEqual({ from: euros });
    expect(payment(euros, { ...euros })).toBeUndefined();
  });
});

it('affects the answers to removed and retyped fields only', () => {
  const from = [section('About you'), field('name'), field('age'), field('city'), field('zip')];
  const to = [field('zip'), field('age', { type: 'integer' }), field('city', { label: 'Town' })];
  expect(affectedKeys(contentChanges({ fields: from }, { fields: to }))).toEqual(['age', 'name']);
});

it('the options that submissions may have chosen are those that a field of the same type no longer has', () => {
  const colour = (type: string, ...options: string[]) => field('colour', { type, options });
  const lost = (from: FormItem, to: FormItem) => affectedOptions(contentChanges({ fields: [from] }, { fields: [to] }));
  expect(lost(colour('select', 'red', 'blue'), colour('select', 'blue', 'green'))).toEqual([{ key: 'colour', options: ['red'] }]);
  expect(lost(colour('select', 'red', 'blue'), colour('select', 'blue', 'red', 'green'))).toEqual([]);
  expect(lost(colour('select', 'red'), colour('multi_select', 'blue'))).toEqual([]);
  const named = (values: string[]) => values.map((value) => ({ value, label: value }));
  const looks = (rows: string[], columns: string[]) => field('looks', { type: 'matrix', rows: named(rows), columns: named(columns) });
  expect(lost(looks(['a', 'b', 'x'], ['x', 'y']), looks(['b', 'new'], ['x', 'z']))).toEqual([{ key: 'looks', options: ['a', 'x', 'y'] }]);
});

it('knows a check by its message', () => {
  const check = (message: string, equals: string) => FormCheck.parse({ type: 'check', if: { key: 'a', equals }, message, at: 'a' });
  const [a, one, two, other] = [field('a'), check('One', 'x'), check('Two', 'y'), check('Two', 'z')];
  expect(brief([a, one, two], [a, other])).toEqual(['changed Two', 'removed One']);
});

it('knows an ending by its name', () => {
  const ending = (name: string, title: string) => FormEnding.parse({ type: 'ending', name, if: { key: 'a', answered: true }, title });
  expect(brief([field('a'), ending('x', 'One'), ending('y', 'Two')], [field('a'), ending('y', 'One')])).toEqual([
    'changed One',
    'removed One',
  ]);
});
