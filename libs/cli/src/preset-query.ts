import { listExportPresets, type ExportPresetFile } from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { theOne } from './kept';
import { cell } from './show';

/** How the files of a preset of the form look, by its name or id, without columns that the form cannot have. @throws Failure if none is left */
export async function fileOfPreset({ client, signal, say }: Session, form: string, wanted: string): Promise<ExportPresetFile> {
  const { data } = await listExportPresets({ client, path: { id: form }, signal });
  const { file, missing } = theOne(data, wanted, 'preset');
  if (file.columns === undefined || missing.length === 0) return file;
  const gone = new Set(missing.map((key) => `answers.${key}`));
  const columns = file.columns.filter((column) => !gone.has(column.split(':', 1)[0] ?? ''));
  const keys = missing.map(cell).join(', ');
  if (columns.length === 0) throw new Failure(`--preset: no version of the form has any of its columns: ${keys}.`, 2);
  say(`Left out, as no version of the form has them: ${keys}.`);
  return { ...file, columns };
}
