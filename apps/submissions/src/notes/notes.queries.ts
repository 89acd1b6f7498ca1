import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** A member's note about a submission. */
export interface NoteRow {
  submission_id: string;
  /** Increases over time. */
  id: string;
  text: string;
  author_kind: string;
  author_id: string;
  created_at: Date;
  /** Null as long as it is as it was written first. */
  edited_at: Date | null;
}

const columns = 'submission_id, id, text, author_kind, author_id, created_at, edited_at';

/** Of these functions, those that change a note require its submission to be locked. */
export async function insert(trx: Transaction, note: NoteRow): Promise<void> {
  await trx('note').insert(note);
  await countNotes(trx, note.submission_id, 1, note.created_at);
}

export async function updateText(trx: Transaction, { submission_id, id, text }: NoteRow, at: Date): Promise<void> {
  await trx('note').where({ submission_id, id }).update({ text, edited_at: at });
  await countNotes(trx, submission_id, 0, at);
}

export async function remove(trx: Transaction, { submission_id, id }: NoteRow, at: Date): Promise<void> {
  await trx('note').where({ submission_id, id }).delete();
  await countNotes(trx, submission_id, -1, at);
}

/** Keeps the number of notes, and the time of the last change, at the submission. */
const countNotes = (trx: Transaction, submissionId: string, added: number, at: Date): Promise<unknown> =>
  rowsOf(trx, 'update submission set notes = notes + ?, changed_at = greatest(changed_at, ?) where id = ?', [added, at, submissionId]);

export async function find(trx: Transaction, submissionId: string, id: string): Promise<NoteRow | undefined> {
  const [row] = await rowsOf<NoteRow>(trx, `select ${columns} from note where submission_id = ? and id = ?`, [submissionId, id]);
  return row;
}

/** The notes before this one, newest first; from the newest on if it is undefined. */
export const notesBefore = (db: Database, submissionId: string, id: string | undefined, limit: number): Promise<NoteRow[]> =>
  rowsOf(db, `select ${columns} from note where submission_id = ? and id < ? order by id desc limit ?`, [
    submissionId,
    id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    limit,
  ]);
