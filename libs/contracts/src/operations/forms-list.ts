import { z } from 'zod';
import { described } from '../described';
import { bool, cursorPage, flag, instant, oneOf, text } from '../shapes';
import { formTexts } from './form-texts';
import { formStatuses, FormSummary, titleLength } from './forms';
import { operation } from './operation';
import { idOfForm } from './params';

/** The orders of the list of forms: newest first, or titles from A to Z. A `-` reverses them. */
export const formSorts = ['updated', '-updated', 'created', '-created', 'title', '-title'] as const;

/** In place of a folder's id: the forms that are in no folder. */
export const unfiled = 'none';

export const FormsListQuery = z.object({
  ...cursorPage,
  workspace_id: described(text(1, 64).optional(), 'Only forms of this workspace.'),
  folder_id: described(
    text(1, 64).optional(),
    'Only forms in this folder, or unfiled ones if `none`. Needs a workspace, which for people is the active one.',
  ),
  status: described(oneOf(formStatuses).optional(), 'Only forms with this status. If absent, all but deleted ones.'),
  q: described(text(1, titleLength.max).optional(), 'Only forms with this text in their title. Case does not matter.'),
  favorite: described(flag().optional(), "Only the caller's favorites if `true`."),
  shared: described(flag().optional(), 'Only forms granted to the caller in workspaces that they are not a member of if `true`.'),
  sort: described(
    oneOf(formSorts).default('updated'),
    'The order: newest first, or titles from A to Z. A `-` reverses it. `updated` unless given.',
  ),
});

/** The number of submissions in a form's list, of those with the status `new`, and of those that are held as spam and in no list. */
export const SubmissionCounts = described(
  z.object({
    total: described(z.int(), 'The number of submissions that are neither in the trash nor spam.', 210),
    new: described(z.int(), 'The number of those with the status `new`.', 12),
    spam: described(z.int(), 'The number of those that are held as spam, which `total` leaves out.', 3),
  }),
  'The submissions of a form in numbers.',
);

/** A form's place, draft and submissions, and the caller's role, which v1 does not tell. `submissions` is null if they could not be counted. */
export const foundForm = {
  workspace_id: described(z.string(), "The workspace's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04'),
  unpublished_changes: described(z.boolean(), 'Whether the draft differs from the latest version.', true),
  submissions: described(SubmissionCounts.nullable(), 'The number of submissions. Null if they could not be counted right now.', {
    total: 210,
    new: 12,
    spam: 3,
  }),
  last_submission_at: described(
    instant().optional(),
    'The time of the newest submission. Absent if there is none.',
    '2026-03-04T16:05:12.000Z',
  ),
};

export const roleOnForm = () => described(z.string(), "The caller's role on the form.", 'editor');

export const FoundForm = described(
  FormSummary.extend({
    slug: described(z.string().optional(), ...formTexts.slug),
    opens_at: described(instant().optional(), ...formTexts.opens_at),
    closes_at: described(instant().optional(), ...formTexts.closes_at),
    max_submissions: described(z.int().optional(), ...formTexts.max_submissions),
    folder_id: described(z.string().optional(), ...formTexts.folder_id),
    favorite: described(z.boolean(), ...formTexts.favorite),
    role: roleOnForm(),
    ...foundForm,
  }),
  "A form in a list, with its place, the caller's role and its submissions in numbers.",
);

/** `total` is there if it is known without reading all forms, and otherwise `total_at_least`. */
export const FoundForms = described(
  z.object({
    data: described(z.array(FoundForm), 'The items of this page.'),
    total: described(z.int().optional(), 'The number of forms on all pages, if it is known without reading them.', 1),
    total_at_least: described(z.int().optional(), 'In place of `total`: there are at least this many forms, as they are on this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  }),
  'A page of the forms that were searched for.',
);

export const searchForms = operation({
  method: 'get',
  path: '/app/v1/forms',
  summary: 'Search forms',
  description:
    'Finds the forms on which the caller has a role: those of the active workspace unless `workspace_id` or `shared` says otherwise; for service accounts, those of the whole instance. A page may have fewer forms than `limit`, or none, and a `next_cursor` all the same: a request reads only so many forms, and the next one continues.',
  access: { scope: 'forms:read' },
  query: FormsListQuery,
  status: 200,
  reply: FoundForms,
  errors: [400, 401],
  rpc: 'forms.FindForms',
  // Submissions are counted by their own service.
  composed: true,
  added: z.object({
    favorite: described(bool(), "Only the caller's favorites."),
    shared: described(bool(), 'Only forms granted to the caller in workspaces that they are not a member of.'),
  }),
  answer: 'FoundForms',
});

const path = '/app/v1/forms/:id/favorite';
const params = { id: idOfForm };

export const addFavorite = operation({
  method: 'put',
  path,
  params,
  summary: 'Add a form to the favorites',
  description: "Adds a form to the caller's favorites. They belong to the caller alone and do not change the form. For every role.",
  access: { scope: 'forms:write' },
  status: 204,
  errors: [401, 403, 404],
  rpc: 'forms.SetFavorite',
  // The method answers removeFavorite as well.
  composed: true,
  added: z.object({ favorite: described(bool(), ...formTexts.favorite) }),
});

export const removeFavorite = operation({
  method: 'delete',
  path,
  params,
  summary: 'Remove a form from the favorites',
  description: "Removes a form from the caller's favorites. For every role.",
  access: { scope: 'forms:write' },
  status: 204,
  errors: [401, 403, 404],
});
