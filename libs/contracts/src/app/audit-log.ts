import { z } from 'zod';
import { instant, listOf, offsetInstant, page, several, text } from '../shapes';
import { Actor } from './actor';

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
  'file.downloaded',
  'hook.subscribed',
  'hook.unsubscribed',
  'hook.deactivated',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
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
  'submission',
  'file',
  'hook',
  'delivery',
] as const;

/**
 * Details of an action. The shape is closed because many people read the log and no one can correct it. It must not contain text that
 * people typed, answers, people's addresses or secrets.
 */
export const AuditDetails = z.object({
  /** The names of the fields that were set; of a corrected submission, the keys of the answers that changed. */
  changed: z.array(z.string()).optional(),
  role: z.string().optional(),
  scopes: z.array(z.string()).optional(),

  /** The workspaces that a form moved between. */
  from_workspace_id: z.string().optional(),
  to_workspace_id: z.string().optional(),
  from_status: z.string().optional(),
  to_status: z.string().optional(),
  /** The version that was published, or that a draft was restored to. */
  version: z.int().optional(),
  /** The revision of the draft or the submission after the action. */
  revision: z.int().optional(),
  /** The form that was copied. */
  copied_from: z.string().optional(),
  /** The event that a hook subscribes to. */
  event: z.string().optional(),
  /** The reason for deactivating a hook: 410 (`gone`), failures for too long (`failing`), or its creator lost access (`access_ended`). */
  reason: z.string().optional(),
  /** The format of an export. */
  format: z.string().optional(),
  note_id: z.string().optional(),
  /** The person who takes care of a submission from then on; absent if nobody does. */
  assignee: z.string().optional(),
  /** The number of resources that the action affected. */
  count: z.int().optional(),
  /** `link` if a link of the operator opened the session; absent for a password or an invitation. */
  signed_in_with: z.string().optional(),
  /** The erasure that the action began. */
  erasure: z.string().optional(),
});
export type AuditDetails = z.output<typeof AuditDetails>;

/**
 * The actor of an entry. `anonymous` is a caller without valid credentials, and without an `id`; `service` is one of our processes. `via` and
 * `credential_id` identify the session or key.
 */
export const AuditActor = Actor.extend({
  kind: z.enum(['user', 'service_account', 'service', 'anonymous']),
  id: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  via: z.enum(['session', 'api_key']).optional(),
  credential_id: z.string().optional(),
});

export const AuditTarget = z.object({ kind: z.enum(auditTargets), id: z.string() });

/** An entry without a `workspace_id` concerns the whole instance. */
export const AuditEntry = z.object({
  id: z.string(),
  action: z.enum(auditActions),
  actor: AuditActor,
  target: AuditTarget,
  workspace_id: z.string().optional(),
  form_id: z.string().optional(),
  address: z.string().optional(),
  request_id: z.string(),
  details: AuditDetails.optional(),
  occurred_at: instant(),
});

/** The maximum `total` of a filtered list. Counting all matches would read the whole log. */
export const auditCountedTo = 10_000;

export const AuditLog = listOf(AuditEntry).extend({
  total: z.int().meta({
    description: `Exact without a filter. With a filter, counting stops at ${auditCountedTo}; later entries can still be read by offset.`,
  }),
});

const id = () => text(0, 64).optional();

/** `from` is inclusive, `to` exclusive. */
export const AuditLogQuery = z.object({
  ...page,
  actor_id: id(),
  action: several(auditActions).optional(),
  target_id: id(),
  form_id: id(),
  workspace_id: id(),
  from: offsetInstant().optional(),
  to: offsetInstant().optional(),
});
