import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file with its path in the folder. */
export interface FoundFile {
  name: string;
  path: string;
}

/** More than anybody keeps in one folder by intention. */
const maxFiles = 10_000;

/**
 * The workbooks of a folder and of the folders in it, by name. Links are not followed; neither are the files that spreadsheet programs keep while one is
 * open (`~$…`).
 */
export async function filesIn(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.xlsx$/i.test(entry.name) && !entry.name.startsWith('~$'))
    .map((entry) => join(entry.parentPath, entry.name));
  if (paths.length > maxFiles) throw new Error(`${folder} has more than ${maxFiles} files`);
  return paths.map((path) => ({ name: relative(folder, path), path })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
