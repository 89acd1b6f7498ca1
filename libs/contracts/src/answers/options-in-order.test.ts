import { optionsInOrder } from './options-in-order';

const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
const shuffled = { type: 'multi_select', options, shuffle: true } as const;

it('has shuffled options in the order of the form, and at the end those that the form does not have', () => {
  expect(optionsInOrder(shuffled, ['zzz', 'c', 'a'])).toEqual(['a', 'c', 'zzz']);
  expect(optionsInOrder(shuffled, 'c')).toBe('c');
  expect(optionsInOrder({ type: 'multi_select', shuffle: true }, ['b', 'a'])).toEqual(['b', 'a']);
});

it('leaves options as they were chosen where the form does not shuffle them', () => {
  expect(optionsInOrder({ type: 'multi_select', options }, ['c', 'a'])).toEqual(['c', 'a']);
});

it('leaves the options of a ranking as they were ranked', () => {
  expect(optionsInOrder({ ...shuffled, type: 'ranking' }, ['c', 'a'])).toEqual(['c', 'a']);
});
