import { mainTextOf, withOthers, type Field, type FormItem } from '@sheaf/contracts';
import fc from 'fast-check';
import { contentsOf, draftOf, hasSameContent, type Contents } from './contents';
import { edited, type Edit } from './edits';
import { identified, merge, paymentId } from './merge';

const field = (key: string, parts: Partial<Field> = {}): Field => ({ key, label: key, type: 'short_text', required: false, ...parts });
const section = (label: string): FormItem => ({ type: 'section', label });
const base = contentsOf({ fields: [field('a'), field('b'), section('Second part'), field('c')] });
const after = (contents: Contents, ...edits: Edit[]) => edits.reduce(edited, contents);
const label = (id: string, text: string): Edit => ({ do: 'change', id, to: { label: text } });
const added = (key: string, at: number, parts: Partial<Field> = {}): Edit => ({
  do: 'add',
  entries: [{ id: key, item: field(key, parts), isKeyDerived: false }],
  at,
});
const labels = ({ entries }: Contents) => entries.map(({ item }) => mainTextOf(item)).join(' ');
/** The content that the other person saved arrives without the ids that it has here. */
const merged = (mine: Contents, theirs: Contents) => merge(base, mine, identified(draftOf(theirs), base, mine));

it('takes what only one side has changed, also in the same field', () => {
  const mine = after(base, label('a', 'A'), { do: 'change', id: 'b', to: { required: true } }, added('x', 1));
  const theirs = after(base, label('b', 'B'), { do: 'remove', id: 'c' }, added('y', 4));
  const { contents, conflicts, theirChanges } = merged(mine, theirs);
  expect(conflicts).toEqual([]);
  expect(labels(contents)).toBe('A x B Second part y');
  expect(contents.entries[2]?.item).toMatchObject({ label: 'B', required: true });
  expect(theirChanges).toEqual([
    { id: 'b', kind: 'changed', label: 'B' },
    { id: 'c', kind: 'removed', label: 'c' },
    { id: 'y', kind: 'added', label: 'y' },
  ]);
});

it('asks where both have changed the same part, and keeps the own side until then', () => {
  const { contents, conflicts, resolved } = merged(after(base, label('a', 'Mine')), after(base, label('a', 'Theirs'), label('b', 'B')));
  expect(conflicts).toMatchObject([{ id: 'a', mine: { label: 'Mine' }, theirs: { label: 'Theirs' }, parts: ['label'] }]);
  expect(labels(contents)).toBe('Mine B Second part c');
  expect(labels(resolved({ a: 'theirs' }))).toBe('Theirs B Second part c');
});

it.each([
  ['mine', 'b Second part c'],
  ['theirs', 'A b Second part c'],
] as const)('asks where one has removed what the other changed: %s', (side, expected) => {
  const { conflicts, resolved } = merged(after(base, { do: 'remove', id: 'a' }), after(base, label('a', 'A')));
  expect(conflicts).toMatchObject([{ id: 'a', mine: undefined, theirs: { label: 'A' }, parts: [] }]);
  expect(labels(resolved({ a: side }))).toBe(expected);
});

it('asks about the whole field where a type has changed', () => {
  const mine = after(base, { do: 'retype', id: 'a', type: 'integer' }, { do: 'change', id: 'a', to: { min: 1 } });
  const { conflicts } = merged(mine, after(base, { do: 'change', id: 'a', to: { pattern: '[a-z]+' } }));
  expect(conflicts.map(({ id }) => id)).toEqual(['a']);
});

it('asks about two prices', () => {
  const priced = (amount: number) => after(base, { do: 'price', payment: { amount, currency: 'eur' } });
  const { conflicts, resolved } = merged(priced(500), priced(700));
  expect(conflicts).toMatchObject([{ id: paymentId }]);
  expect(resolved({ payment: 'theirs' }).payment).toEqual({ amount: 700, currency: 'eur' });
});

it('keeps both orders as far as they go together', () => {
  const mine = after(base, { do: 'move', ids: ['c'], at: 0 });
  expect(labels(merged(mine, after(base, added('x', 2))).contents)).toBe('c a b x Second part');
});

it('takes a field that both have added alike for one', () => {
  const mine = after(base, { do: 'add', entries: [{ id: 'new-1', item: field('x'), isKeyDerived: true }], at: 4 });
  const { contents, conflicts } = merged(mine, after(base, added('x', 4)));
  expect([labels(contents), conflicts]).toEqual(['a b Second part c x', []]);
});

