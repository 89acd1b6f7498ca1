import { z } from 'zod';
import { instant, listOf, offsetInstant, oneOf, page, text } from '../shapes';
import { Actor } from './actor';

/** All that is recorded, as `resource.what_happened`. A name never changes once it has been recorded anywhere. */
export const auditActions = [
  'session.created',
  'session.failed',
  'session.ended',
  'invitation.accepted',
  'api_key.created',
  'api_key.revoked',
  'service_account.created',
  'service_account.deleted',
  'service_account.updated',
  'service_account.key_created',
  'service_account.key_revoked',
  'profile.updated',
  'password.changed',
  'instance.created',
  'workspace.created',
  'workspace.updated',
  'member.added',
  'member.removed',
  'member.role_changed',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'form.created',
  'form.updated',
  'form.published',
  'form.trashed',
  'form.restored',
  'grant.given',
  'grant.removed',
  'draft.saved',
  'submission.status_changed',
  'submission.deleted',
  'submission.restored',
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

/** What it can have been done to. A `grant` goes by the id of the person who has it, as a `member` does; `hook` is any webhook. */
export const auditTargets = [
  'session', 'user', 'instance', 'workspace', 'api_key', 'service_account', 'member', 'folder', 'form', 'grant', 'submission', 'file', 'hook', 'delivery',
] as const;

/**
 * What else is worth knowing of an action. Closed, so that nothing gets in that has no place in a log which many people read and
 * nobody can correct: no text that somebody typed, no answers, no addresses of people, no secrets.
 */
export const AuditDetails = z.object({
  /** The names of the fields that were set. */
  changed: z.array(z.string()).optional(),
  role: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  /** The status before and after. */
  from_status: z.string().optional(),
  to_status: z.string().optional(),
  /** The version that was published. */
  version: z.int().optional(),
  /** The revision that the draft has since. */
  revision: z.int().optional(),
  /** The form that a copy was made from. */
  copied_from: z.string().optional(),
  /** The event that a hook is about. */
  event: z.string().optional(),
  /** Why a hook was deactivated: it answered 410 (`gone`), failed for too long (`failing`), or whoever made it may not have it any more (`access_ended`). */
  reason: z.string().optional(),
  /** The format of an export. */
  format: z.string().optional(),
  /** How many it was done to at once. */
  count: z.int().optional(),
});
export type AuditDetails = z.output<typeof AuditDetails>;

/**
 * Who did it. `anonymous` is somebody who has not proved who they are and has no `id`; `service` one of our own processes. `via` and
 * `credential_id` say by which session or key.
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

/** Without a `workspace_id` it concerns the whole instance. */
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

/** How far the entries are counted that a filter leaves. */
export const auditCountedTo = 10_000;

export const AuditLog = listOf(AuditEntry).extend({
  total: z.int().meta({ description: `Exact without a filter; with one it is counted up to ${auditCountedTo}, and later entries can still be read by their offset.` }),
});

const id = () => text(0, 64).optional();

/** `from` is the first moment that counts, `to` the first that does not any more. */
export const AuditLogQuery = z.object({
  ...page,
  actor_id: id(),
  action: oneOf(auditActions).optional(),
  target_id: id(),
  from: offsetInstant().optional(),
  to: offsetInstant().optional(),
});
