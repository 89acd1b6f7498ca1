import { type ServiceName, services } from '@sheaf/kernel';
import { z } from 'zod';

/** The events that can be subscribed to (contract, section 6.2). `submission.updated` is accepted but never sent. */
export const hookEvents = ['submission.created', 'submission.status_changed', 'submission.deleted', 'submission.updated'] as const;

/** Those whose bodies hold answers. */
export const eventsWithAnswers: readonly string[] = ['submission.created'];

/** Every service may send events. */
export const eventSources = services;
export type EventSource = ServiceName;

/**
 * Every event between our processes: its source, and the consumers that must confirm it before the source may delete it. An event without
 * consumers is a signal: processes that receive it drop their cached copy.
 */
export const domainEvents = {
  'submission.created': { source: 'submissions', consumers: ['delivery'] },
  'submission.status_changed': { source: 'submissions', consumers: ['delivery'] },
  'submission.deleted': { source: 'submissions', consumers: ['delivery'] },
  /** A submission is gone for good, so nothing may keep its answers. */
  'submission.erased': { source: 'submissions', consumers: ['delivery'] },
  /** A subscription was created, changed or removed. */
  'subscription.changed': { source: 'hooks', consumers: ['delivery'] },
  /** A subscription ended because its subscriber answered 410 or failed for too long. */
  'subscription.gone': { source: 'delivery', consumers: ['hooks'] },
  'folder.deleted': { source: 'workspaces', consumers: ['forms'] },
  'form.changed': { source: 'forms', consumers: [] },
  /** A form moved to another workspace. `form.changed` tells the caches. */
  'form.moved': { source: 'forms', consumers: ['hooks'] },
  /** A form is gone for good, with everything that belongs to it. */
  'form.erased': { source: 'forms', consumers: ['submissions', 'hooks', 'delivery'] },
  /** How long a form keeps submissions, or whether they may be erased at all, has changed. */
  'form.keeping_changed': { source: 'forms', consumers: ['submissions'] },
  /** A grant was created, changed or revoked. */
  'grant.changed': { source: 'forms', consumers: ['workspaces', 'hooks'] },
  /** A credential, a membership or a service account changed, so caches must look up access again. */
  'access.changed': { source: 'workspaces', consumers: [] },
  /**
   * The roles of a person or the scopes of a service account changed. Unlike `access.changed`, it has consumers and carries the new roles and
   * scopes, because hooks end with the access of their creator.
   */
  'standing.changed': { source: 'workspaces', consumers: ['hooks'] },
  /** The slug of a workspace changed, so a host name of its instance may now belong to another instance. */
  'workspace.moved': { source: 'workspaces', consumers: [] },
  /** A workspace is gone for good. `forms` erases its forms, `hooks` its webhooks; `standing.changed` has ended the access of its members. */
  'workspace.erased': { source: 'workspaces', consumers: ['forms', 'hooks'] },
  /** A person is gone for good. `standing.changed`, recorded before it, has ended their access. */
  'person.erased': { source: 'workspaces', consumers: ['forms', 'hooks'] },
  /** An audit entry. Every service sends it, on separate channels, because neither caches nor subscribers need it. */
  'audit.recorded': { source: 'every', consumers: ['workspaces'] },
  /** An erasure has begun; the services that it awaits erase their copies. */
  'erasure.begun': { source: 'every', consumers: ['workspaces'] },
  /** A service has erased everything that it had. */
  'erasure.confirmed': { source: 'every', consumers: ['workspaces'] },
} as const satisfies Record<string, { source: EventSource | 'every'; consumers: readonly EventSource[] }>;

export type DomainEventType = keyof typeof domainEvents;

/** The processes that cache other services' data, with the services whose events invalidate their caches. */
export const listeners: Readonly<Record<string, readonly EventSource[]>> = { gateway: ['workspaces', 'forms'], submissions: ['forms'] };

/** The processes that follow all events without their bodies, to tell screens what changed. */
export const followers: readonly string[] = ['gateway'];

/**
 * Consumers of earlier versions, by event type. Their confirmations are no longer required. When a consumer or its event is removed from
 * the table above, add the consumer here. A consumer in neither table may belong to a newer version, so its confirmation is required.
 */
export const formerConsumers: Readonly<Record<string, readonly string[]>> = {};

/** A file in a named payload: `type` is its media type, `size` its bytes. The URL works without a credential until it expires. */
export const NamedFile = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  url: z.string(),
  url_expires_at: z.iso.datetime(),
});

/** An answer with the names that people know. `text` is what they would read. */
export const NamedAnswer = z.object({
  label: z.string(),
  type: z.string(),
  value: z.unknown(),
  text: z.string(),
  files: z.array(NamedFile).optional(),
});

/** When it happened, with milliseconds: each event about a submission is later than the ones before. Only events of versions before it lack it. */
const occurredAt = z.iso.datetime({ precision: 3 }).optional();