it('does not take the option Other and the field for its text, which saving adds, for changes', () => {
  const choice = field('source', { type: 'select', options: [{ value: 'web', label: 'Web' }], other: { label: 'Other' } });
  const opened = contentsOf({ fields: withOthers([choice, field('a')]) });
  const mine = after(opened, { do: 'options', id: 'source', options: [{ value: 'web', label: 'The web' }] });
  const theirs = identified({ fields: withOthers(draftOf(after(opened, label('a', 'A'))).fields) }, opened, mine);
  const { contents, conflicts, theirChanges } = merge(opened, mine, theirs);
  expect([conflicts, theirChanges.map(({ id }) => id)]).toEqual([[], ['a']]);
  expect(draftOf(contents).fields).toEqual([{ ...choice, options: [{ value: 'web', label: 'The web' }] }, field('a', { label: 'A' })]);
});

describe('For any edits', () => {
  const ids = fc.constantFrom('a', 'b', 'section-3', 'c');
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    fc.record({ do: fc.constant('change' as const), id: ids, to: fc.record({ label: fc.constantFrom('P', 'Q', 'R') }) }),
    fc.record({ do: fc.constant('change' as const), id: ids, to: fc.record({ help: fc.constantFrom('h', undefined) }) }),
    fc.record({ do: fc.constant('move' as const), ids: fc.tuple(ids), at: fc.nat(4) }),
    fc.record({ do: fc.constant('remove' as const), id: ids }),
    fc.record({ key: fc.constantFrom('x', 'y', 'z'), at: fc.nat(4) }).map(({ key, at }) => added(key, at)),
  );
  const contents = fc.array(edit, { maxLength: 6 }).map((edits) => {
    const keys = new Set<string>();
    // A key is added once.
    return after(base, ...edits.filter((each) => each.do !== 'add' || each.entries.every(({ id }) => !keys.has(id) && keys.add(id))));
  });

  it('one side without changes gives the other side', () => {
    fc.assert(
      fc.property(contents, (one) => {
        expect(hasSameContent(merge(base, one, base).contents, one)).toBe(true);
        expect(hasSameContent(merge(base, base, one).contents, one)).toBe(true);
      }),
    );
  });

  it('both sides have the same items after it, and each part is from one of them', () => {
    fc.assert(
      fc.property(contents, contents, (one, other) => {
        const [forth, back] = [merge(base, one, other), merge(base, other, one)];
        const chosen = (side: 'mine' | 'theirs') => Object.fromEntries(forth.conflicts.map(({ id }) => [id, side]));
        const itemsOf = ({ entries }: Contents) => new Map(entries.map(({ id, item }) => [id, item]));
        expect(itemsOf(forth.resolved(chosen('mine')))).toEqual(itemsOf(back.resolved(chosen('theirs'))));
        expect(itemsOf(forth.resolved(chosen('theirs')))).toEqual(itemsOf(back.resolved(chosen('mine'))));
        expect(new Set(forth.contents.entries.map(({ id }) => id)).size).toBe(forth.contents.entries.length);
      }),
    );
  });

  it('nothing that only one side has done is lost', () => {
    fc.assert(
      fc.property(contents, contents, (one, other) => {
        const { contents: both, conflicts } = merge(base, one, other);
        const has = ({ entries }: Contents, id: string) => entries.some((entry) => entry.id === id);
        const contested = new Set(conflicts.map(({ id }) => id));
        for (const { id } of [...one.entries, ...other.entries]) if (!has(base, id) && !contested.has(id)) expect(has(both, id)).toBe(true);
        for (const { id } of base.entries) if (!contested.has(id) && (!has(one, id) || !has(other, id))) expect(has(both, id)).toBe(false);
      }),
    );
  });
});

it('takes own messages and translations that the server has trimmed for the same', () => {
  const withTexts = (space: string) =>
    contentsOf({
      fields: [
        field('a', {
          messages: { required: `Tell us.${space}` },
          translations: { de: { label: `A${space}`, messages: { required: `Bitte.${space}` }, options: { red: `Rot${space}` } } },
        }),
      ],
    });
  expect(hasSameContent(withTexts(' '), withTexts(''))).toBe(true);
  expect(hasSameContent(withTexts(' '), withTexts('!'))).toBe(false);
});
