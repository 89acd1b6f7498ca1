import { z } from 'zod';

/** The events that a subscriber can ask for (contract, section 6.2). `submission.updated` is accepted and never sent. */
export const hookEvents = ['submission.created', 'submission.status_changed', 'submission.deleted', 'submission.updated'] as const;

/** The services: each may send events. */
export const eventSources = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'] as const;
export type EventSource = (typeof eventSources)[number];

/**
 * Every event that crosses between our processes: who sends it, and which consumers must have worked it off before the sender may
 * forget it. One without consumers is a signal: whoever listens at that moment drops what it remembered.
 */
export const domainEvents = {
  'submission.created': { source: 'submissions', consumers: ['delivery'] },
  'submission.status_changed': { source: 'submissions', consumers: ['delivery'] },
  'submission.deleted': { source: 'submissions', consumers: ['delivery'] },
  /** A subscription was made, changed, or removed. */
  'subscription.changed': { source: 'hooks', consumers: ['delivery'] },
  /** A subscriber answered 410: it wants no more. */
  'subscription.gone': { source: 'delivery', consumers: ['hooks'] },
  'folder.deleted': { source: 'workspaces', consumers: ['forms'] },
  'form.changed': { source: 'forms', consumers: [] },
  /** A user was granted a role on a form, or another one, or the grant was revoked. */
  'grant.changed': { source: 'forms', consumers: ['workspaces', 'hooks'] },
  /** A credential, a membership or a service account changed: what somebody may do has to be looked up again. */
  'access.changed': { source: 'workspaces', consumers: [] },
  /**
   * The roles of a person, or the scopes of a service account, changed. Unlike the signal it is kept for its consumers, and says what they are:
   * what somebody made by right of a role ends with it.
   */
  'standing.changed': { source: 'workspaces', consumers: ['hooks'] },
  /** A workspace has another slug: at the hosts of its instance somebody else may be found from now on. */
  'workspace.moved': { source: 'workspaces', consumers: [] },
  /** Somebody did something. Whoever does it says so, on channels apart: it is nothing that a cache or a subscriber has to know. */
  'audit.recorded': { source: 'every', consumers: ['workspaces'] },
} as const satisfies Record<string, { source: EventSource | 'every'; consumers: readonly EventSource[] }>;

export type DomainEventType = keyof typeof domainEvents;

/** The processes that remember what others own, and listen to those others in order to drop it. */
export const listeners: Readonly<Record<string, readonly EventSource[]>> = { gateway: ['workspaces'], submissions: ['forms'] };

/**
 * Consumers that an event had in an earlier version, by its type: nobody waits for them any more. A consumer that is taken out of the table
 * above, or whose event is, has to be added here. What is not named in either place may be a newer version's, and is waited for.
 */
export const formerConsumers: Readonly<Record<string, readonly string[]>> = {};

/** What a subscriber is sent (contract, section 6.3). */
export const SubmissionCreated = z.object({
  event: z.literal('submission.created'),
  form_id: z.string(),
  data: z.record(z.string(), z.unknown()),
  submission: z.object({ id: z.string(), form_id: z.string(), schema_version: z.int(), created_at: z.iso.datetime() }),
});

export const SubmissionStatusChanged = z.object({
  event: z.literal('submission.status_changed'),
  form_id: z.string(),
  submission_id: z.string().optional(),
  submission_ids: z.array(z.string()).optional(),
  previous_status: z.string().optional(),
  new_status: z.string(),
});

export const SubmissionDeleted = z.object({ event: z.literal('submission.deleted'), form_id: z.string(), submission_id: z.string() });

/** A subscription as `delivery` has to know it. */
export const SubscriptionChanged = z.object({
  id: z.string(),
  form_id: z.string(),
  event: z.string(),
  url: z.string(),
  state: z.enum(['active', 'inactive', 'deleted']),
  revision: z.int(),
});

/**
 * A subscription that answered 410 (`gone`) or failed for too long (`failing`). `revision` is the one that was called: one that was made active
 * again since is another one, and stays.
 */
export const SubscriptionGone = z.object({ id: z.string(), revision: z.int(), reason: z.string().optional() });

export const FormChanged = z.object({ form_id: z.string(), slugs: z.array(z.string()) });

/** `role` is absent once the grant is revoked. */
export const GrantChanged = z.object({ form_id: z.string(), workspace_id: z.string(), user_id: z.string(), role: z.string().optional() });

export const FolderDeleted = z.object({ folder_id: z.string() });

/** Whose access changed: users and service accounts by their id, sessions and keys by `credential_ids`. */
export const AccessChanged = z.object({ principal_ids: z.array(z.string()), credential_ids: z.array(z.string()) });

/** Everything that somebody is since: the roles of a person by workspace, the scopes of a service account; nothing of one that was deleted. */
export const StandingChanged = z.object({
  kind: z.enum(['user', 'service_account']),
  id: z.string(),
  roles: z.record(z.string(), z.string()),
  scopes: z.array(z.string()),
});

export const WorkspaceMoved = z.object({ workspace_id: z.string(), from: z.string(), to: z.string() });

/** An entry of the audit log, without what its event says already. An older service may hear of actions that it does not know yet. */
export const AuditRecorded = z.object({
  action: z.string(),
  actor: z.object({ kind: z.string(), id: z.string().optional(), via: z.string().optional(), credential_id: z.string().optional() }),
  target: z.object({ kind: z.string(), id: z.string() }),
  workspace_id: z.string().optional(),
  address: z.string().optional(),
  request_id: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
