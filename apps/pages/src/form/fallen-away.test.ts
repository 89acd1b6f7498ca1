import type { FormItem } from '@sheaf/contracts';
import type { Asked } from '../asked';
import type { Entered } from './entered';
import { fallenAway } from './fallen-away';
import type { OpenForm } from './known-forms';
import type { Deps, FormVisit } from './visit';

const choice = (type: 'multi_select' | 'ranking'): FormItem[] => [
  {
    key: 'cities',
    type,
    label: 'Cities',
    required: false,
    options: [
      { value: 'r', label: 'Rome' },
      { value: 'o', label: 'Oslo' },
    ],
  },
];

/** The choices that stay, and those that are named as dropped. */
async function after(from: 'multi_select' | 'ranking', to: 'multi_select' | 'ranking') {
  const values = new Map([['cities', ['o', 'r']]]);
  const form = { id: 'f', items: choice(to), timeZone: 'UTC', settings: {} } as unknown as OpenForm;
  const visit = { form, asked: { call: {} } as Asked, language: 'en' } as FormVisit;
  const deps = { knownForms: { itemsOf: () => Promise.resolve(choice(from)) } } as unknown as Deps;
  const entered = { values, files: new Map() } as unknown as Entered;
  const { dropped, entered: kept } = await fallenAway(deps, visit, entered, { version: 1, values, files: new Map() });
  return { dropped, kept: kept.values.get('cities') };
}

it('choices that are to be ranked now are named, and not taken for an order that people chose', async () => {
  expect(await after('multi_select', 'ranking')).toEqual({ dropped: [{ label: 'Cities', value: 'Oslo, Rome' }], kept: undefined });
  for (const [from, to] of [
    ['ranking', 'ranking'],
    ['ranking', 'multi_select'],
  ] as const)
    expect(await after(from, to)).toEqual({ dropped: [], kept: ['o', 'r'] });
});
