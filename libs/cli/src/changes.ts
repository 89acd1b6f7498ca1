import { readFile } from 'node:fs/promises';
import { listSubmissionChanges, pages, SheafError, type SubmissionChange } from '@sheaf/client';
import { replaceFile } from './accounts';
import type { Session } from './context';
import { Failure } from './failure';
import { cell, print, printJson } from './show';

/** The content of the file, from which the next run goes on. */
interface Kept {
  form: string;
  cursor: string;
}

/**
 * Prints what has changed since the cursor in the file, or from the beginning, and then keeps the new one there. A page is printed before its
 * cursor is kept: a run that dies between the two prints the page once more, and none is missed.
 */
export async function printChanges(session: Session, form: string, { cursor: file }: { cursor?: string }): Promise<void> {
  const { client, signal } = session;
  const cursor = file === undefined ? undefined : await cursorIn(file, form);
  try {
    for await (const page of pages(listSubmissionChanges, { client, path: { id: form }, query: { cursor, limit: 100 }, signal })) {
      for (const change of page.data) showChange(session, change);
      await written(session);
      if (file !== undefined) await replaceFile(file, `${JSON.stringify({ form, cursor: page.next_cursor } satisfies Kept)}\n`, 0o600);
    }
  } catch (error) {
    if (file === undefined || !(error instanceof SheafError) || error.code !== 'cursor_expired') throw error;
    throw new Failure(
      `--cursor ${file}: it is older than a month, or Sheaf was restored from a backup. Remove the file, run this again, and remove from your copy what does not come.`,
      1,
      error.code,
    );
  }
}

function showChange(session: Session, change: SubmissionChange): void {
  if (session.json) return printJson(session, change);
  const answers = Object.entries(change.submission?.data ?? {}).map(([key, value]) => `${cell(key)}=${cell(value).slice(0, 80)}`);
  print(session, [change.at, change.type, change.submission_id, ...answers].join('  '));
}

/** Resolves once the reader of the output has all of it. */
const written = ({ out }: Session): Promise<void> =>
  new Promise((resolve, reject) => out.write('', (error) => (error ? reject(error) : resolve())));

/** @throws {Failure} if the file is not one of these, or of another form: its changes would be missed. */
async function cursorIn(file: string, form: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const kept = parsed(text);
  if (typeof kept?.cursor !== 'string') throw new Failure(`--cursor ${file}: this file has no cursor of this command`, 2);
  if (kept.form !== form)
    throw new Failure(`--cursor ${file}: this is the cursor of the form ${cell(kept.form)}; name a file for each form`, 2);
  return kept.cursor;
}

function parsed(text: string): Partial<Kept> | undefined {
  try {
    return JSON.parse(text) as Partial<Kept>;
  } catch {
    return undefined;
  }
}