/** The bodies that subscribers receive (contract, section 6.3). Only named payloads have `answers`, in the order of the form's fields. */
export const SubmissionCreated = z.object({
  event: z.literal('submission.created'),
  form_id: z.string(),
  occurred_at: occurredAt,
  data: z.record(z.string(), z.unknown()),
  submission: z.object({ id: z.string(), form_id: z.string(), schema_version: z.int(), created_at: z.iso.datetime() }),
  answers: z.record(z.string(), NamedAnswer).optional(),
});

export const SubmissionStatusChanged = z.object({
  event: z.literal('submission.status_changed'),
  form_id: z.string(),
  occurred_at: occurredAt,
  submission_id: z.string().optional(),
  submission_ids: z.array(z.string()).optional(),
  previous_status: z.string().optional(),
  new_status: z.string(),
});

export const SubmissionDeleted = z.object({
  event: z.literal('submission.deleted'),
  form_id: z.string(),
  occurred_at: occurredAt,
  submission_id: z.string(),
});

/** `announced_at`: when its `submission.created` was recorded; absent if it never was. */
export const SubmissionErased = z.object({
  erasure_id: z.string(),
  form_id: z.string(),
  submission_id: z.string(),
  announced_at: z.iso.datetime().optional(),
});

export const FormErased = z.object({ erasure_id: z.string(), form_id: z.string(), workspace_id: z.string() });

export const WorkspaceErased = z.object({ erasure_id: z.string(), workspace_id: z.string() });

export const PersonErased = z.object({ erasure_id: z.string(), person_id: z.string() });

/** Days after which things are erased; absent for never. */
export const FormKeepingChanged = z.object({
  form_id: z.string(),
  workspace_id: z.string(),
  legal_hold: z.boolean(),
  trash_days: z.int().optional(),
  submissions_days: z.int().optional(),
  files_days: z.int().optional(),
  /** Whether answers can be searched. Absent from an earlier release of `forms`: as before. */
  searchable: z.boolean().optional(),
  /** Counts the changes of the form's keeping. Absent from an earlier release of `forms`. */
  revision: z.int().optional(),
});

/** An erasure as its first service recorded it. `awaited` names every service that must confirm it. */
export const ErasureBegun = z.object({
  erasure_id: z.string(),
  kind: z.string(),
  target_id: z.string(),
  workspace_id: z.string().optional(),
  reason: z.string(),
  requested_by: z.object({ kind: z.string(), id: z.string().optional() }),
  awaited: z.array(z.string()),
});

/** `counts`: how many things of each kind the service has erased. */
export const ErasureConfirmed = z.object({ erasure_id: z.string(), service: z.string(), counts: z.record(z.string(), z.int()) });

/**
 * The parts of a subscription that `delivery` needs. One to a workspace or the whole instance is `wide`; its `form_id` is the id of that, because
 * earlier releases require one. `payload` is absent for the contract's. `events` are all that it listens to; earlier releases name only the first one.
 */
export const SubscriptionChanged = z.object({
  id: z.string(),
  form_id: z.string(),
  wide: z.boolean().optional(),
  event: z.string(),
  events: z.array(z.string()).optional(),
  url: z.string(),
  state: z.enum(['active', 'inactive', 'deleted']),
  revision: z.int(),
  payload: z.string().optional(),
  link_origin: z.string().optional(),
});

/**
 * A subscription whose subscriber answered 410 (`gone`) or failed for too long (`failing`). `revision` is the subscription's revision at the
 * time of the call: if the subscription has been reactivated since, its revision differs and it stays active. `detail` is the last failure.
 */
export const SubscriptionGone = z.object({
  id: z.string(),
  revision: z.int(),
  reason: z.string().optional(),
  detail: z.string().optional(),
});

export const FormChanged = z.object({ form_id: z.string(), slugs: z.array(z.string()) });

export const FormMoved = z.object({ form_id: z.string(), workspace_id: z.string() });

/** `role` is absent once the grant is revoked. */
export const GrantChanged = z.object({ form_id: z.string(), workspace_id: z.string(), user_id: z.string(), role: z.string().optional() });

export const FolderDeleted = z.object({ folder_id: z.string() });

/** The users and service accounts (`principal_ids`) and the sessions and keys (`credential_ids`) whose access changed. */
export const AccessChanged = z.object({ principal_ids: z.array(z.string()), credential_ids: z.array(z.string()) });

/**
 * The complete new access: a person's roles by workspace and in the instance, or a service account's scopes. All are empty for a deleted
 * principal. `instance_role` is null for a person without one, and absent from an earlier release of `workspaces`: as before.
 */
export const StandingChanged = z.object({
  kind: z.enum(['user', 'service_account']),
  id: z.string(),
  roles: z.record(z.string(), z.string()),
  instance_role: z.string().nullable().optional(),
  scopes: z.array(z.string()),
});

export const WorkspaceMoved = z.object({ workspace_id: z.string(), from: z.string(), to: z.string() });

/** An audit entry without the data that its event already carries. `action` is a string, as an older service may get newer actions. */
export const AuditRecorded = z.object({
  action: z.string(),
  actor: z.object({ kind: z.string(), id: z.string().optional(), via: z.string().optional(), credential_id: z.string().optional() }),
  target: z.object({ kind: z.string(), id: z.string() }),
  workspace_id: z.string().optional(),
  address: z.string().optional(),
  request_id: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
