import type { Ready } from '../intake/batches.queries';
import type { Wish } from './exact.queries';
import type { ExactRefusal } from './refusals';

/**
 * Decides which of some submissions get what they would take, in order of arrival. One that is refused takes nothing. One that repeats the key of an
 * earlier one is left to the key. An answer that another submission has is told only where nothing else refuses: a stranger who tries answers would leave
 * nothing otherwise.
 * @returns what each of the others is refused for, by its place
 */
export function refusedOf(batch: readonly Pick<Ready, 'submission' | 'key'>[], wishes: readonly Wish[]): Map<number, ExactRefusal[]> {
  const byNumber = new Map<number, Wish[]>();
  for (const wish of wishes) byNumber.set(wish.number, [...(byNumber.get(wish.number) ?? []), wish]);
  const left = new Map<string, number>();
  const taken = new Set<string>();
  const keys = new Set<string>();
  const refused = new Map<number, ExactRefusal[]>();
  for (const [number, { submission, key }] of batch.entries()) {
    const name = key && `${submission.form_id} ${key.key}`;
    if (name !== undefined && keys.has(name)) continue;
    const wanted = byNumber.get(number) ?? [];
    const missing = wanted.filter((wish) =>
      wish.kind === 'places' ? (left.get(nameOf(wish)) ?? wish.left ?? 1) < 1 : wish.is_taken || taken.has(nameOf(wish)),
    );
    if (missing.length > 0) {
      const full = missing.filter(({ kind }) => kind === 'places');
      refused.set(
        number,
        full.length > 0
          ? full.map(({ key: field, answer }) => ({ key: field, option: answer }))
          : missing.map(({ key: field }) => ({ key: field })),
      );
      continue;
    }
    if (name !== undefined) keys.add(name);
    for (const wish of wanted) {
      if (wish.kind !== 'places') taken.add(nameOf(wish));
      else if (wish.left !== null) left.set(nameOf(wish), (left.get(nameOf(wish)) ?? wish.left) - 1);
    }
  }
  return refused;
}

const nameOf = ({ form_id, key, kind, answer }: Wish): string => JSON.stringify([form_id, key, kind, answer]);
