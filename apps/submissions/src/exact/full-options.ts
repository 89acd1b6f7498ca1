import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { Answers } from '../form/answers';
import type { PublishedForm } from '../form/forms-view';
import { takenPlaces } from './exact.queries';
import type { ExactRefusal } from './refusals';

/** The options of a field without a place left. */
export interface FullOptions {
  key: string;
  values: string[];
}

/** As they are at the moment: only storing a submission decides. None while submissions that were there before are being counted. */
export async function fullOptionsOf({ db, exact }: Pick<Deps, 'db' | 'exact'>, asked: Asked, form: PublishedForm): Promise<FullOptions[]> {
  const isReady = await exact.soonReady(form, asked);
  if (!isReady || !form.exact || form.exact.places.length === 0) return [];
  const full = new Map<string, string[]>();
  for (const { key, option, places, taken } of await takenPlaces(db, form.id))
    if (taken >= places) full.set(key, [...(full.get(key) ?? []), option]);
  return [...full].map(([key, values]) => ({ key, values }));
}

/** The full options in the answers. */
export const chosenAmong = (full: readonly FullOptions[], answers: Answers): ExactRefusal[] =>
  full.flatMap(({ key, values }) => {
    const chosen: unknown[] = [Object.hasOwn(answers, key) ? answers[key] : undefined].flat();
    return values.filter((value) => chosen.includes(value)).map((option) => ({ key, option }));
  });
