import { z } from 'zod';
import { cursorListOf, cursorPage, instant, trimmed } from '../shapes';
import { Actor } from './actor';

/** A member's note about a submission. `edited_at` is absent as long as it is as it was written first. */
export const SubmissionNote = z.object({
  id: z.string(),
  text: z.string(),
  author: Actor,
  created_at: instant(),
  edited_at: instant().optional(),
});

export const SubmissionNoteList = cursorListOf(SubmissionNote);

export const NoteRequest = z.object({ text: trimmed(1, 5_000) });

export const NotesQuery = z.object(cursorPage);

/** The person who takes care of a submission; null for nobody. */
export const AssigneeRequest = z.object({
  user_id: z.string('must be a string, or null').max(64, 'must have at most 64 characters').nullable(),
});
