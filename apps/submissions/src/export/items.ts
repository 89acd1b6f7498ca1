import { columnOfKey, referenceOf } from '@sheaf/contracts';
import type { FieldLabels, FieldPart } from '../form/forms-view';
import type { ExportedRow } from './batches.queries';
import { tableOf, partsIn, type Look, type Table, type TableRow } from './table';

/** The items of a repeat as rows of a table of their own. */
export interface ItemsTable {
  key: string;
  /** For the name of its sheet. */
  label: string;
  table: Table;
}

/** A table for each repeat among the keys: the submission, the number of the item in it, and a column for each field of all versions. */
export const itemTables = (keys: readonly string[], look: Look): ItemsTable[] =>
  keys.flatMap((key) => {
    const field = look.fields?.get(key);
    return field?.kind === 'items' ? [{ key, label: look.hasLabels ? field.label : key, table: tableOfItems(field, look) }] : [];
  });

function tableOfItems(field: FieldLabels, look: Look): Table {
  const parts = partsIn(field);
  // Those of the repeat itself are the names of countries.
  const optionsOf = ({ kind, options = [] }: FieldPart) => (kind === 'country' ? field.options : new Map(options));
  const labelsOf = (part: FieldPart): [string, FieldLabels] => {
    const { name, kind, label = name } = part;
    return [name, { label, kind, options: optionsOf(part) }];
  };
  const answers = tableOf(
    parts.map(({ name }) => name),
    { ...look, fields: new Map(parts.map(labelsOf)), hasOptionColumns: false },
    [{ id: 'submission_id' }, { id: 'reference' }, ...parts.map(({ name }) => ({ id: columnOfKey(name) }))],
  );
  const [id = '', reference = '', ...others] = answers.header;
  return {
    header: [id, reference, look.hasLabels && look.reader ? look.reader.words.item : 'item', ...others],
    rowOf: (row) => {
      const [, , ...cells] = answers.rowOf(row);
      return [row.id, referenceOf(row.id), row.item, ...cells];
    },
  };
}

/** Each item of a submission as a row, with its answers in place of those of the submission, and its number from 1 on. */
export async function* itemsOf(key: string, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<TableRow[]> {
  for await (const batch of batches) {
    const rows = batch.flatMap((row) => {
      const answers = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
      const items = Object.hasOwn(answers, key) ? answers[key] : undefined;
      // An earlier version may have asked for something else under the key, such as several options.
      if (!Array.isArray(items) || !items.every(isItem)) return [];
      return items.map((item, at) => ({ ...row, item: at + 1, data: JSON.stringify(item) }));
    });
    if (rows.length > 0) yield rows;
  }
}

const isItem = (item: unknown): item is object => typeof item === 'object' && item !== null && !Array.isArray(item);
