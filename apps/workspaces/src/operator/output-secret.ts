import { open, rm } from 'node:fs/promises';
import { UsageError } from '@sheaf/runtime';
import { writePrivately } from './write-privately';

/**
 * Creates a secret and outputs it once: in the result, or in a new file that only its owner can read. The file is created first, because a
 * secret that cannot be written would be lost.
 */
export async function outputSecret(
  file: string | undefined,
  create: () => Promise<{ shown: Record<string, unknown>; secret: Record<string, unknown> }>,
): Promise<Record<string, unknown>> {
  if (file === undefined) {
    const { shown, secret } = await create();
    return { ...shown, ...secret };
  }
  await reserve(file);
  try {
    const { shown, secret } = await create();
    await writePrivately(file, { ...shown, ...secret });
    return { ...shown, output: file };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** @throws UsageError for an existing file: it may hold other secrets. */
async function reserve(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output: ${file} ${code === 'EEXIST' ? 'already exists' : `cannot be written (${String(code)})`}`, {
      cause: error,
    });
  }
}
