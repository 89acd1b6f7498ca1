import type { ExportedRow } from '../submission/submissions.queries';

/** A cell's value; undefined if there is no answer. */
export type Cell = string | number | boolean | undefined;

/** Submissions as table rows, whatever their form version. */
export interface Table {
  header: readonly string[];
  rowOf: (submission: ExportedRow) => Cell[];
}

const ownColumns = ['submission_id', 'schema_version', 'status', 'created_at'];

/** One column per key, after the submission's own columns. A key with the name of one of those becomes `data.<key>`. */
export function tableOf(keys: readonly string[]): Table {
  return {
    header: [...ownColumns, ...keys.map((key) => (ownColumns.includes(key) ? `data.${key}` : key))],
    rowOf: ({ id, schema_version, status, created_at, data }) => {
      const answers = JSON.parse(data) as Record<string, unknown>;
      // `constructor` is a valid key.
      return [
        id,
        schema_version,
        status,
        created_at.toISOString(),
        ...keys.map((key) => (Object.hasOwn(answers, key) ? cell(answers[key]) : undefined)),
      ];
    },
  };
}

function cell(answer: unknown): Cell {
  if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean') return answer;
  if (answer === null) return undefined;
  return Array.isArray(answer) ? answer.map(part).join('; ') : JSON.stringify(answer);
}

const part = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));
