import { listExportPresets, type ExportPreset, type ExportPresetFile, type FormItem } from '@sheaf/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client';
import { usualColumns } from './export-columns';
import { columnParameter, keyOf, parametersOf, type FileColumn, type FileLook } from './export-file';
import { fieldsOf } from './fields';
import { submissionsKey } from './list-data';

export const presetsQuery = (form: string) =>
  queryOptions({
    queryKey: [...submissionsKey(form), 'export presets'],
    queryFn: ({ signal }) => listExportPresets({ client, path: { id: form }, signal }),
    // A gateway before presets has no such list, and a form that is gone is told of elsewhere.
    retry: false,
  });

/** A look as a preset keeps it. */
export const presetFileOf = (look: FileLook): ExportPresetFile => parametersOf(look);

/** The look that a preset keeps. Its columns come first, and those that it does not have can be chosen as well. */
export function lookOf({ columns, ...file }: ExportPresetFile, items: readonly FormItem[]): FileLook {
  return {
    format: file.format,
    language: file.language,
    labels: file.labels,
    hasOptionColumns: file.choices === 'columns',
    columns: columns && columnsOf(columns, items),
    delimiter: file.delimiter ?? 'comma',
    hasMark: file.bom ?? true,
  };
}

function columnsOf(names: readonly string[], items: readonly FormItem[]): FileColumn[] {
  const chosen = names.map((name) => {
    const [id = '', ...heading] = name.split(':');
    return { id, isChosen: true, heading: heading.join(':') };
  });
  const ids = new Set(chosen.map(({ id }) => id));
  const others = usualColumns(items).filter(({ id }) => !ids.has(id));
  return [...chosen, ...others.map((column) => ({ ...column, isChosen: false }))];
}

/** Whether a look is that of a preset. Columns that are not chosen have no order. */
export const isLookOf = (look: FileLook, { file }: ExportPreset, items: readonly FormItem[]): boolean =>
  JSON.stringify(comparable(look)) === JSON.stringify(comparable(lookOf(file, items)));

const comparable = ({ columns, ...look }: FileLook) => [
  look.format,
  look.language,
  look.labels,
  look.hasOptionColumns,
  look.delimiter,
  look.hasMark,
  columns?.filter(({ isChosen }) => isChosen).map(columnParameter),
];

/** The questions among the chosen columns that the form does not ask any more. */
export function gone({ columns = [] }: FileLook, items: readonly FormItem[], missing: ReadonlySet<string>): string[] {
  const asked = new Set(fieldsOf(items).map(({ key }) => key));
  const keys = columns.flatMap(({ id, isChosen }) => (isChosen ? (keyOf(id) ?? []) : []));
  return keys.filter((key) => !asked.has(key) && !missing.has(key));
}

/** The look without columns that no version of the form has, with which an export is refused. */
export const without = (look: FileLook, missing: ReadonlySet<string>): FileLook => ({
  ...look,
  columns: look.columns?.filter(({ id }) => !missing.has(keyOf(id) ?? '')),
});
