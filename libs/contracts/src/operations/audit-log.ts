import { z } from 'zod';
import { described } from '../described';
import { instant, listOf, offsetInstant, ownId, page, several, text } from '../shapes';
import { Actor } from '../app/actor';
import { carriedAs, uncarried } from './message';
import { operation } from './operation';

/** All recorded actions, as `resource.what_happened`. A name never changes once a deployment has recorded it. */
export const auditActions = [
  'session.created',
  'session.failed',
  'session.ended',
  'sessions.ended',
  'sign_in_link.created',
  'invitation.accepted',
  'invitation.renewed',
  'invitation.revoked',
  'api_key.created',
  'api_key.revoked',
  'service_account.created',
  'service_account.deleted',
  'service_account.updated',
  'service_account.key_created',
  'service_account.key_revoked',
  'profile.updated',
  'password.changed',
  'person.erased',
  'instance.created',
  'instance.updated',
  'instance.restored',
  'instance.erased',
  'instance_member.added',
  'instance_member.role_changed',
  'instance_member.removed',
  'workspace.created',
  'workspace.updated',
  'workspace.erased',
  'member.added',
  'member.removed',
  'member.role_changed',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'form.created',
  'form.updated',
  'form.moved',
  'form.published',
  'form.trashed',
  'form.restored',
  'form.erased',
  'grant.given',
  'grant.removed',
  'draft.saved',
  'view.created',
  'view.updated',
  'view.deleted',
  'export_preset.created',
  'export_preset.updated',
  'export_preset.deleted',
  'submission.entered',
  'submission.status_changed',
  'submission.corrected',
  'submission.note_added',
  'submission.note_updated',
  'submission.note_deleted',
  'submission.assigned',
  'submission.deleted',
  'submission.restored',
  'submission.erased',
  'submissions.erased',
  'submission.marked_as_spam',
  'submission.released',
  'submissions.exported',
  'submissions.imported',
  'export.started',
  'export.deleted',
  'bulk_change.started',
  'bulk_change.ended',
  'file.downloaded',
  'hook.subscribed',
  'hook.unsubscribed',
  'hook.deactivated',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.listened',
  'webhook_key.rotated',
  'delivery.redelivered',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The resources that actions affect. A `grant`, like a `member`, is identified by the id of its person; `hook` is any webhook. */
export const auditTargets = [
  'session',
  'user',
  'instance',
  'workspace',
  'api_key',
  'service_account',
  'member',
  'folder',
  'form',
  'grant',
  'view',
  'export_preset',
  'submission',
  'file',
  'export',
  'bulk_change',
  'hook',
  'delivery',
] as const;

/**
 * The shape is closed because many people read the log and no one can correct it. It must not contain text that people typed, answers, people's
 * addresses or secrets.
 */
export const AuditDetails = described(
  z.object({
    changed: described(
      z.array(z.string()).optional(),
      'The names of the fields that were set; of a corrected submission, the keys of the answers that changed.',
    ),
    role: described(z.string().optional(), 'The role that was assigned.'),
    scopes: described(z.array(z.string()).optional(), 'The scopes.'),

    from_workspace_id: described(z.string().optional(), 'The workspace that the form left.'),
    to_workspace_id: described(z.string().optional(), 'The workspace that the form moved to.'),
    from_status: described(z.string().optional(), 'The status before the change.'),
    to_status: described(z.string().optional(), 'The status after the change.'),
    version: described(z.int().optional(), 'The version that was published, or that the draft was restored to.'),
    revision: described(z.int().optional(), 'The revision of the draft or the submission after the action.'),
    copied_from: described(z.string().optional(), 'The form that was copied.'),
    event: described(z.string().optional(), 'The event. New values may be added.'),
    reason: described(
      z.string().optional(),
      'The reason for a deactivation: `gone` (the subscriber answered 410), `failing` (deliveries failed for too long) or `access_ended` (its creator ' +
        'may no longer manage it).',
    ),
    format: described(z.string().optional(), 'The format: `csv` unless given.'),
    note_id: described(z.string().optional(), "The note's id."),
    assignee: described(
      z.string().optional(),
      'The id of the person who takes care of the submission from then on; absent if nobody does.',
    ),
    count: described(z.int().optional(), 'The number of resources that the action affected.'),
    signed_in_with: described(
      z.string().optional(),
      '`link` if a link of the operator opened the session; absent for a password or an invitation.',
    ),
    erasure: described(z.string().optional(), 'The erasure that the action began.'),
    backup_at: described(z.string().optional(), 'When the backup was made that was restored.'),
  }),
  'Details of an audited action. They never contain answers, secrets or text that people typed.',
);
export type AuditDetails = z.output<typeof AuditDetails>;

const personId = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05';
const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';
const workspace = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04';

/** `anonymous` is a caller without valid credentials, and without an `id`; `service` is one of our processes. */
export const AuditActor = described(
  Actor.extend({
    kind: described(z.enum(['user', 'service_account', 'service', 'anonymous']), 'The kind of actor.', 'user'),
    id: described(z.string().optional(), 'The id.', personId),
    name: described(z.string().optional(), "The person's or the service account's name.", 'Ada Lovelace'),
    email: described(z.string().optional(), 'The e-mail address.', 'ada@example.org'),
    via: described(z.enum(['session', 'api_key']).optional(), 'The kind of credential used.', 'session'),
    credential_id: described(z.string().optional(), 'The id of the session or the key.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09'),
  }),
  'The actor of an audit entry. `name` and `email` are looked up when the log is read.',
);

export const AuditTarget = described(
  z.object({ kind: described(z.enum(auditTargets), 'The kind of resource.', 'form'), id: described(z.string(), 'The id.', form) }),
  'The resource that the action affected.',
);

export const AuditEntry = described(
  z.object({
    id: ownId(),
    action: described(z.enum(auditActions), 'The action.', 'form.published'),
    actor: described(AuditActor, 'The person, service account or process that made the change.'),
    target: described(AuditTarget, 'The resource.'),
    workspace_id: described(
      z.string().optional(),
      'The workspace of the action; absent if the action concerns the whole instance.',
      workspace,
    ),
    form_id: described(z.string().optional(), "The form's id.", form),
    address: described(z.string().optional(), "The client's IP address.", '203.0.113.7'),
    request_id: described(z.string(), 'The `X-Request-Id` of the request.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0a'),
    details: described(AuditDetails.optional(), 'Details of the action.', { version: 2 }),
    occurred_at: described(instant(), 'The time of the action.', '2026-03-04T16:05:12.000Z'),
  }),
  'One recorded action.',
);
carriedAs(AuditEntry, { json: ['details'] });

/** The maximum `total` of a filtered list. Counting all matches would read the whole log. */
export const auditCountedTo = 10_000;

export const AuditLog = described(
  uncarried(
    listOf(AuditEntry).extend({
      total: described(
        z.int(),
        `The total number of items on all pages. Exact without a filter. With a filter, counting stops at ${auditCountedTo}; later entries can still be read by offset.`,
        1,
      ),
    }),
    'limit',
    'offset',
  ),
  'A page of the audit log.',
);
carriedAs(AuditLog, { names: { data: 'entries' } });

const id = (what: string) => described(text(0, 64).optional(), `Only actions ${what}.`);

/** `from` is inclusive, `to` exclusive. */
export const AuditLogQuery = z.object({
  ...page,
  actor_id: id('of this actor'),
  action: described(several(auditActions).optional(), 'Only these actions: repeat the parameter, or separate them with commas.'),
  target_id: id('on this resource'),
  form_id: id('on this form and what belongs to it'),
  workspace_id: id('in this workspace'),
  from: described(offsetInstant().optional(), 'The start of the period (inclusive).'),
  to: described(offsetInstant().optional(), 'The end of the period (exclusive).'),
});
carriedAs(AuditLogQuery, { names: { action: 'actions' } });

export const listAuditEntries = operation({
  method: 'get',
  path: '/app/v1/audit-log',
  summary: 'List the audit log',
  description:
    'Lists the audit log, newest first: entries of the workspaces that the caller owns or administers; the whole log for owners and admins of the instance.',
  access: 'person',
  query: AuditLogQuery,
  status: 200,
  reply: AuditLog,
  errors: [400, 401, 403],
  rpc: 'workspaces.ListAuditLog',
});
