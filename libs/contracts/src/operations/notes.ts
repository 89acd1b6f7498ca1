import { z } from 'zod';
import { Actor } from '../app/actor';
import { described } from '../described';
import { createdAt, cursorListOf, cursorPage, instant, ownId, trimmed } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam, submissionId } from './params';

const noteText = 'The text of the note.';
const sample = 'Called her back on Monday.';

export const SubmissionNote = described(
  z.object({
    id: ownId(),
    text: described(z.string(), noteText, sample),
    author: described(Actor, 'The author of the note.', { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05' }),
    created_at: described(createdAt(), 'The time when it was written.'),
    edited_at: described(
      instant().optional(),
      'The time when its text was last changed; absent if it never was.',
      '2026-03-05T11:20:00.000Z',
    ),
  }),
  'A note that a member wrote about a submission.',
);
carriedAs(SubmissionNote, { message: 'Note', flat: { author: 'author' } });

export const SubmissionNoteList = described(cursorListOf(SubmissionNote), 'A page of notes.');
carriedAs(SubmissionNoteList, { message: 'NoteList', names: { data: 'notes' } });

export const NoteRequest = described(z.object({ text: described(trimmed(1, 5_000), noteText, sample) }), 'The text of a note.');

const path = '/app/v1/forms/:id/submissions/:subId/notes';
const params = { id: formId, subId: submissionId };
const ofNote = { path: `${path}/:noteId`, params: { ...params, noteId: pathParam('note_id', "The note's id.") } } as const;

export const listSubmissionNotes = operation({
  method: 'get',
  path,
  params,
  summary: 'List the notes on a submission',
  description: 'Lists the notes that members have written about a submission, newest first.',
  access: { scope: 'submissions:read' },
  query: z.object(cursorPage),
  status: 200,
  reply: SubmissionNoteList,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.ListNotes',
});

export const addSubmissionNote = operation({
  method: 'post',
  path,
  params,
  summary: 'Add a note to a submission',
  description:
    'Adds a note to a submission, which can have 1,000 of them. Respondents and subscribers never see notes. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  body: NoteRequest,
  status: 201,
  reply: SubmissionNote,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.AddNote',
});

export const updateSubmissionNote = operation({
  ...ofNote,
  method: 'patch',
  summary: 'Change a note on a submission',
  description:
    'Replaces the text of a note, of which the earlier one is kept. For its author, while they are an owner or editor of the form.',
  access: { scope: 'submissions:write' },
  body: NoteRequest,
  status: 200,
  reply: SubmissionNote,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.UpdateNote',
});

export const deleteSubmissionNote = operation({
  ...ofNote,
  method: 'delete',
  summary: 'Delete a note on a submission',
  description:
    'Deletes a note with its earlier texts. Under legal hold it is 409. For its author, while they are an owner or editor of the form, and for owners of the form.',
  access: { scope: 'submissions:write' },
  status: 204,
  errors: [401, 403, 404, 409],
  rpc: 'submissions.DeleteNote',
});
