import type { CountedField } from './insights-query';

/** A row or a column, by its last label. */
interface Named {
  value: string;
  label: string;
  /** Whether the question no longer has it. */
  isGone: boolean;
}

export interface CountedRow extends Named {
  answered: number;
  /** One for each column. */
  counts: { count: number; share: number }[];
}

export interface MatrixCounts {
  columns: Named[];
  rows: CountedRow[];
}

/** The rows and columns of the question, also those that nobody chose, and then those that it no longer has. */
export function matrixCounts({ question, rows: counted = [] }: Pick<CountedField, 'question' | 'rows'>): MatrixCounts {
  const asked = question?.type === 'matrix' ? question : undefined;
  const rows = named(asked?.rows, counted);
  const columns = named(
    asked?.columns,
    counted.flatMap((row) => row.columns),
  );
  return {
    columns,
    rows: rows.map((row) => {
      const { answered = 0, columns: chosen = [] } = counted.find(({ value }) => value === row.value) ?? {};
      const counts = columns.map(({ value }) => {
        const count = chosen.find((column) => column.value === value)?.submissions ?? 0;
        return { count, share: answered === 0 ? 0 : count / answered };
      });
      return { ...row, answered, counts };
    }),
  };
}

/** A question that is no longer asked has neither rows nor columns, and none of them is marked beside it. */
function named(
  asked: readonly { value: string; label: string }[] | undefined,
  counted: readonly { value: string; label?: string | undefined }[],
): Named[] {
  const known = new Map<string, Named>();
  for (const { value, label } of asked ?? []) known.set(value, { value, label, isGone: false });
  for (const { value, label = value } of counted) if (!known.has(value)) known.set(value, { value, label, isGone: asked !== undefined });
  return [...known.values()];
}
