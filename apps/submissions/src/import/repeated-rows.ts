import { maxListedFaults } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import { repeatedAnswers } from '../exact/exact.queries';
import { refusedAnswers } from '../exact/refusals';
import type { PublishedForm } from '../form/forms-view';
import type { CheckedRows } from './checked-rows';

/** Rows that one statement compares. */
const atOnce = 500;

/** The rows without those with an answer that has to be unique, and that a submission or an earlier row has. They get a fault. */
export async function withoutRepeated(
  db: Database,
  { id, exact }: Pick<PublishedForm, 'id' | 'exact'>,
  checked: CheckedRows,
): Promise<CheckedRows> {
  if (!exact || exact.unique.length === 0) return checked;
  const seen = new Set<string>();
  const repeated = new Map<number, string[]>();
  for (let from = 0; from < checked.valid.length; from += atOnce) {
    const rows = checked.valid.slice(from, from + atOnce).map(({ data, number }) => ({ data, number }));
    for (const { number, key, answer, is_taken: isTaken } of await repeatedAnswers(db, id, rows)) {
      const name = `${key} ${answer}`;
      if (isTaken || seen.has(name)) repeated.set(number, [...(repeated.get(number) ?? []), key]);
      seen.add(name);
    }
  }
  if (repeated.size === 0) return checked;
  const found = [...repeated].flatMap(([row, keys]) =>
    refusedAnswers(
      keys.map((key) => ({ key })),
      exact,
    ).map(({ key, message }) => ({ row, key, message })),
  );
  return {
    ...checked,
    valid: checked.valid.filter(({ number }) => !repeated.has(number)),
    invalid: checked.invalid + repeated.size,
    faults: [...checked.faults, ...found].sort((one, other) => one.row - other.row).slice(0, maxListedFaults),
    faultCount: checked.faultCount + found.length,
  };
}
