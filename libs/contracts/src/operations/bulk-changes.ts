import { isId } from '@sheaf/kernel';
import { z } from 'zod';
import { Actor } from '../app/actor';
import { described } from '../described';
import { createdAt, instant, oneOf, ownId, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';
import { searchConditions } from './search';
import { submissionStatuses } from './submissions';

export const bulkActions = ['set_status', 'assign', 'mark_spam', 'release', 'trash', 'restore'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** A bulk change takes no more submissions than this. */
export const maxBulkSubmissions = 100_000;
/** So many are waiting or running at once. */
export const maxUnfinishedBulkChanges = { form: 2, workspace: 10 };

const SubmissionsToChange = z.object({
  ...searchConditions,
  changed_since: described(searchConditions.changed_since, 'Only submissions that arrived or changed at or after this time.'),
});
carriedAs(SubmissionsToChange, { names: { status: 'statuses', filter: 'filters' } });

const newStatus = 'The new status, of `set_status`.';
const newAssignee = 'The person who takes care of them from then on, of `assign`; absent for nobody.';

export const BulkChangeRequest = described(
  z.object({
    action: described(
      oneOf(bulkActions),
      '`set_status`, `assign`, `mark_spam` and `trash` change submissions of the list; `release` those that are spam, and `restore` those in the trash.',
      'set_status',
    ),
    new_status: described(oneOf(submissionStatuses).optional(), newStatus, 'approved'),
    new_assignee: described(
      text(1, 64).refine(isId, 'must be the id of a person').optional(),
      newAssignee,
      '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
    ),
  }),
  'A change of all submissions that a search finds.',
);

export const BulkChange = described(
  z.object({
    id: ownId(),
    action: described(z.string(), 'The action, as in the request. New values may be added.', 'set_status'),
    new_status: described(z.string().optional(), newStatus, 'approved'),
    new_assignee: described(z.string().optional(), newAssignee),
    undoes: described(
      z.string().optional(),
      'The bulk change that this one takes back: its `action` is the one of that, and each submission gets again what it had before.',
    ),
    state: described(z.string(), '`waiting`, `running`, `done`, `cancelled` by somebody, or `failed`. New values may be added.', 'running'),
    reason: described(
      z.string().optional(),
      'The reason for which it failed: `access_ended`, if whoever asked may no longer change submissions of the form; `form_trashed`; `form_erased`; `too_many`, if more submissions were found than one may change; `took_too_long`, after a day; `not_searchable`, if searching was switched off for the form; or `failed`. New values may be added.',
    ),
    total: described(z.int().optional(), 'The submissions that were found; absent until they have all been looked up.', 12_345),
    done: described(z.int(), 'The submissions that it has come to so far.', 4_000),
    changed: described(z.int(), 'The submissions that it has changed; the others were as wanted already, or have left their place.', 3_980),
    by: described(Actor, 'The person or service account that asked for it.'),
    created_at: described(createdAt(), 'The time when somebody asked for it: submissions that arrive later are not changed.'),
    finished_at: described(instant().optional(), 'The time when it ended.', '2026-03-02T09:31:00.000Z'),
    expires_at: described(
      instant(),
      'The time until which it is listed and can be taken back: a day after its end, or later if it is being taken back.',
      '2026-03-03T09:31:00.000Z',
    ),
  }),
  'A change of many submissions of a form, which is made in the background.',
);

export const BulkChanges = described(
  z.object({ data: described(z.array(BulkChange), 'The bulk changes, newest first.') }),
  'The bulk changes of a form.',
);
carriedAs(BulkChanges, { names: { data: 'changes' } });

const bulkChangesPath = '/app/v1/forms/:id/bulk-changes';
const one = { params: { id: formId, changeId: pathParam('id', "The bulk change's id.") } } as const;

export const createBulkChange = operation({
  method: 'post',
  path: bulkChangesPath,
  params: { id: formId },
  summary: 'Change all submissions that a search finds',
  description: `Begins to change, in the background, the submissions that searchSubmissions would find with the same parameters; \`release\` and \`restore\` take no conditions, and change all that is spam or in the trash. The change begins once those of the form before it are over. Its submissions are fixed at that moment (\`total\` is there from then on): those that are found then, and that arrived before this request. Each is changed once, also if a process dies, with the events and audit entries of a change of several submissions. The change ends early if whoever asked may no longer change submissions of the form, or if the form is moved to the trash. At most ${maxBulkSubmissions.toLocaleString('en')} submissions; a form has at most ${maxUnfinishedBulkChanges.form} bulk changes that are waiting or running, and a workspace ${maxUnfinishedBulkChanges.workspace} (429). While the search index does not have every submission, \`q\` and \`filter\` get 503. \`filter[_in]\` gets 400, as the action says the place. For owners and editors of the form.`,
  access: { scope: 'submissions:write' },
  query: SubmissionsToChange,
  body: BulkChangeRequest,
  status: 202,
  reply: BulkChange,
  errors: [400, 401, 403, 404, 409, 429],
  rpc: 'submissions.StartBulkChange',
  // The gateway checks that the person has a role on the form.
  composed: true,
});

export const listBulkChanges = operation({
  method: 'get',
  path: bulkChangesPath,
  params: { id: formId },
  summary: 'List the bulk changes of a form',
  description: 'Lists the bulk changes of a form, of everybody, that are not over or ended within the last day, newest first.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: BulkChanges,
  errors: [401, 403, 404],
  rpc: 'submissions.ListBulkChanges',
});

export const getBulkChange = operation({
  ...one,
  method: 'get',
  path: `${bulkChangesPath}/:changeId`,
  summary: 'Get a bulk change of a form',
  description: 'Returns a bulk change, and how far it is.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: BulkChange,
  errors: [401, 403, 404],
  rpc: 'submissions.GetBulkChange',
});

export const endBulkChange = operation({
  ...one,
  method: 'post',
  path: `${bulkChangesPath}/:changeId/end`,
  summary: 'End a bulk change of a form early',
  description:
    'Ends a bulk change that is waiting or running. Submissions that it has changed stay so, unless it is taken back (undoBulkChange). One that is over stays as it is. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  status: 200,
  reply: BulkChange,
  errors: [401, 403, 404],
  rpc: 'submissions.EndBulkChange',
});

export const undoBulkChange = operation({
  ...one,
  method: 'post',
  path: `${bulkChangesPath}/:changeId/undo`,
  summary: 'Take back a bulk change of a form',
  description:
    'Begins another bulk change, which gives each submission that this one changed what it had before, unless anybody has changed the submission since. Events that were sent stay sent; each step back sends its own. One that is not over, or takes back another itself, is 409, and so is one that is being taken back, or whose `expires_at` is over. For owners and editors of the form.',
  access: { scope: 'submissions:write' },
  status: 202,
  reply: BulkChange,
  errors: [401, 403, 404, 409, 429],
  rpc: 'submissions.UndoBulkChange',
});
