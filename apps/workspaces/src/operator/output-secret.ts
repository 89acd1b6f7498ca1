import { open, rm } from 'node:fs/promises';
import { UsageError } from '@sheaf/runtime';
import { writePrivately } from './write-privately';

/**
 * Makes something secret and hands it over once: in the answer, or in a new file that its owner alone can read. The file is there
 * before anything is made, as a secret that could not be written is lost.
 */
export async function outputSecret(
  file: string | undefined,
  make: () => Promise<{ shown: Record<string, unknown>; secret: Record<string, unknown> }>,
): Promise<Record<string, unknown>> {
  if (file === undefined) {
    const { shown, secret } = await make();
    return { ...shown, ...secret };
  }
  await reserve(file);
  try {
    const { shown, secret } = await make();
    await writePrivately(file, { ...shown, ...secret });
    return { ...shown, output: file };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** @throws UsageError for a file that is there: it may hold the secrets of something else. */
async function reserve(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output: ${file} ${code === 'EEXIST' ? 'is there already' : `cannot be written (${String(code)})`}`, { cause: error });
  }
}
