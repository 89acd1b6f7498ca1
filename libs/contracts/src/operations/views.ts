import { isId } from '@sheaf/kernel';
import { z } from 'zod';
import { described, leftOut } from '../described';
import { bool, createdAt, jsonWithin, offsetInstant, oneOf, ownId, text, trimmed, updatedAt, whole } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';
import { AnswerFilter, searchSort, searchText } from './search';
import { submissionStatuses } from './submissions';

/** A form has so many shared views, and a person so many of their own of each form. Of either, so many are pinned. */
export const maxViews = { kept: 50, pinned: 20 };
export const viewNameLength = 80;

/** Counting a view ends here. */
export const maxCounted = 10_000;

const small = jsonWithin(16 * 1_024);

export const ViewCondition = described(
  z.object({
    key: described(AnswerFilter.shape.key, 'The key of a field, or a name with a `_` for what is about the submission.', 'colour'),
    comparison: described(AnswerFilter.shape.comparison, 'The comparison; `eq` for the answer itself.', 'eq'),
    values: described(AnswerFilter.shape.values, 'Any of these meets it.', ['red']),
  }),
  'A condition as `filter` of searchSubmissions has it.',
);

/** A list has a comparison of a key once, and equality of it alone. */
function refuseTwice(conditions: readonly z.output<typeof ViewCondition>[], context: z.core.$RefinementCtx): void {
  for (const [index, { key, comparison }] of conditions.entries()) {
    const others = conditions.slice(0, index).filter((other) => other.key === key);
    const isTwice = others.some((other) => other.comparison === comparison);
    const isBesideEquality = others.some((other) => (other.comparison === 'eq') !== (comparison === 'eq'));
    if (isTwice) context.addIssue({ code: 'custom', path: [index, 'comparison'], message: `${key} has this comparison already` });
    else if (isBesideEquality)
      context.addIssue({ code: 'custom', path: [index, 'comparison'], message: `${key} has eq, beside which it has no other comparison` });
  }
}

export const ViewSearch = described(
  z
    .object({
      q: described(searchText().optional(), 'Words that the answers must have.', 'oak'),
      status: described(z.array(oneOf(submissionStatuses)).max(20).optional(), 'Any of these statuses.', ['new']),
      assignee: described(
        text(1, 64).refine(isId, 'must be the id of a person').optional(),
        'The person who takes care of them.',
        '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
      ),
      from: described(offsetInstant().optional(), 'Submissions from this time on.', '2026-03-01T00:00:00.000Z'),
      to: described(offsetInstant().optional(), 'Submissions from before this time.', '2026-04-01T00:00:00.000Z'),
      changed_since: described(offsetInstant().optional(), 'Submissions that arrived or changed at or after this time.', leftOut),
      filter: described(z.array(ViewCondition).max(20).superRefine(refuseTwice).optional(), 'Conditions on answers and submissions.'),
      sort: described(searchSort().optional(), 'The order, as `sort` of searchSubmissions has it.', '-created'),
    })
    .refine(...small),
  'The submissions that the view has, as searchSubmissions finds them, and their order. A field may have been removed from the form since.',
);
export type ViewSearch = z.output<typeof ViewSearch>;

const columnIds = () => z.array(text(1, 80)).max(1_000);

export const ViewColumns = described(
  z
    .object({
      order: described(
        columnIds(),
        'Columns in their order: `received`, `status`, `assignee`, `fill_seconds` and `answers.<key>`. Others follow, but for `fill_seconds`, which is shown only if it is named.',
        ['answers.name', 'received'],
      ),
      hidden: described(columnIds(), 'Columns that are not shown.', ['assignee']),
      widths: described(z.record(text(1, 80), whole(1, 5_000)), 'The widths of columns, in pixels.', { 'answers.name': 240 }),
    })
    .refine(...small),
  'How the columns of the list are arranged.',
);
export type ViewColumns = z.output<typeof ViewColumns>;

const name = () => described(trimmed(1, viewNameLength), 'The name, which no other one of them has.', 'To be reviewed');
const shared = () =>
  described(
    bool(),
    'Whether everybody who may read the submissions of the form sees it, and those who may change the form change it. Otherwise it is the own view of one person.',
    true,
  );
const pinned = () => described(bool(), 'Whether it is a tab above the list.', true);

export const SubmissionView = described(
  z.object({
    id: ownId(),
    name: described(z.string(), 'The name.', 'To be reviewed'),
    shared: shared(),
    pinned: pinned(),
    search: described(ViewSearch, 'The search and the order.'),
    columns: described(ViewColumns.optional(), 'The columns; absent for those of the form in their order.'),
    created_at: createdAt(),
    updated_at: updatedAt(),
  }),
  'A list of the submissions of a form that is kept under a name.',
);
export type SubmissionView = z.output<typeof SubmissionView>;
carriedAs(SubmissionView, { json: ['search', 'columns'] });

export const SubmissionViews = described(
  z.object({ data: described(z.array(SubmissionView), 'The shared views in their order, and then those of the caller.') }),
  'The views of a form that the caller sees.',
);
carriedAs(SubmissionViews, { names: { data: 'views' } });

