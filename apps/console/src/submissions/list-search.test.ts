import { conditionsIn, listPart, listQueryOf, parameterAt, withConditions } from './list-search';

it('reads filters from an address as the API names them', () => {
  expect(
    listQueryOf({ q: ' ada ', status: 'new,approved', 'filter[colour]': 'red\nblue', 'filter[age][gte]': '18', 'filter[age][lte]': '30' }),
  ).toEqual({
    q: 'ada',
    status: ['new', 'approved'],
    filter: { colour: ['red', 'blue'], age: { gte: ['18'], lte: ['30'] } },
  });
});

it('reads conditions on the submission by the names that they have, and days as the words that they are', () => {
  const search = { 'filter[_version]': '2,1', 'filter[_created][within]': 'last_7_days', 'filter[_author]': 'x' };
  expect(listQueryOf(search)).toEqual({ filter: { _version: ['2,1'], _created: { within: ['last_7_days'] } } });
  expect(listPart(search)).toEqual(search);
});

it('includes the whole of the last day', () => {
  const { from, to } = listQueryOf({ from: '2026-05-01', to: '2026-05-01' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
});

it('leaves what is no day to the API, which says what is wrong with it', () => {
  expect(listQueryOf({ from: 'yesterday' })).toEqual({ from: 'yesterday' });
});

it('asks for changes in the only order that the API has for them', () => {
  expect(listQueryOf({ changed_since: '2026-05-01', sort: '-created' }).sort).toBe('-updated');
  expect(listQueryOf({ changed_since: '2026-05-01', sort: 'updated' }).sort).toBe('updated');
});

it('replaces the conditions on one field and keeps all others', () => {
  const search = { q: 'ada', 'filter[age][gte]': '18', 'filter[age_group]': 'young' };
  expect(withConditions(search, 'age', [{ comparison: 'eq', values: ['20'] }])).toEqual({
    q: 'ada',
    'filter[age_group]': 'young',
    'filter[age]': '20',
  });
  expect(withConditions(search, 'age', [{ comparison: 'lte', values: [''] }])).toEqual({ q: 'ada', 'filter[age_group]': 'young' });
});

it('ignores comparisons that do not exist, and keeps to the list what belongs to it', () => {
  expect(conditionsIn({ 'filter[age][like]': '1' })).toEqual([]);
  expect(listPart({ open: 'x', place: 'spam', sort: 'updated', q: '' })).toEqual({ sort: 'updated' });
});

it('finds the parameter that an error names', () => {
  expect(parameterAt('filter[age][gte]: must be a number')).toBe('filter[age][gte]');
  expect(parameterAt('status.0: must be one of')).toBe('status');
  expect(parameterAt('Something else')).toBeUndefined();
});
