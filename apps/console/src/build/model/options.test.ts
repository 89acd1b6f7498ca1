import { optionsFromText, textFromOptions } from './options';

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
