import { exportFacts } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import type { Filter, Test } from '../search/filter';
import { knownNeeds } from '../search/needs';
import { needsOfPlan, type Plan, type Wanted } from './plan';

it('a file with a column that earlier releases do not have needs a later one', () => {
  const wanted = { formId: newId(), filters: [], statuses: [], format: 'csv', labels: false } as const;
  const needsOf = (...ids: string[]) =>
    needsOfPlan({ wanted: { ...wanted, columns: ids.map((id) => ({ id })) }, filter: undefined, form: undefined });
  expect(needsOf()).toBe(1);
  expect(needsOf('reference', 'answers.entry_source', 'answers.constructor')).toBe(1);
  expect(needsOf('reference', 'entry_source')).toBe(2);
  expect(needsOf('entry_source', 'fill_seconds')).toBe(3);
});

const countries: Plan['form'] = {
  keys: ['home'],
  labels: [['home', { label: 'Home', kind: 'country', options: [] }]],
  title: 'Survey',
  timezone: undefined,
};

it('a file with countries needs a release that knows their names', () => {
  const wanted = { formId: newId(), filters: [], statuses: [], format: 'csv', labels: true } as const;
  expect(needsOfPlan({ wanted, filter: undefined, form: countries })).toBe(4);
});

it('a file with a ranking needs a release that has columns of ranks, with and without labels', () => {
  const formOf = (isRanked: boolean): Plan['form'] => ({
    ...{ keys: ['cities'], title: 'Survey', timezone: undefined },
    labels: [['cities', { label: 'Cities', kind: 'options', options: [], isRanked }]],
  });
  for (const labels of [false, true]) {
    const wanted = { formId: newId(), filters: [], statuses: [], format: 'csv', labels } as const;
    expect(needsOfPlan({ wanted, filter: undefined, form: formOf(true) })).toBe(4);
    expect(needsOfPlan({ wanted, filter: undefined, form: formOf(false) })).toBe(1);
  }
});

const stays: Plan['form'] = { ...countries, labels: [['stay', { label: 'Stay', kind: 'date_range', options: [] }]] };
const homes: Plan['form'] = { ...countries, labels: [['home', { label: 'Home', kind: 'address', options: [] }]] };

const signed: Plan['form'] = { ...countries, labels: [['signed', { label: 'Signed', kind: 'signature', options: [] }]] };

const guests: Plan['form'] = { ...countries, labels: [['guests', { label: 'Guests', kind: 'items', options: [] }]] };

const looks: Plan['form'] = {
  ...countries,
  labels: [['looks', { label: 'Looks', kind: 'matrix', options: [], parts: [{ name: 'f', kind: 'option', required: false }] }]],
};

it('a file with answers in parts needs a release that has a column for each', () => {
  const wanted = { formId: newId(), filters: [], statuses: [], format: 'csv', labels: false } as const;
  expect(needsOfPlan({ wanted, filter: undefined, form: stays })).toBe(5);
  expect(needsOfPlan({ wanted, filter: undefined, form: homes })).toBe(6);
  expect(needsOfPlan({ wanted, filter: undefined, form: looks })).toBe(6);
  expect(needsOfPlan({ wanted, filter: undefined, form: signed })).toBe(7);
  expect(needsOfPlan({ wanted, filter: undefined, form: guests })).toBe(8);
});

it('a release makes the file that needs the most, and leaves what needs more to a later one', () => {
  const given = true;
  const tests: Record<Test['by'], unknown> = {
    terms: given,
    lacking: given,
    range: given,
    text: given,
    version: given,
    language: given,
    arrival: given,
  };
  const filter: Record<keyof Filter, unknown> = {
    formId: given,
    terms: given,
    indexed: given,
    phrases: given,
    texts: given,
    lacking: given,
    ranges: given,
    statuses: given,
    assignee: given,
    isUnassigned: given,
    withoutNumber: given,
    from: given,
    to: given,
    changedSince: given,
    ids: given,
    anyOf: [Object.keys(tests).map((by) => ({ by }))],
    areas: given,
  };
  const wanted: Record<keyof Wanted, unknown> = {
    formId: given,
    q: given,
    filters: given,
    statuses: given,
    assignee: given,
    from: given,
    to: given,
    changedSince: given,
    today: given,
    format: given,
    labels: given,
    language: given,
    choices: given,
    origin: given,
    exportedBy: given,
    columns: exportFacts.map((id) => ({ id })),
    people: given,
    delimiter: given,
    bom: given,
  };
  expect(needsOfPlan({ wanted: wanted as unknown as Wanted, filter: filter as unknown as Filter, form: guests })).toBe(knownNeeds);
});
