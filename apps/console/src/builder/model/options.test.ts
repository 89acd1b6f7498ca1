import { collides, followed, linkedValues, optionsFromText, textFromOptions } from './options';

const colours = [
  { value: 'Red', label: 'Red' },
  { value: 'b', label: 'Blue' },
];

it('writes options as lines, and reads the same ones', () => {
  expect(textFromOptions(colours)).toBe('Red\nb = Blue');
  expect(optionsFromText('Red\nb = Blue', [])).toEqual(colours);
});

it('leaves out empty lines and the space around texts', () => {
  expect(optionsFromText('  Red \n\n\n  ', [])).toEqual([{ value: 'Red', label: 'Red' }]);
});

it('keeps the value of a label that an option had', () => {
  expect(optionsFromText('Blue\nGreen', colours)).toEqual([
    { value: 'b', label: 'Blue' },
    { value: 'Green', label: 'Green' },
  ]);
});

it('does not take an equals sign within a text for one between value and label', () => {
  expect(optionsFromText('E=mc²\n= 5', [])).toEqual([
    { value: 'E=mc²', label: 'E=mc²' },
    { value: '= 5', label: '= 5' },
  ]);
});

it('lets a value follow its text, except into nothing, another option or away from what was published', () => {
  const before = ['Red', 'Blue', 'Green'].map((value) => ({ value, label: value }));
  const linked = linkedValues(before, before.slice(2));
  const typed = (...labels: string[]) => before.map(({ value }, at) => ({ value, label: labels[at] ?? '' }));
  const values = (...labels: string[]) => followed(typed(...labels), linked).map(({ value }) => value);
  expect(values('Pink', 'Navy', 'Lime')).toEqual(['Pink', 'Navy', 'Green']);
  expect(values('Blue', ' ', 'Green')).toEqual(['Red', 'Blue', 'Green']);
});

it('notices an option that becomes another one while it is typed, but not a list with one twice', () => {
  const one = { value: 'Blu', label: 'Blu' };
  const other = { value: 'Blue', label: 'Blue' };
  expect(collides([one, other], [other, other])).toBe(true);
  expect(collides([one, other], [one, other])).toBe(false);
  expect(collides([other], [other, other])).toBe(false);
});

it('keeps the limit of an option in a text', () => {
  const before = [
    { value: 'a', label: 'A', limit: 3 },
    { value: 'b', label: 'b' },
  ];
  expect(optionsFromText('b\na = Aa', before)).toEqual([before[1], { value: 'a', label: 'Aa', limit: 3 }]);
  expect(optionsFromText('Ab\nb', before)[0]).toEqual({ value: 'Ab', label: 'Ab', limit: 3 });
});

it('keeps the condition of an option in a text, while its line is typed and when it moves', () => {
  const visible_if = { key: 'region', equals: 'x' };
  const before = [
    { value: 'a', label: 'A', visible_if },
    { value: 'b', label: 'b' },
  ];
  expect(optionsFromText('a = Aa\nb', before)).toEqual([
    { value: 'a', label: 'Aa', visible_if },
    { value: 'b', label: 'b' },
  ]);
  expect(optionsFromText('Ab\nb', before)[0]).toEqual({ value: 'Ab', label: 'Ab', visible_if });
  expect(optionsFromText('b\na = A', before)).toEqual([before[1], before[0]]);
  expect(optionsFromText('b\nnew', before)).toEqual([before[1], { value: 'new', label: 'new' }]);
  expect(optionsFromText('new\nb\nA', before)).toEqual([
    { value: 'new', label: 'new' },
    { value: 'b', label: 'b' },
    { value: 'a', label: 'A', visible_if },
  ]);
});

it('keeps the picture of an option in a text', () => {
  const image = { picture: 'd7a8', alt: 'A cup' };
  const before = [
    { value: 'a', label: 'A', image },
    { value: 'b', label: 'b' },
  ];
  expect(optionsFromText('b\na = Aa', before)).toEqual([before[1], { value: 'a', label: 'Aa', image }]);
});
