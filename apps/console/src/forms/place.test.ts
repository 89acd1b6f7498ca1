import { elsewhere, placeOf, queryOf, searchOf } from './place';

it('reads an address, and leaves out what it does not understand', () => {
  expect(placeOf({})).toEqual({ view: 'all', folder: undefined, q: undefined, status: undefined, sort: 'updated' });
  expect(placeOf({ view: 'everything', status: 'lost', sort: 'random', q: '  ' })).toEqual(placeOf({}));
  expect(placeOf({ folder: 'f1', q: 'visit', status: 'active', sort: 'title' })).toMatchObject({
    folder: 'f1',
    q: 'visit',
    status: 'active',
  });
});

it('knows no folder outside of all forms, and no second status in the archive and the trash', () => {
  expect(placeOf({ view: 'trash', folder: 'f1', status: 'active' })).toMatchObject({ folder: undefined, status: undefined });
});

it('writes the address that it reads', () => {
  const search = { view: 'shared', folder: undefined, q: 'visit', status: 'disabled', sort: 'title' };
  expect(searchOf(placeOf(search))).toEqual(search);
  expect(Object.values(searchOf(placeOf({}))).filter((value) => value !== undefined)).toEqual([]);
});

it.each([
  [{}, { limit: 50, sort: 'updated' }],
  [{ view: 'favorites' }, { limit: 50, sort: 'updated', favorite: true }],
  [
    { view: 'shared', status: 'active' },
    { limit: 50, sort: 'updated', shared: true, status: 'active' },
  ],
  [
    { view: 'trash', sort: 'title' },
    { limit: 50, sort: 'title', status: 'trashed' },
  ],
  [
    { folder: 'none', q: 'a' },
    { limit: 50, sort: 'updated', folder_id: 'none', q: 'a' },
  ],
])('asks for %j as %j', (search, query) => expect(queryOf(placeOf(search))).toEqual(query));

it('forgets what was searched when it goes to another folder, but not the order', () => {
  const place = placeOf({ q: 'visit', status: 'active', sort: 'title' });
  expect(elsewhere(place, { view: 'all', folder: 'f1' })).toEqual({
    view: 'all',
    folder: 'f1',
    q: undefined,
    status: undefined,
    sort: 'title',
  });
});
