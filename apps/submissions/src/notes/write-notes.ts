import { audited, record, type Deed } from '@sheaf/events';
import { isId, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { held } from '../erasing/erase-submissions';
import { isHeld } from '../erasing/erasing.queries';
import { lockSubmission } from '../submission/lock-submission';
import * as notes from './notes.queries';
import type { NoteRow } from './notes.queries';

interface OfSubmission {
  formId: string;
  /** The submission's id. */
  id: string;
}

/** The most notes that a submission can have. */
const maxNotes = 1_000;

/** Writes a note about a submission. Notes are for members: respondents and subscribers never see them. */
export async function addNote(deps: Deps, asked: Asked<Client>, { text, ...named }: OfSubmission & { text: string }): Promise<NoteRow> {
  return lockSubmission(deps, asked, 'change submissions of this form', named, async (trx, { submission, workspaceId }) => {
    if (submission.notes >= maxNotes) throw Problem.badRequest(`text: the submission has ${maxNotes} notes already, the maximum`);
    const at = deps.clock.now();
    const { kind, id } = asked.caller;
    const note: NoteRow = { submission_id: named.id, id: newId(), text, author_kind: kind, author_id: id, created_at: at, edited_at: null };
    await notes.insert(trx, note);
    await record(trx, audited(asked, deedOf('submission.note_added', note, { ...named, workspaceId }), at));
    return note;
  });
}

/** Replaces the text of a note, of which the earlier one is kept. Only its author may, so that nobody is quoted with somebody else's words. */
export async function updateNote(
  deps: Deps,
  asked: Asked<Client>,
  { noteId, text, ...named }: OfSubmission & { noteId: string; text: string },
): Promise<NoteRow> {
  return lockSubmission(deps, asked, 'change submissions of this form', named, async (trx, { workspaceId }) => {
    const note = isId(noteId) ? await notes.find(trx, named.id, noteId) : undefined;
    if (!note) throw Problem.notFound('note');
    if (!isAuthor(asked.caller, note)) throw Problem.forbidden('Only its author may change a note.');
    if (note.text === text) return note;
    const at = deps.clock.now();
    await notes.updateText(trx, { ...note, text }, at);
    await record(trx, audited(asked, deedOf('submission.note_updated', note, { ...named, workspaceId }), at));
    return { ...note, text, edited_at: at };
  });
}

/** Deletes a note with its earlier texts, as its author or as an owner of the form. @throws Problem `conflict` under legal hold */
export async function deleteNote(deps: Deps, asked: Asked<Client>, { noteId, ...named }: OfSubmission & { noteId: string }): Promise<void> {
  const hold = await deps.forms.holdOn(named.formId, asked);
  await lockSubmission(deps, asked, 'change submissions of this form', named, async (trx, { workspaceId, role }) => {
    const note = isId(noteId) ? await notes.find(trx, named.id, noteId) : undefined;
    if (!note) throw Problem.notFound('note');
    if (!isAuthor(asked.caller, note) && role !== 'owner')
      throw Problem.forbidden('Only its author and the owners of the form may delete a note.');
    if (hold.isHeld || (await isHeld(trx, named.formId))) throw Problem.conflict(held);
    const at = deps.clock.now();
    await notes.remove(trx, note, at);
    await record(trx, audited(asked, deedOf('submission.note_deleted', note, { ...named, workspaceId }), at));
  });
}

const isAuthor = ({ kind, id }: Client, note: NoteRow): boolean => note.author_kind === kind && note.author_id === id;

type NoteAction = 'submission.note_added' | 'submission.note_updated' | 'submission.note_deleted';

const deedOf = (action: NoteAction, note: NoteRow, { formId, id, workspaceId }: OfSubmission & { workspaceId: string }): Deed => ({
  action,
  target: { kind: 'submission', id },
  workspaceId,
  formId,
  details: { note_id: note.id },
});
