import type { ImportWarning, XlsForms } from '@sheaf/apps/forms/xlsform';
import { Problem } from '@sheaf/kernel';
import { readFile, stat } from 'node:fs/promises';
import type { FoundFile } from './files-in';

/** The outcome of one file: warnings if it was imported, or else why it is refused, or why the reader failed. */
export interface Outcome {
  file: string;
  warnings?: readonly ImportWarning[];
  refused?: string;
  failed?: string;
}

/** As much as an import takes. */
const maxBytes = 8 * 1_024 * 1_024;
const patienceMs = 60_000;

/** Reads one file after another. A broken one is an outcome as any other. */
export async function readAll(files: readonly FoundFile[], reader: XlsForms): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, path } of files) outcomes.push({ file: name, ...(await outcomeOf(path, reader)) });
  return outcomes;
}

async function outcomeOf(path: string, reader: XlsForms): Promise<Omit<Outcome, 'file'>> {
  try {
    if ((await stat(path)).size > maxBytes) return { refused: 'file: must have at most 8 MiB' };
    const { warnings } = await reader.read(await readFile(path), { instanceId: 'one', until: Date.now() + patienceMs });
    return { warnings };
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_request') return { refused: error.message };
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
