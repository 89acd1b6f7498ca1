import type { FieldLabels } from '../form/forms-view';
import type { ExportedRow } from './batches.queries';

/** A cell's value; undefined if there is no answer. */
export type Cell = string | number | boolean | undefined;

/** Submissions as table rows, whatever their form version. */
export interface Table {
  header: readonly string[];
  rowOf: (submission: ExportedRow) => Cell[];
}

const ownColumns = ['submission_id', 'schema_version', 'status', 'created_at'];

/**
 * One column per key, after the submission's own columns. A key with the name of one of those becomes `data.<key>`. With labels, a column has the
 * label of its field, and answers have those of the chosen options.
 */
export function tableOf(keys: readonly string[], labels?: ReadonlyMap<string, FieldLabels>): Table {
  return {
    header: [...ownColumns, ...(labels ? labelsOf(keys, labels) : keys.map((key) => (ownColumns.includes(key) ? `data.${key}` : key)))],
    rowOf: ({ id, schema_version, status, created_at, data }) => {
      const answers = JSON.parse(data) as Record<string, unknown>;
      // `constructor` is a valid key.
      return [
        id,
        schema_version,
        status,
        created_at.toISOString(),
        ...keys.map((key) => (Object.hasOwn(answers, key) ? cell(labelled(answers[key], labels?.get(key))) : undefined)),
      ];
    },
  };
}

/** A label that several columns would have is followed by the key. */
function labelsOf(keys: readonly string[], labels: ReadonlyMap<string, FieldLabels>): string[] {
  const columns = keys.map((key) => ({ key, label: labels.get(key)?.label ?? key }));
  const counts = new Map<string, number>(ownColumns.map((name) => [name, 1]));
  for (const { label } of columns) counts.set(label, (counts.get(label) ?? 0) + 1);
  return columns.map(({ key, label }) => (counts.get(label) === 1 ? label : `${label} (${key})`));
}

function labelled(answer: unknown, labels: FieldLabels | undefined): unknown {
  if (labels === undefined) return answer;
  const labelOf = (value: unknown): unknown => (typeof value === 'string' ? (labels.options.get(value) ?? value) : value);
  return Array.isArray(answer) ? answer.map(labelOf) : labelOf(answer);
}

function cell(answer: unknown): Cell {
  if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean') return answer;
  if (answer === null) return undefined;
  return Array.isArray(answer) ? answer.map(listed).join('; ') : JSON.stringify(answer);
}

/** One of several values. Quoted as in CSV where the list could be mistaken for another one; nearly all values are as they are. */
function listed(item: unknown): string {
  const text = part(item);
  return /;|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const part = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));
