import type { FormItem } from '@sheaf/contracts';
import { stepsOf } from '@sheaf/form-view';
import { changedForm } from './changed-form';
import type { Entered } from './entered';
import type { Place } from './outcome';
import type { Deps, FormVisit } from './visit';

const field = (key: string, label = key): FormItem => ({ key, label, type: 'short_text', required: false });
const page: FormItem = { type: 'page', label: 'Next' };
const before = [field('a'), page, field('b'), page, field('c')];

/** How far a respondent has got in the version that they see now, and what was counted of that. */
async function after(now: FormItem[], { from, furthest, isSent }: { from: Place['step']; furthest?: number; isSent: boolean }) {
  const told: (number | undefined)[] = [];
  const countStep = (_: unknown, { reached }: { reached?: number }) => Promise.resolve(told.push(reached));
  const deps = { submissions: { countStep }, knownForms: { itemsOf: () => Promise.resolve(before) } } as unknown as Deps;
  const form = { id: 'f', version: 2, items: now, steps: stepsOf(now), settings: {}, timeZone: 'UTC' };
  const visit = { form, asked: { call: {} }, language: 'en' } as unknown as FormVisit;
  const earlier = { version: 1, values: new Map<string, string[]>(), files: new Map() };
  const entered = { values: earlier.values, files: earlier.files, faults: [], furthest } as unknown as Entered;
  const outcome = await changedForm(deps, visit, entered, earlier, { status: 409, from, isSent });
  return { furthest: 'place' in outcome ? outcome.place.entered.furthest : 'no place', told };
}

it('a respondent whose version was corrected in its texts begins nothing anew, and has got as far as before', async () => {
  const corrected = [field('a', 'Your name'), page, field('b'), page, field('c')];
  expect(await after(corrected, { from: 1, furthest: 2, isSent: true })).toEqual({ furthest: 2, told: [] });
  expect(await after(corrected, { from: 1, isSent: true })).toEqual({ furthest: 1, told: [] });
  expect(await after(corrected, { from: 'check', isSent: false })).toEqual({ furthest: 3, told: [] });
});

it('a respondent begins anew in a version with other pages when they send one, and not each time that they load one', async () => {
  const moved = [field('a'), field('b'), page, field('c')];
  expect(await after(moved, { from: 2, furthest: 2, isSent: true })).toEqual({ furthest: undefined, told: [0] });
  expect(await after(moved, { from: 2, furthest: 2, isSent: false })).toEqual({ furthest: undefined, told: [] });
});

it('a form begins at the first page on which there is something to see', async () => {
  const hidden: FormItem = { key: 'h', label: 'Campaign', type: 'hidden', required: false };
  expect((await after([hidden, page, ...before], { from: 0, isSent: true })).told).toEqual([1]);
});
