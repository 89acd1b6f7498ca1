import { noLayout } from './columns';
import { isSameLayout, isSameSearch, missingFields, pageSearchOf, viewSearchOf } from './view-search';

describe('the search of a view', () => {
  it.each([
    {},
    { q: 'oak', status: 'new,approved', sort: '-answers.age' },
    { from: '2026-03-29', to: '2026-10-25', changed_since: '2026-01-01' },
    { from: '2026-03-02T09:30:00.000Z', assignee: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05' },
    { 'filter[tree]': 'oak\nelm', 'filter[age][gte]': '18', 'filter[_in]': 'list,spam', 'filter[_created][within]': 'last_7_days' },
  ])('leads to the address that it was kept from: %j', (address) => {
    expect(pageSearchOf(viewSearchOf({ ...address, open: 'x', view: 'y' }))).toEqual(address);
  });

  it('has the days of the person who kept it, up to the end of the last one', () => {
    expect(viewSearchOf({ from: '2026-03-02', to: '2026-03-02' })).toEqual({
      from: new Date(2026, 2, 2).toISOString(),
      to: new Date(2026, 2, 3).toISOString(),
    });
  });

  it('names the fields that the form does not have', () => {
    const view = { search: { filter: [condition('age'), condition('name'), condition('_version')], sort: '-answers.town' } };
    expect(missingFields(view as never, ['name'])).toEqual(['age', 'town']);
  });
});

it('addresses of the same list are the same in any order, and with anything else of the page', () => {
  expect(isSameSearch({ q: 'oak', status: 'new' }, { status: 'new', open: 'x', q: 'oak', sort: undefined })).toBe(true);
  expect(isSameSearch({ q: 'oak' }, { q: 'elm' })).toBe(false);
});

it('columns are the same that are in the same order, hidden and as wide', () => {
  const layout = { ...noLayout, hidden: ['a', 'b'], widths: { a: 80, b: 90 } };
  expect(isSameLayout(layout, { ...layout, hidden: ['b', 'a'], widths: { b: 90, a: 80 } })).toBe(true);
  expect(isSameLayout(layout, { ...layout, order: ['a'] })).toBe(false);
});

const condition = (key: string) => ({ key, comparison: 'eq' as const, values: ['1'] });
