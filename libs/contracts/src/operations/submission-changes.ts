import { z } from 'zod';
import { described } from '../described';
import { cursor, instant, page } from '../shapes';
import { SubmissionDetail } from './corrections';
import { operation } from './operation';
import { formId } from './params';

export const submissionChangeTypes = ['created', 'changed', 'trashed', 'restored', 'marked_as_spam', 'released', 'erased'] as const;

/** `submission` is how it is now, not how the change left it: a later change follows in the feed. */
export const SubmissionChange = described(
  z.object({
    type: described(
      z.enum(submissionChangeTypes),
      'The kind of change: `created`; `changed` for answers, status, assignee and notes; `trashed` and `restored`; `marked_as_spam` and `released`; `erased` for good. New values may be added.',
      'changed',
    ),
    submission_id: described(z.string(), "The submission's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    at: described(instant(), 'The time of the change.', '2026-03-04T16:05:12.000Z'),
    submission: described(
      SubmissionDetail.optional(),
      'The submission as it is now; absent while it is in the trash or spam, and once it is erased.',
    ),
  }),
  'A change of a submission. To keep a copy, store `submission`, or remove the one with `submission_id` if it is absent.',
);

export const SubmissionChanges = described(
  z.object({
    data: described(z.array(SubmissionChange), 'The items of this page.'),
    has_more: described(z.boolean(), 'Whether there are more changes already.', false),
    next_cursor: described(
      z.string(),
      'The `cursor` of the next page. There always is one: keep it, and ask for what has happened since. It can be kept for a month.',
      'q1vYx3JtT0kQ2m9bWzE0LDQsIjIwMjYtMDMtMDRUMTY6MDU6MTIuMDAwMDAwWiJd',
    ),
  }),
  'A page of the changes of submissions.',
);

export const listSubmissionChanges = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/changes',
  params: { id: formId },
  summary: 'Follow the changes of the submissions of a form',
  description:
    'Returns what happened to the submissions of a form, in order and without missing any. Without a cursor it begins with the submissions that are listed, as `created`, and goes on with what happened since. A change shows its submission as it is now, so applying a page twice does no harm. A cursor can be kept for a month. One that is older, or that belongs to a database which was restored to an earlier moment, is 410: start over without a cursor. A page may have fewer changes than `limit` if its answers are long.',
  access: { scope: 'submissions:read' },
  query: z.object({
    limit: page.limit,
    cursor: described(cursor(), 'The `next_cursor` of the previous page; absent to begin with the submissions that are listed.'),
  }),
  status: 200,
  reply: SubmissionChanges,
  errors: [400, 401, 403, 404, 410],
  rpc: 'submissions.ListSubmissionChanges',
  composed: true,
  answer: 'SubmissionChanges',
});