export const SubmissionViewRequest = described(
  z.object({
    name: name(),
    shared: described(shared().default(false), 'Whether it is for everybody who may read the submissions of the form.', true),
    pinned: described(pinned().default(false), 'Whether it is a tab above the list.', true),
    search: described(ViewSearch, 'The search and the order.'),
    columns: described(ViewColumns.optional(), 'The columns; absent for those of the form in their order.'),
  }),
  'A new view.',
);
carriedAs(SubmissionViewRequest, { json: ['search', 'columns'] });

export const SubmissionViewUpdateRequest = described(
  z.object({
    name: name().optional(),
    shared: described(
      shared().optional(),
      'True gives it to everybody who may read the submissions, false makes it that of the caller.',
      true,
    ),
    pinned: pinned().optional(),
    position: described(whole(0, maxViews.kept - 1).optional(), 'Its new place among the shared views, or among those of the caller.', 0),
    search: described(ViewSearch.optional(), 'The new search and order.'),
    columns: described(ViewColumns.nullable().optional(), 'The new columns; null for those of the form in their order.'),
    if_updated_at: described(
      offsetInstant().optional(),
      'Only if the last change was at this time, as `updated_at` tells; otherwise 409.',
      '2026-03-04T16:05:12.000Z',
    ),
  }),
  'Changes to a view. Absent properties stay unchanged.',
);
carriedAs(SubmissionViewUpdateRequest, { message: 'SubmissionViewPatch', json: ['search', 'columns'] });

/** A view of which the submissions are counted. */
export const ViewToCount = described(
  z.object({ id: described(text(1, 64), 'The id.'), search: described(ViewSearch, 'The search and the order.') }),
  'A view of which the submissions are counted.',
);
carriedAs(ViewToCount, { json: ['search'] });

export const SubmissionViewCount = described(
  z.object({
    id: described(z.string(), "The view's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    total: described(z.int().optional(), 'The number of its submissions, if they could be counted.', 12),
    total_at_least: described(
      z.int().optional(),
      `In place of \`total\`: there are at least this many. Counting ends at ${maxCounted.toLocaleString('en')}.`,
      leftOut,
    ),
  }),
  'The number of submissions of a view. Without either number, they could not be counted in time, or cannot be listed.',
);
export type SubmissionViewCount = z.output<typeof SubmissionViewCount>;

export const SubmissionViewCounts = described(
  z.object({ data: described(z.array(SubmissionViewCount), 'The counts, in the order of the views.') }),
  'The numbers of submissions of the pinned views.',
);
carriedAs(SubmissionViewCounts, { names: { data: 'counts' } });

const path = '/app/v1/forms/:id/views';
const params = { id: formId };
const ofView = { path: `${path}/:viewId`, params: { ...params, viewId: pathParam('id', "The view's id.") } } as const;
const roles =
  'A shared view is changed by owners and editors of the form, and a person changes their own. Service accounts have shared views only.';

export const listSubmissionViews = operation({
  method: 'get',
  path,
  params,
  summary: 'List the views of a form',
  description: 'Lists the shared views of the submissions of a form, and those of the caller.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: SubmissionViews,
  errors: [401, 403, 404],
  rpc: 'forms.ListViews',
});

export const getSubmissionViewCounts = operation({
  method: 'get',
  path: `${path}/counts`,
  params,
  summary: 'Count the submissions of the pinned views',
  description: `Counts the submissions of all pinned views that the caller sees, each up to ${maxCounted.toLocaleString('en')}. A request counts for about two seconds: views that have no turn by then have no number.`,
  access: { scope: 'submissions:read' },
  status: 200,
  reply: SubmissionViewCounts,
  errors: [401, 403, 404],
  rpc: 'submissions.CountViews',
  // The views are those of `forms`.
  composed: true,
  added: z.object({ views: described(z.array(ViewToCount).max(2 * maxViews.pinned), 'The views.') }),
});

export const createSubmissionView = operation({
  method: 'post',
  path,
  params,
  summary: 'Keep a view of a form',
  description: `Keeps a list of submissions under a name. ${roles} At most ${maxViews.kept} shared views of a form, and as many of a person; of either, ${maxViews.pinned} are pinned.`,
  access: { scope: 'submissions:write' },
  body: SubmissionViewRequest,
  status: 201,
  reply: SubmissionView,
  errors: [400, 401, 403, 404],
  rpc: 'forms.CreateView',
});

export const updateSubmissionView = operation({
  ...ofView,
  method: 'patch',
  summary: 'Change a view of a form',
  description: `Renames a view, changes its list or columns, pins, moves or shares it. With \`if_updated_at\`, a change that somebody else has made meanwhile is not overwritten. ${roles}`,
  access: { scope: 'submissions:write' },
  patch: SubmissionViewUpdateRequest,
  status: 200,
  reply: SubmissionView,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.UpdateView',
});

export const deleteSubmissionView = operation({
  ...ofView,
  method: 'delete',
  summary: 'Delete a view of a form',
  description: `Deletes a view, and no submission. ${roles}`,
  access: { scope: 'submissions:write' },
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'forms.DeleteView',
});
