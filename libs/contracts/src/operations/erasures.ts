import { z } from 'zod';
import { described } from '../described';
import { cursorPage, instant, ownId, text } from '../shapes';
import { AuditActor } from './audit-log';
import { BulkRequest } from './lifecycle';
import { uncarried } from './message';
import { operation } from './operation';
import { formId, idOfForm, idOfWorkspace, pathParam, submissionId, userId } from './params';

/** Says that the caller knows: nothing brings back what is erased. */
export const ForeverQuery = uncarried(
  z.object({
    forever: described(
      z.literal('true', 'must be true, as nothing brings back what is erased'),
      'Must be `true`: nothing brings back what is erased.',
    ),
  }),
  'forever',
);

/** The id under which listErasures and getErasure show how far it is. */
export const ErasureStarted = described(
  z.object({
    erasure_id: described(z.string(), 'The id of the erasure, for `getErasure`.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0e'),
  }),
  'An erasure that has begun.',
);

export const eraseForm = operation({
  method: 'delete',
  path: '/app/v1/forms/:id',
  params: { id: idOfForm },
  summary: 'Erase a form for good',
  description:
    'Erases a form from the trash for good, with its versions, submissions, files, webhooks and everything else that belongs to it. Nothing brings it back. Answers before every copy is gone: `getErasure` tells how far it is. A form that is not in the trash, or under legal hold, is 409. For owners of the form.',
  access: { scope: 'forms:write' },
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.EraseForm',
  answer: 'EraseFormReply',
});

export const eraseSubmission = operation({
  method: 'delete',
  path: '/app/v1/forms/:id/submissions/:subId',
  params: { id: formId, subId: submissionId },
  summary: 'Erase a submission for good',
  description:
    'Erases a submission from the trash for good, with its revisions, files and history, and its answers in the delivery log. Nothing brings it back. Answers before every copy is gone: `getErasure` tells how far it is. A submission that is not in the trash, and a form under legal hold, are 409. For owners of the form.',
  access: { scope: 'submissions:write' },
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'submissions.EraseSubmission',
  answer: 'EraseSubmissionsReply',
});

export const eraseSubmissions = operation({
  method: 'post',
  path: '/app/v1/forms/:id/submissions/bulk-erase',
  params: { id: formId },
  summary: 'Erase several submissions for good',
  description: 'Erases up to 500 submissions from the trash for good, all or none. For owners of the form.',
  access: { scope: 'submissions:write' },
  body: BulkRequest,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'submissions.EraseSubmissions',
  answer: 'EraseSubmissionsReply',
});

/** The caller's password, because an open session alone must not be enough to erase its person. */
export const ProfileEraseRequest = described(
  z.object({ password: described(text(1, 200), "The caller's password.", 'a good long password') }),
  'The confirmation of a person who erases themselves.',
);

export const erasureKinds = ['submission', 'submissions', 'form', 'person', 'workspace'] as const;
export const erasureReasons = ['requested', 'retention', 'person'] as const;

export const ErasureService = described(
  z.object({
    service: described(z.string(), 'The name of the service.', 'submissions'),
    confirmed_at: described(
      instant().optional(),
      'The time at which the service had erased everything; absent until then.',
      '2026-03-05T11:20:02.000Z',
    ),
    counts: described(
      z.record(z.string(), z.int()).optional(),
      'The number of things that the service erased, by kind; absent until it has confirmed.',
      { submissions: 1, files: 2 },
    ),
  }),
  'A service that erases its copies.',
);

export const Erasure = described(
  z.object({
    id: ownId(),
    kind: described(z.enum(erasureKinds), 'The kind of thing that is erased.', 'submission'),
    target_id: described(z.string(), 'The id of the submission, form, person or workspace; of several submissions, that of their form.'),
    form_id: described(z.string().optional(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    workspace_id: described(z.string().optional(), "The workspace's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04'),
    reason: described(
      z.enum(erasureReasons),
      'The reason: somebody requested it (`requested`), its time was over (`retention`), or a person asked for it (`person`).',
    ),
    requested_by: described(
      AuditActor.pick({ kind: true, id: true }),
      'The person or service account that requested the erasure, or the service that began it.',
      { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05' },
    ),
    requested_at: described(instant(), 'The time of the request.', '2026-03-05T11:20:00.000Z'),
    state: described(z.enum(['running', 'done']), 'Whether all services have confirmed the erasure.', 'done'),
    services: described(z.array(ErasureService), 'The services that have copies.'),
  }),
  'Something that was erased for good: ids and counts, and nothing of what it was.',
);

export const ErasureList = described(
  z.object({
    data: described(z.array(Erasure), 'The items of this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  }),
  'A page of erasures.',
);

export const eraseProfile = operation({
  method: 'delete',
  path: '/app/v1/me',
  summary: 'Erase yourself for good',
  description:
    'Erases the caller for good, after checking their password: their name, email address, password, memberships, sessions, keys, grants and subscriptions. Their id stays, for example in the audit log, which loses their IP addresses. Forms that they created stay with the owners of the workspace. For the last owner of a workspace, this is 409.',
  access: 'session',
  query: ForeverQuery,
  body: ProfileEraseRequest,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 409, 429],
  rpc: 'workspaces.EraseProfile',
  composed: true,
});

export const erasePerson = operation({
  method: 'delete',
  path: '/app/v1/people/:id',
  params: { id: pathParam('id', userId.text) },
  summary: 'Erase a person for good',
  description:
    'Erases another person for good, as `eraseProfile` does. For owners and admins of the instance; only an owner of the instance erases another one. For the last owner of a workspace or of the instance, this is 409.',
  access: 'person',
  onInstance: 'erase people',
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'workspaces.ErasePerson',
});

export const eraseWorkspace = operation({
  method: 'delete',
  path: '/app/v1/workspaces/:id',
  params: { id: idOfWorkspace },
  summary: 'Erase a workspace for good',
  description:
    'Erases a workspace for good, with its folders, memberships, forms and everything that belongs to them. The erasure of the workspace is done once all forms have begun theirs; each is an erasure of its own. The slug stays reserved as after a change, and owners of other workspaces can still read the audit log. The last workspace of an instance, and one with a form under legal hold, are 409. For owners of the workspace.',
  access: 'person',
  query: ForeverQuery,
  status: 202,
  reply: ErasureStarted,
  errors: [400, 401, 403, 404, 409],
  rpc: 'workspaces.EraseWorkspace',
  composed: true,
});

const path = '/app/v1/erasures';

export const listErasures = operation({
  method: 'get',
  path,
  summary: 'List erasures',
  description:
    'Lists erasures, newest first: those in the workspaces that the caller owns or administers; all of the instance for its owners and admins.',
  access: 'person',
  query: z.object(cursorPage),
  status: 200,
  reply: ErasureList,
  errors: [400, 401, 403],
  rpc: 'workspaces.ListErasures',
  composed: true,
  answer: 'ErasureList',
});

export const getErasure = operation({
  method: 'get',
  path: `${path}/:id`,
  params: { id: pathParam('id', "The erasure's id.") },
  summary: 'Get an erasure',
  description:
    'Returns an erasure with the services that have erased their copies. Owners and admins of its workspace see it, and the person who began it.',
  access: 'person',
  status: 200,
  reply: Erasure,
  errors: [401, 403, 404],
  rpc: 'workspaces.GetErasure',
  composed: true,
  answer: 'Erasure',
});
