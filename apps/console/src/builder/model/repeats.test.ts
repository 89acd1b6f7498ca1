import type { Field } from '@sheaf/contracts';
import { contentsOf, draftOf, earlierFor, type Contents, type Entry } from './contents';
import { edited, type Edit } from './edits';
import { faultsFrom, faultsIn } from './faults';
import { identified, merge } from './merge';

const field = (key: string, parts: Partial<Field> = {}) => ({ key, label: key, type: 'short_text' as const, required: false, ...parts });
const repeat = (key: string, ...fields: Field[]): Field => ({ key, label: key, type: 'repeat', required: false, fields });
const form = (...fields: object[]) => contentsOf({ fields });
const after = (contents: Contents, ...edits: Edit[]) => edits.reduce(edited, contents);
const fresh = (id: string, label: string, parts: Partial<Entry> = {}): Entry => ({
  id,
  item: field('', { label }),
  isKeyDerived: true,
  ...parts,
});
/** The keys, those of a repeat with it: `a guests[name meal] b`. */
const keys = (contents: Contents) =>
  (draftOf(contents).fields as Field[])
    .map(({ key, fields }) => (fields ? `${key}[${fields.map((inner) => inner.key).join(' ')}]` : key))
    .join(' ');
const dinner = form(field('a'), repeat('guests', field('name'), field('meal')), field('b'));

it('a draft is saved as it was opened', () => {
  expect(keys(dinner)).toBe('a guests[name meal] b');
  expect(dinner.entries.map((entry) => [entry.id, entry.in])).toEqual([
    ['a', undefined],
    ['guests', undefined],
    ['name', 'guests'],
    ['meal', 'guests'],
    ['b', undefined],
  ]);
});

describe('A field of a repeat', () => {
  it('is added where it is wanted, with a key that no other field of the form has', () => {
    const added = after(dinner, { do: 'add', entries: [fresh('n', 'Name', { in: 'guests' })], at: 3 });
    expect(keys(added)).toBe('a guests[name name_2 meal] b');
    expect(keys(after(dinner, { do: 'add', entries: [fresh('n', 'Meal')], at: 0 }))).toBe('meal_2 a guests[name meal] b');
  });

  it('is moved among the others of the repeat, and stays in it', () => {
    const moved = (id: string, at: number) => keys(after(dinner, { do: 'move', ids: [id], at }));
    expect(moved('meal', 2)).toBe('a guests[meal name] b');
    expect(moved('name', 4)).toBe('a guests[meal name] b');
    expect([moved('meal', 0), moved('name', 5)]).toEqual(['a guests[meal name] b', 'a guests[meal name] b']);
  });

  it('is removed alone, and comes back to its place', () => {
    const [name] = dinner.entries.filter(({ id }) => id === 'name');
    const removed = after(dinner, { do: 'remove', id: 'name' });
    expect(keys(removed)).toBe('a guests[meal] b');
    expect(keys(after(removed, { do: 'add', entries: name ? [name] : [], at: 2 }))).toBe('a guests[name meal] b');
  });
});

describe('A repeat', () => {
  it('is moved and removed with its fields', () => {
    expect(keys(after(dinner, { do: 'move', ids: ['guests'], at: 0 }))).toBe('guests[name meal] a b');
    expect(keys(after(dinner, { do: 'move', ids: ['guests'], at: 5 }))).toBe('a b guests[name meal]');
    expect(keys(after(dinner, { do: 'remove', id: 'guests' }))).toBe('a b');
  });

  it('is not split by what is moved or added', () => {
    expect(keys(after(dinner, { do: 'move', ids: ['b'], at: 3 }))).toBe('a guests[name meal] b');
    expect(keys(after(dinner, { do: 'add', entries: [fresh('n', 'New')], at: 2 }))).toBe('a guests[name meal] new b');
  });

  it('is duplicated with its fields, which name each other', () => {
    const meal = field('meal', { label: '{{name}} eats', visible_if: { key: 'name', answered: true } });
    const copied = after(form(repeat('guests', field('name'), meal)), { do: 'duplicate', id: 'guests', as: 'copy' });
    expect(keys(copied)).toBe('guests[name meal] guests_2[name_2 name_eats]');
    expect(copied.entries.at(-1)).toMatchObject({
      in: 'copy',
      item: { label: '{{name_2}} eats', visible_if: { key: 'name_2', answered: true } },
    });
    expect(copied.entries[2]?.item).toEqual(meal);
  });
});

describe('The fields that may be asked about', () => {
  const earlier = (id: string) => {
    const entry = dinner.entries.find((each) => each.id === id);
    return entry && earlierFor(entry, dinner.entries).map(({ key }) => key);
  };

  it('are those before, and within a repeat those of the same item', () => {
    expect([earlier('guests'), earlier('meal'), earlier('b')]).toEqual([['a'], ['a', 'name'], ['a', 'guests']]);
  });

  it('are told where a condition asks for another one', () => {
    const when = (key: string) => ({ visible_if: { key, answered: true } });
    const told = (...fields: object[]) => [...faultsIn(form(...fields))].map(([id, [fault]]) => `${id} ${fault?.code ?? ''}`);
    expect(told(field('a'), repeat('guests', field('name', when('a')), field('meal', when('name'))), field('b', when('guests')))).toEqual(
      [],
    );
    expect(told(repeat('guests', field('name', when('guests')), field('meal')), field('b', when('meal')))).toEqual([
      'name condition_later',
      'b condition_later',
    ]);
    expect(told(field('name'), repeat('guests', field('name')))).toEqual(['short_text-2-1 key_taken']);
    expect(told(repeat('guests'))).toEqual(['guests no_fields']);
  });
});

it('faults of the server are told at the field within the repeat', () => {
  const faults = faultsFrom(
    [
      { key: 'fields.1.fields.1.label', message: 'no' },
      { key: 'fields.1.max', message: 'no' },
      { key: 'fields.2.options.0', message: 'no' },
    ],
    dinner.entries,
  );
  expect([...faults].map(([id, [fault]]) => `${id} ${fault?.part ?? ''}`)).toEqual(['meal label', 'guests max', 'b options.0']);
});

describe('Two people', () => {
  const merged = (mine: Contents, theirs: Contents) => merge(dinner, mine, identified(draftOf(theirs), dinner, mine));

  it('change different fields of a repeat', () => {
    const mine = after(
      dinner,
      { do: 'change', id: 'name', to: { label: 'N' } },
      { do: 'add', entries: [fresh('n', 'X', { in: 'guests' })], at: 4 },
    );
    const theirs = after(
      dinner,
      { do: 'change', id: 'meal', to: { label: 'M' } },
      { do: 'add', entries: [fresh('t', 'Y', { in: 'guests' })], at: 2 },
    );
    const { contents, conflicts } = merged(mine, theirs);
    expect([keys(contents), conflicts]).toEqual(['a guests[y name meal x] b', []]);
    expect(contents.entries.map(({ item }) => (item as Field).label).join(' ')).toBe('a guests Y N M X b');
  });

  it('keep a field of a repeat that one of them has removed, if the other one has changed it and wants it', () => {
    const mine = after(dinner, { do: 'change', id: 'name', to: { label: 'N' } });
    const { contents, conflicts } = merged(mine, after(dinner, { do: 'remove', id: 'guests' }));
    expect([keys(contents), conflicts.map(({ id }) => id)]).toEqual(['a name b', ['name']]);
  });
});
