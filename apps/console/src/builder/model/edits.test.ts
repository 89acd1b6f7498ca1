import { conditionsOf, type Field } from '@sheaf/contracts';
import { contentsOf, draftOf, isField, type Contents, type Entry } from './contents';
import { edited, type Edit } from './edits';
import { keyFrom } from './keys';

const field = (key: string, parts: Partial<Field> = {}): Field => ({ key, label: key, type: 'short_text', required: false, ...parts });
const form = (...fields: object[]) => contentsOf({ fields });
const after = (contents: Contents, ...edits: Edit[]) => edits.reduce(edited, contents);
const keys = (contents: Contents) => draftOf(contents).fields.map((item) => (isField(item) ? item.key : item.type));
const fresh = (id: string, label: string): Entry => ({ id, item: field('', { label }), isKeyDerived: true });
const conditionOf = (entry: Entry | undefined) => entry && conditionsOf(entry.item)[0]?.[1];

describe('A key', () => {
  it.each([
    ['Your name', 'your_name'],
    ['  Straße & Hausnummer  ', 'strasse_hausnummer'],
    ['2nd choice', 'nd_choice'],
    ['Prénom(s)', 'prenom_s'],
    ['שם', 'field'],
    ['👋', 'field'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('of %j is %j', (label, key) => {
    expect(keyFrom(label, new Set())).toBe(key);
  });

  it('has a number if another field has it', () => {
    expect(keyFrom('Name', new Set(['name', 'name_2']))).toBe('name_3');
  });

  it('follows the label of a new field until it is set', () => {
    const typed = after(form(field('name')), { do: 'add', entries: [fresh('new-1', 'Name')], at: 1 });
    expect(keys(typed)).toEqual(['name', 'name_2']);
    const relabelled = after(typed, { do: 'change', id: 'new-1', to: { label: 'Age' } });
    expect(keys(relabelled)).toEqual(['name', 'age']);
    const set = after(relabelled, { do: 'key', id: 'new-1', key: 'years' }, { do: 'change', id: 'new-1', to: { label: 'Old' } });
    expect(keys(set)).toEqual(['name', 'years']);
  });

  it('takes its new key into the texts that show its answers', () => {
    const contents = form(field('pet'), field('breed', { help: '{{pet|it}}', translations: { de: { label: '{{pet}}' } } }));
    const [, breed] = after(contents, { do: 'key', id: 'pet', key: 'animal' }).entries;
    expect(breed?.item).toMatchObject({ help: '{{animal|it}}', translations: { de: { label: '{{animal}}' } } });
  });

  it('changes in the conditions on it too', () => {
    const contents = form(field('pet'), field('breed', { visible_if: { key: 'pet', equals: 'dog' } }));
    const { entries } = after(contents, { do: 'key', id: 'pet', key: 'animal' });
    expect(conditionOf(entries[1])).toEqual({ key: 'animal', equals: 'dog' });
  });

  it('changes in the price that comes from it', () => {
    const total = field('total', { type: 'calculated', formula: '1' });
    const before = contentsOf({ fields: [field('a'), total], payment: { amount_from: 'total', currency: 'eur' } });
    const renamed = (id: string) => draftOf(edited(before, { do: 'key', id, key: 'sum' })).payment?.amount_from;
    expect([renamed('total'), renamed('a')]).toEqual(['sum', 'total']);
  });

  it('changes in the formulas that ask for it', () => {
    const total = field('total', { type: 'calculated', formula: "a * 2 + count('a')", visible_if: { key: 'a', answered: true } });
    const renamed = after(form(field('a'), total), { do: 'key', id: 'a', key: 'b' });
    expect(draftOf(renamed).fields[1]).toEqual({ ...total, formula: "b * 2 + count('a')", visible_if: { key: 'b', answered: true } });
  });

  it('changes in the checks at it, and in what they compare', () => {
    const check = { type: 'check', if: { key: 'a', gt: { key: 'b' } }, message: 'No', at: 'a' };
    const renamed = after(form(field('a'), field('b'), check), { do: 'key', id: 'a', key: 'c' }, { do: 'key', id: 'b', key: 'd' });
    expect(draftOf(renamed).fields[2]).toEqual({ ...check, if: { key: 'c', gt: { key: 'd' } }, at: 'c' });
  });

  it('changes in the conditions of endings, whose names follow their titles until somebody sets them', () => {
    const ending = (id: string): Entry => ({
      ...{ id, isKeyDerived: true },
      item: { type: 'ending', name: '', if: { key: 'a', answered: true }, title: '' },
    });
    const added = after(
      form(field('a')),
      { do: 'add', entries: [ending('one')], at: 1 },
      { do: 'add', entries: [ending('two')], at: 2 },
      { do: 'change', id: 'one', to: { title: 'See you' } },
      { do: 'change', id: 'two', to: { title: 'See you!' } },
      { do: 'key', id: 'a', key: 'b' },
    );
    const names = (contents: Contents) => draftOf(contents).fields.slice(1);
    expect(names(added)).toMatchObject([
      { name: 'see_you', if: { key: 'b' } },
      { name: 'see_you_2', if: { key: 'b' } },
    ]);
    const named = after(added, { do: 'change', id: 'one', to: { name: 'bye' } }, { do: 'change', id: 'one', to: { title: 'Bye now' } });
    expect(names(named)[0]).toMatchObject({ name: 'bye', title: 'Bye now' });
    expect(names(edited(named, { do: 'duplicate', id: 'two', as: 'three' })).map((item) => 'name' in item && item.name)).toEqual([
      'bye',
      'see_you_2',
      'see_you',
    ]);
  });

  it('changes in the conditions on the text of Other, and the checks at it', () => {
    const choice = field('a', { type: 'select', options: [{ value: 'x', label: 'X' }], other: { label: 'Other' } });
    const check = { type: 'check', if: { key: 'a', not_equals: { key: 'a_other' } }, message: 'No', at: 'a_other' };
    const contents = form(choice, check);
    const renamed = after(contents, { do: 'key', id: 'a', key: 'a_other' });
    expect(draftOf(renamed).fields[1]).toEqual({
      ...check,
      if: { key: 'a_other', not_equals: { key: 'a_other_other' } },
      at: 'a_other_other',
    });
    expect(
      draftOf(after(contents, { do: 'change', id: 'a', to: { other: undefined } }, { do: 'key', id: 'a', key: 'b' })).fields[1],
    ).toEqual({
      ...check,
      if: { key: 'b', not_equals: { key: 'a_other' } },
    });
    expect(keys(after(contents, { do: 'add', entries: [fresh('new', 'A other')], at: 2 }))).toEqual(['a', 'check', 'a_other_2']);
  });

  it('takes no conditions along to a key that another field has', () => {
    const joined = form(
      field('pet'),
      field('town'),
      field('breed', { visible_if: { any: [{ key: 'town', answered: true }, { not: { key: 'town', equals: { key: 'pet' } } }] } }),
    );
    expect(conditionOf(edited(joined, { do: 'key', id: 'pet', key: 'animal' }).entries[2])).toEqual({
      any: [{ key: 'town', answered: true }, { not: { key: 'town', equals: { key: 'animal' } } }],
    });
    const contents = form(field('pet'), field('town'), field('breed', { visible_if: { key: 'pet', equals: 'dog' } }));
    const { entries } = after(contents, { do: 'key', id: 'pet', key: 'town' }, { do: 'key', id: 'pet', key: 'towns' });
    expect(conditionOf(entries[2])).toEqual({ key: 'pet', equals: 'dog' });
  });

  it('leaves conditions alone where two fields have it', () => {
    const contents = form(field('pet'), field('pet', { label: 'Second' }), field('breed', { visible_if: { key: 'pet', answered: true } }));
    const { entries } = after(contents, { do: 'key', id: contents.entries[1]?.id ?? '', key: 'other' });
    expect(conditionOf(entries[2])?.key).toBe('pet');
  });
});

describe('An edit', () => {
  const contents = form(field('a'), field('b'), field('c'), field('d'));

  it.each([
    [['a'], 4, 'bcda'],
    [['d'], 0, 'dabc'],
    [['b'], 3, 'acbd'],
    [['b'], 2, 'abcd'],
    [['a', 'c'], 4, 'bdac'],
  ])('moves %j to %d', (ids, at, expected) => {
    expect(keys(after(contents, { do: 'move', ids, at })).join('')).toBe(expected);
  });

  it('duplicates a field under a key of its own, after it', () => {
    expect(keys(after(contents, { do: 'duplicate', id: 'b', as: 'copy' }))).toEqual(['a', 'b', 'b_2', 'c', 'd']);
  });

  it('takes the words of Other and the default away with it', () => {
    const options = [{ value: 'x', label: 'X' }];
    const choice = (parts: Partial<Field>) => field('a', { type: 'select', options, ...parts });
    const without = (parts: Partial<Field>) =>
      draftOf(after(form(choice({ other: { label: 'Other' }, ...parts })), { do: 'change', id: 'a', to: { other: undefined } })).fields[0];
    const texts = { label: 'A', options: { x: 'Iks', other: 'Sonst' } };
    expect(without({ default: 'other', translations: { de: texts } })).toEqual(
      choice({ translations: { de: { label: 'A', options: { x: 'Iks' } } } }),
    );
    expect(without({ type: 'multi_select', default: ['x', 'other'] })).toEqual(choice({ type: 'multi_select', default: ['x'] }));
  });

  it('takes a part away that is set to nothing', () => {
    const helped = after(contents, { do: 'change', id: 'a', to: { help: 'Help' } });
    expect(draftOf(after(helped, { do: 'change', id: 'a', to: { help: undefined } }))).toEqual(draftOf(contents));
  });

  it('keeps translations, default and conditions with an option whose value changes, and drops those of one that is gone', () => {
    const options = [
      { value: 'Red', label: 'Red' },
      { value: 'Blue', label: 'Blue' },
    ];
    const choice = form(
      field('colour', { type: 'select', options, default: 'Red', translations: { de: { options: { Red: 'Rot', Blue: 'Blau' } } } }),
      field('shade', { visible_if: { key: 'colour', in: ['Red', 'Blue'] } }),
    );
    const green = [{ value: 'Green', label: 'Green' }, ...options.slice(1)];
    const renamed = after(choice, { do: 'options', id: 'colour', options: green });
    expect(draftOf(renamed).fields).toMatchObject([
      { options: green, default: 'Green', translations: { de: { options: { Green: 'Rot', Blue: 'Blau' } } } },
      { visible_if: { key: 'colour', in: ['Green', 'Blue'] } },
    ]);
    const fewer = draftOf(after(renamed, { do: 'options', id: 'colour', options: options.slice(1) })).fields[0] as Field;
    expect([fewer.default, fewer.translations]).toEqual([undefined, { de: { options: { Blue: 'Blau' } } }]);
  });

  it('makes no condition on one option a condition on another one that has its value', () => {
    const options = ['Red', 'Blue'].map((value) => ({ value, label: value }));
    const choice = form(field('colour', { type: 'select', options }), field('shade', { visible_if: { key: 'colour', equals: 'Red' } }));
    const twice = after(choice, { do: 'options', id: 'colour', options: [{ value: 'Blue', label: 'Blue' }, ...options.slice(1)] });
    expect(conditionOf(twice.entries[1])).toEqual({ key: 'colour', equals: 'Red' });
  });

  it('leaves out what another type cannot have', () => {
    const choice = form(
      field('colour', {
        type: 'select',
        options: [{ value: 'red', label: 'Red' }],
        default: 'red',
        help: 'Your favourite',
        translations: { de: { label: 'Farbe', options: { red: 'Rot' } } },
      }),
    );
    expect(draftOf(after(choice, { do: 'retype', id: 'colour', type: 'integer' })).fields).toEqual([
      {
        key: 'colour',
        label: 'colour',
        type: 'integer',
        required: false,
        help: 'Your favourite',
        translations: { de: { label: 'Farbe' } },
      },
    ]);
    expect(draftOf(after(choice, { do: 'retype', id: 'colour', type: 'multi_select' })).fields).toMatchObject([
      { options: [{ value: 'red', label: 'Red' }] },
    ]);
  });

  it('has no own messages about a field that becomes hidden, also none in other languages', () => {
    const own = { messages: { required: 'Tell us.' }, translations: { de: { label: 'Stadt', messages: { required: 'Bitte sagen.' } } } };
    const retypedTo = (type: Field['type']) => draftOf(after(form(field('town', own)), { do: 'retype', id: 'town', type })).fields[0];
    const plain = { key: 'town', label: 'town', required: false };
    const look = (appearance: Field['appearance'], type: Field['type']) =>
      (draftOf(after(form(field('town', { type: 'select', appearance })), { do: 'retype', id: 'town', type })).fields[0] as Field)
        .appearance;
    expect([look('buttons', 'multi_select'), look('dropdown', 'multi_select'), look('list', 'rating')]).toEqual([
      'buttons',
      undefined,
      undefined,
    ]);
    expect(retypedTo('hidden')).toEqual({ ...plain, type: 'hidden', translations: { de: { label: 'Stadt' } } });
    expect(retypedTo('email')).toEqual({ ...plain, type: 'email', ...own });
  });

  it('requires no hidden field by an answer', () => {
    const guarded = form(field('age'), field('guardian', { required: true, required_if: { key: 'age', answered: true } }));
    const requirementOf = (type: Field['type']) => draftOf(after(guarded, { do: 'retype', id: 'guardian', type })).fields[1];
    expect(requirementOf('hidden')).toEqual({ key: 'guardian', label: 'guardian', type: 'hidden', required: true });
    expect(requirementOf('email')).toMatchObject({ required: true, required_if: { key: 'age', answered: true } });
  });
});
