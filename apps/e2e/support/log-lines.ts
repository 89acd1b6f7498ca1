import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the lines of the logs whose name begins so. A line that is being written is left out. */
export async function logLines(dataDir: string, name: string): Promise<string[]> {
  const folder = join(dataDir, 'log');
  const files = (await readdir(folder)).filter((file) => file.startsWith(name));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.split('\n').slice(0, -1));
}

/** The same lines, read. */
export const jsonLines = async (dataDir: string, name: string): Promise<Record<string, unknown>[]> =>
  (await logLines(dataDir, name)).map((line) => JSON.parse(line) as Record<string, unknown>);
