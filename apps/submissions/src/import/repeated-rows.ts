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
    const found = await repeatedAnswers(db, id, rows);
    const byRow = new Map<number, typeof found>();
    for (const one of found) byRow.set(one.number, [...(byRow.get(one.number) ?? []), one]);
    for (const [number, answers] of byRow) {
      const again = answers.filter((one) => one.is_taken || seen.has(nameOf(one)));
      // A row that is left out takes its answers from none.
      if (again.length === 0) for (const one of answers) seen.add(nameOf(one));
      else
        repeated.set(
          number,
          again.map(({ key }) => key),
        );
    }
  }
  if (repeated.size === 0) return checked;
  const faults = [...repeated].flatMap(([row, keys]) =>
    refusedAnswers(
      keys.map((key) => ({ key })),
      exact,
    ).map(({ key, message }) => ({ row, key, message })),
  );
  return {
    ...checked,
    valid: checked.valid.filter(({ number }) => !repeated.has(number)),
    invalid: checked.invalid + repeated.size,
    faults: [...checked.faults, ...faults].sort((one, other) => one.row - other.row).slice(0, maxListedFaults),
    faultCount: checked.faultCount + faults.length,
  };
}

const nameOf = ({ key, answer }: { key: string; answer: string }): string => `${key} ${answer}`;
