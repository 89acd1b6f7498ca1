import { z } from 'zod';
import { cursorPage, instant, oneOf, text, flag } from '../shapes';
import { formStatuses, FormSummary, titleLength } from '../operations/forms';

/** The orders of the list of forms: newest first, or titles from A to Z. A `-` reverses them. */
export const formSorts = ['updated', '-updated', 'created', '-created', 'title', '-title'] as const;

/** In place of a folder's id: the forms that are in no folder. */
export const unfiled = 'none';

export const FormsListQuery = z.object({
  ...cursorPage,
  workspace_id: text(1, 64).optional(),
  folder_id: text(1, 64).optional(),
  status: oneOf(formStatuses).optional(),
  q: text(1, titleLength.max).optional(),
  favorite: flag().optional(),
  shared: flag().optional(),
  sort: oneOf(formSorts).default('updated'),
});

/** The number of submissions in a form's list, of those with the status `new`, and of those that are held as spam and in no list. */
export const SubmissionCounts = z.object({ total: z.int(), new: z.int(), spam: z.int() });

/** A form's place, draft and submissions, which v1 does not tell. `submissions` is null if they could not be counted. */
export const foundForm = {
  workspace_id: z.string(),
  unpublished_changes: z.boolean(),
  submissions: SubmissionCounts.nullable(),
  last_submission_at: instant().optional(),
};

export const FoundForm = FormSummary.extend({
  slug: z.string().optional(),
  opens_at: instant().optional(),
  closes_at: instant().optional(),
  max_submissions: z.int().optional(),
  folder_id: z.string().optional(),
  favorite: z.boolean(),
  role: z.string(),
  ...foundForm,
});

/** `total` is there if it is known without reading all forms, and otherwise `total_at_least`. */
export const FoundForms = z.object({
  data: z.array(FoundForm),
  total: z.int().optional(),
  total_at_least: z.int().optional(),
  next_cursor: z.string().nullable(),
});
