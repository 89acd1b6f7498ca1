import type { Field, FormItem } from './draft';
import { placesGiven, withOthers, withoutOthers } from './other-option';

const choice = (more: Partial<Field> = {}): Field => ({
  key: 'source',
  label: 'How did you hear of us?',
  type: 'select',
  required: true,
  options: [{ value: 'web', label: 'Web' }],
  other: { label: 'Other' },
  ...more,
});
const text = (key: string): Field => ({ key, label: key, type: 'short_text', required: false });

it('is the last option, with a field for its text that is asked only of those who choose it', () => {
  expect(withOthers([choice(), text('name')])).toEqual([
    choice({
      options: [
        { value: 'web', label: 'Web' },
        { value: 'other', label: 'Other' },
      ],
    }),
    {
      key: 'source_other',
      label: 'Other: How did you hear of us?',
      type: 'short_text',
      required: true,
      visible_if: { key: 'source', equals: 'other' },
      required_if: { key: 'source', equals: 'other' },
      other_of: 'source',
    },
    text('name'),
  ]);
});

it('is made anew of what was made before, and taken away from what authors edit', () => {
  const items: FormItem[] = [text('name'), choice(), text('after')];
  const made = withOthers(items);
  expect(withOthers(made)).toEqual(made);
  expect(withoutOthers(made)).toEqual(items);
  const { other: _, ...without } = choice();
  expect(withOthers([without, ...made.slice(2)])).toEqual([without, text('after')]);
});

it('has its words in the languages of the choice', () => {
  const [, made] = withOthers([
    choice({ translations: { de: { label: 'Woher?', options: { other: 'Sonst' } }, fr: { label: 'D’où ?' }, es: {} } }),
  ]);
  expect((made as Field).translations).toEqual({ de: { label: 'Sonst: Woher?' }, fr: { label: 'Other: D’où ?' } });
});

it('keeps a label within the bound of labels', () => {
  const [, made] = withOthers([choice({ label: 'x'.repeat(500) })]);
  expect((made as Field).label).toHaveLength(500);
  const [, piped] = withOthers([choice({ label: `${'x'.repeat(480)} {{first_name}}` })]);
  expect((piped as Field).label).toBe(`Other: ${'x'.repeat(480)}`);
  const [, cut] = withOthers([choice({ label: '👋'.repeat(500) })]);
  expect((cut as Field).label).toBe(`Other: ${'👋'.repeat(493)}`);
});

it('leaves alone a field that only claims to be its text', () => {
  expect(withOthers([{ ...text('mine'), other_of: 'source' }])).toHaveLength(1);
});

it('knows the places of what people sent', () => {
  const made = withOthers([choice(), text('name')]);
  const places = [
    { place: 0, isOtherText: false },
    { place: 0, isOtherText: true },
  ];
  expect(placesGiven([choice(), text('name')])).toEqual([...places, { place: 1, isOtherText: false }]);
  expect(placesGiven(made)).toEqual([...places, { place: 2, isOtherText: false }]);
});
