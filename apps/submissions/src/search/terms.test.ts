import { comparable, entryOf, equalTerm, maxItemTermBytes, maxTermBytes } from './terms';

it('indexes answers by word, by value and by having been given', () => {
  const { terms } = entryOf({ name: 'Ada Lovelace', age: 36, colours: ['Red', 'Dark blue'], agrees: true });
  expect(terms).toEqual([
    '?name',
    '=name=ada lovelace',
    '?age',
    '=age=36',
    '?colours',
    '=colours=red',
    '=colours=dark blue',
    '?agrees',
    '=agrees=true',
    'ada',
    'lovelace',
    '36',
    'red',
    'dark',
    'blue',
  ]);
});

it('compares numbers, dates, times and instants', () => {
  expect(entryOf({ name: 'Ada', age: 36, born: '1815-12-10', at: '09:30', agrees: true })).toMatchObject({
    keys: ['age', 'born', 'at'],
    numbers: [36, Date.UTC(1815, 11, 10), 9.5 * 3_600_000],
  });
});

it('finds a date range by both of its days, and compares it by the first', () => {
  expect(entryOf({ stay: { from: '2026-05-29', to: '2026-06-02' } })).toEqual({
    terms: ['?stay', '=stay=2026-05-29', '2026', '05', '29', '06', '02'],
    keys: ['stay'],
    numbers: [Date.UTC(2026, 4, 29)],
  });
});

it('finds an address by the words of its parts, and by its country', () => {
  expect(entryOf({ home: { line1: 'Main St 1', city: 'Berlin', country: 'DE' } }).terms).toEqual([
    ...['?home', '=home.country=de'],
    ...['main', 'st', '1', 'berlin', 'de'],
  ]);
});

it('finds a matrix by the columns that were chosen, whatever its rows are called', () => {
  expect(entryOf({ looks: { front: 'bad', city: ['good', 'bad'] } }).terms).toEqual(['?looks', '=looks=bad', '=looks=good', 'bad', 'good']);
  expect(entryOf({ looks: { from: 'bad', to: 'good' } }).terms).toEqual(['?looks', '=looks=bad', '=looks=good', 'bad', 'good']);
});

it('finds a repeat by the answers in its items', () => {
  const guests = [
    { name: 'Ann Lee', meals: ['vegan', 'fish'], stay: { from: '2026-05-01', to: '2026-05-02' } },
    { name: 'Bo', age: 7 },
    {},
  ];
  const { terms } = entryOf({ guests });
  expect(terms).toEqual(expect.arrayContaining(['?guests', 'ann', 'lee', 'bo', '7', '=guests=vegan', '=guests=fish', '=guests=bo']));
  expect(entryOf({ guests }).keys).toEqual([]);
});

it('finds a signature by its name alone, and a matrix that looks like one by all of its columns', () => {
  const id = '01890000-0000-7000-8000-000000000000';
  expect(entryOf({ signed: { kind: 'typed', name: 'Ada' } }).terms).not.toContain('typed');
  expect(entryOf({ signed: { kind: 'drawn', file_id: id } }).terms).not.toContain('drawn');
  expect(entryOf({ looks: { kind: 'typed', speed: 'slow' } }).terms).toEqual(expect.arrayContaining(['typed', 'slow']));
  expect(entryOf({ looks: { kind: 'drawn', file_id: 'slow' } }).terms).toEqual(expect.arrayContaining(['drawn', 'slow']));
  expect(entryOf({ looks: { kind: 'typed' } }).terms).toContain('typed');
});

it.each([
  ['2026-01-02T03:04:05+02:00', Date.UTC(2026, 0, 2, 1, 4, 5)],
  ['2026-01-02T03:04', Date.UTC(2026, 0, 2, 3, 4)],
  ['2026-01-02t03:04:05z', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['23:59:59', 86_399_000],
  ['2026-02-31x', undefined],
  ['+49 30 1234', undefined],
  ['12345', undefined],
  [true, undefined],
  [['2026-01-02'], undefined],
])('%j has its place in an order', (answer, number) => {
  expect(comparable(answer)).toBe(number);
});

it('finds a long text by its words only', () => {
  expect(equalTerm('story', 'word '.repeat(100))).toBeUndefined();
  expect(entryOf({ story: 'word '.repeat(100) }).terms).toEqual(['?story', 'word']);
});

it('keeps filters of an answer after one with very many words', () => {
  const story = Array.from({ length: 50_000 }, (_, n) => `word${n}`).join(' ');
  const { terms } = entryOf({ story, colour: 'Red' });
  expect(terms).toContain('=colour=red');
  expect(terms.length).toBeGreaterThan(3_000);
  expect(Buffer.byteLength(terms.join(''))).toBeLessThanOrEqual(maxTermBytes);
});

it('keeps filters and words of an answer after a repeat with very many answers', () => {
  const guests = Array.from({ length: 50 }, (_, at) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`n${n}`, `${at} ${n} ${'x'.repeat(80)}`])),
  );
  const { terms } = entryOf({ guests, colour: 'Red' });
  expect(terms).toEqual(expect.arrayContaining(['?guests', '?colour', '=colour=red', 'red']));
  const ofItems = terms.filter((term) => term.startsWith('=guests='));
  expect(ofItems).toContain(`=guests=0 0 ${'x'.repeat(80)}`);
  expect(Buffer.byteLength(ofItems.join(''))).toBeLessThanOrEqual(maxItemTermBytes);
});

it('does not take the id of a file for words', () => {
  const cv = '01a207b4-174d-7575-a24e-5729e442b031';
  expect(entryOf({ cv: [cv] }).terms).toEqual(['?cv', `=cv=${cv}`]);
});
