import type { FormItem } from '@sheaf/client';
import { answersOf, draftsOf } from './drafts';

const field = (key: string, type: string, more: object = {}): FormItem => ({ key, label: key, type, required: false, ...more }) as FormItem;
const items = [
  field('name', 'short_text'),
  { type: 'section', label: 'More' } as FormItem,
  field('age', 'integer'),
  field('member', 'boolean'),
  field('colours', 'multi_select', { options: [] }),
  field('photo', 'file'),
  field('papers', 'file', { multiple: true }),
];

it('gives back the answers that it was given', () => {
  const answers = { name: 'Ada', age: 0, member: false, colours: ['red', 'blue'], photo: 'f1', papers: ['f2'] };
  expect(answersOf(items, draftsOf(items, answers))).toEqual(answers);
});

it('leaves out what is not answered', () => {
  expect(answersOf(items, draftsOf(items, {}))).toEqual({});
});

it('passes on what is no number, so that the API can say so', () => {
  expect(answersOf(items, { age: 'ten' })).toEqual({ age: 'ten' });
});
