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

/** The values that stay, and those that are named as dropped. */
async function after(before: FormItem[], now: FormItem[], entries: readonly string[] = ['o', 'r']) {
  const values = new Map([['cities', entries]]);
  const form = { id: 'f', items: now, timeZone: 'UTC', settings: {} } as unknown as OpenForm;
  const visit = { form, asked: { call: {} } as Asked, language: 'en' } as FormVisit;
  const deps = { knownForms: { itemsOf: () => Promise.resolve(before) } } as unknown as Deps;
  const entered = { values, files: new Map() } as unknown as Entered;
  const { dropped, entered: kept } = await fallenAway(deps, visit, entered, { version: 1, values, files: new Map() });
  return { dropped, kept: kept.values.get('cities') };
}

it('choices that are to be ranked now are named, and not taken for an order that people chose', async () => {
  expect(await after(choice('multi_select'), choice('ranking'))).toEqual({
    dropped: [{ label: 'Cities', value: 'Oslo, Rome' }],
    kept: undefined,
  });
  for (const [from, to] of [
    ['ranking', 'ranking'],
    ['ranking', 'multi_select'],
  ] as const)
    expect(await after(choice(from), choice(to))).toEqual({ dropped: [], kept: ['o', 'r'] });
});

it('choices that are a date range now are named, and days that its pickers can show stay', async () => {
  const range: FormItem[] = [{ key: 'cities', type: 'date_range', label: 'When?', required: false }];
  expect(await after(choice('multi_select'), range)).toEqual({ dropped: [{ label: 'Cities', value: 'Oslo, Rome' }], kept: undefined });
  expect(await after(range, range, ['', '2026-06-02'])).toEqual({ dropped: [], kept: ['', '2026-06-02'] });
  const day: FormItem[] = [{ key: 'cities', type: 'date', label: 'When?', required: false }];
  expect(await after(range, day, ['2026-05-29', '2026-06-02'])).toEqual({
    dropped: [{ label: 'When?', value: '2026-06-02' }],
    kept: ['2026-05-29'],
  });
});
