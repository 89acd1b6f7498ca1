import { AssigneeRequest, NoteRequest, NotesQuery, SubmissionDetail, SubmissionNote, SubmissionNoteList } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { submissionDetail } from '../submission-page';
import { cursorPageOf, param, type Services } from '../services';

const base = '/app/v1/forms/:id/submissions/:subId';

type Params = Readonly<Record<string, string>>;
const ofSubmission = (params: Params) => ({ form_id: param(params, 'id'), id: param(params, 'subId') });
const ofNote = (params: Params) => ({ ...ofSubmission(params), note_id: param(params, 'noteId') });

/** Notes of members about a submission, and the member who takes care of it. */
export const notes = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/notes`,
    summary: 'List the notes on a submission',
    access: { scope: 'submissions:read' },
    query: NotesQuery,
    status: 200,
    reply: SubmissionNoteList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const page = await submissions.listNotes(call, { ...ofSubmission(params), ...query });
      return cursorPageOf(page.notes.map(note), page);
    },
  }),
  route({
    method: 'post',
    path: `${base}/notes`,
    summary: 'Add a note to a submission',
    access: { scope: 'submissions:write' },
    body: NoteRequest,
    status: 201,
    reply: SubmissionNote,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) => note(await submissions.addNote(call, { ...ofSubmission(params), ...body })),
  }),
  route({
    method: 'patch',
    path: `${base}/notes/:noteId`,
    summary: 'Change a note on a submission',
    access: { scope: 'submissions:write' },
    body: NoteRequest,
    status: 200,
    reply: SubmissionNote,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) => note(await submissions.updateNote(call, { ...ofNote(params), ...body })),
  }),
  route({
    method: 'delete',
    path: `${base}/notes/:noteId`,
    summary: 'Delete a note on a submission',
    access: { scope: 'submissions:write' },
    status: 204,
    errors: [401, 403, 404, 409],
    handle: async ({ call, params }) => {
      await submissions.deleteNote(call, ofNote(params));
    },
  }),
  route({
    method: 'put',
    path: `${base}/assignee`,
    summary: 'Assign a submission to a person',
    access: { scope: 'submissions:write' },
    body: AssigneeRequest,
    status: 200,
    reply: SubmissionDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body: { user_id } }) => {
      const named = ofSubmission(params);
      if (user_id === null) return submissionDetail(await submissions.assignSubmission(call, named));
      const { role } = await forms.getPersonRole(call, { form_id: named.form_id, user_id });
      if (role === undefined) throw Problem.badRequest('user_id: must be a person with a role on the form');
      return submissionDetail(await submissions.assignSubmission(call, { ...named, user_id }));
    },
  }),
];

type NoteMessage = Awaited<ReturnType<Services['submissions']['addNote']>>;

const note = ({ id, text, author_kind, author_id, created_at, edited_at }: NoteMessage) => ({
  id,
  text,
  author: { kind: author_kind, id: author_id },
  created_at,
  edited_at,
});
