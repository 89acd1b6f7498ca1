import type { Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { getSubmission } from '../submission/read-submissions';
import { notesBefore, type NoteRow } from './notes.queries';

const Place = z.tuple([z.uuid()]);

/** A page of the notes on a submission, newest first, and their number. */
export async function listNotes(
  deps: Deps,
  asked: Asked<Client>,
  { limit, cursor, ...named }: { formId: string; id: string; limit: number; cursor?: string | undefined },
): Promise<{ rows: NoteRow[]; total: number; nextCursor: string | undefined }> {
  const { id, notes: total } = await getSubmission(deps, asked, named);
  const list = ['notes', id];
  const [before] = cursor === undefined ? [undefined] : placeOf(Place, cursor, list);
  const found = await notesBefore(deps.db, id, before, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, total, nextCursor: last && found.length > limit ? cursorAfter([last.id], list) : undefined };
}
