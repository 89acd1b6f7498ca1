import { type App, type ServiceName, services } from '@sheaf/kernel';
import { z } from 'zod';
import { described, leftOut } from './described';

/** The events that can be subscribed to (contract, section 6.2). `submission.updated` is accepted but never sent. */
export const hookEvents = ['submission.created', 'submission.status_changed', 'submission.deleted', 'submission.updated'] as const;

/** Those that only webhooks of the application can listen to (decision 0063). */
export const moreWebhookEvents = ['submission.restored', 'submission.corrected', 'submission.spam_changed'] as const;

/** The events that webhooks of the application can listen to. */
export const webhookEvents = [...hookEvents, ...moreWebhookEvents] as const;

/** Those whose bodies hold answers. */
export const eventsWithAnswers: readonly string[] = ['submission.created'];

/** Every service may send events. */
export const eventSources = services;
export type EventSource = ServiceName;

/** Channels that a source has beside its own, for events that consumers of an earlier version must not receive. */
export const moreChannels = { 'submissions-more': 'submissions' } as const satisfies Record<string, EventSource>;

/** A channel has the events of one source, those that every service sends, or some that a source sends apart from its others. */
export type Channel = EventSource | 'every' | keyof typeof moreChannels;

/**
 * Every event between our processes: its source, and the consumers that must confirm it before the source may delete it. An event without
 * consumers is a signal: processes that receive it drop their cached copy. `channel` is where it travels, if not on that of its source.
 */
export const domainEvents = {
  'submission.created': { source: 'submissions', consumers: ['delivery'] },
  'submission.status_changed': { source: 'submissions', consumers: ['delivery'] },
  'submission.deleted': { source: 'submissions', consumers: ['delivery'] },
  'submission.restored': { source: 'submissions', channel: 'submissions-more', consumers: ['delivery'] },
  'submission.corrected': { source: 'submissions', channel: 'submissions-more', consumers: ['delivery'] },
  'submission.spam_changed': { source: 'submissions', channel: 'submissions-more', consumers: ['delivery'] },
  /** A submission is gone for good, so nothing may keep its answers. */
  'submission.erased': { source: 'submissions', consumers: ['delivery'] },
  /** A subscription was created, changed or removed. */
  'subscription.changed': { source: 'hooks', consumers: ['delivery'] },
  /** A subscription ended because its subscriber answered 410 or failed for too long. */
  'subscription.gone': { source: 'delivery', consumers: ['hooks'] },
  'folder.deleted': { source: 'workspaces', consumers: ['forms'] },
  'form.changed': { source: 'forms', consumers: [] },
  /** A form moved to another workspace. `form.changed` tells the caches. */
  'form.moved': { source: 'forms', consumers: ['hooks', 'submissions'] },
  /** A form is gone for good, with everything that belongs to it. */
  'form.erased': { source: 'forms', consumers: ['submissions', 'hooks', 'delivery'] },
  /** How long a form keeps submissions, or whether they may be erased at all, has changed. */
  'form.keeping_changed': { source: 'forms', consumers: ['submissions'] },
  /** A grant was created, changed or revoked. */
  'grant.changed': { source: 'forms', consumers: ['workspaces', 'hooks', 'submissions'] },
  /** A credential, a membership or a service account changed, so caches must look up access again. */
  'access.changed': { source: 'workspaces', consumers: [] },
  /**
   * The roles of a person or the scopes of a service account changed. Unlike `access.changed`, it has consumers and carries the new roles and
   * scopes, because hooks, and changes in the background, end with the access of whoever asked for them.
   */
  'standing.changed': { source: 'workspaces', consumers: ['hooks', 'submissions'] },
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
} as const satisfies Record<
  string,
  { source: EventSource | 'every'; channel?: keyof typeof moreChannels; consumers: readonly EventSource[] }
>;

export type DomainEventType = keyof typeof domainEvents;

/** The channel of events of this type. */
export function channelOfType(type: DomainEventType): Channel {
  const event: { source: EventSource | 'every'; channel?: Channel } = domainEvents[type];
  return event.channel ?? event.source;
}

/** The processes that cache other services' data, with the services whose events invalidate their caches. */
export const listeners = { gateway: ['workspaces', 'forms'], submissions: ['forms'] } as const satisfies Partial<
  Record<App, readonly EventSource[]>
>;

/** A listener with a source that it may hear. NATS refuses any other pair, so none compiles. */
export type Listening = { [L in keyof typeof listeners]: { listener: L; source: (typeof listeners)[L][number] } }[keyof typeof listeners];

/** The processes that follow all events without their bodies, to tell screens what changed. */
export const followers: readonly string[] = ['gateway'];

/**
 * Consumers of earlier versions, by event type. Their confirmations are no longer required. When a consumer or its event is removed from
 * the table above, add the consumer here. A consumer in neither table may belong to a newer version, so its confirmation is required.
 */
export const formerConsumers: Readonly<Record<string, readonly string[]>> = {};

const formId = () => described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01');
const submissionId = () => described(z.string(), "The submission's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07');

/** A file in a named payload: `type` is its media type, `size` its bytes. The URL works without a credential until it expires. */
export const NamedFile = described(
  z.object({
    id: described(z.string(), "The file's id."),
    name: described(z.string(), 'The name under which it was uploaded.'),
    type: described(z.string(), 'Its media type, detected from its first bytes.'),
    size: described(z.int(), 'Its size in bytes.'),
    url: described(z.string(), 'A link that needs no credential.'),
    url_expires_at: described(z.iso.datetime(), 'When the link expires: 24 hours after the event.'),
  }),
  'A file in an answer.',
);

/** An answer with the names that people know. `text` is what they would read. */
export const NamedAnswer = described(
  z.object({
    label: described(z.string(), "The field's label in the version that the answers were made against."),
    type: described(z.string(), "The field's type, as in a draft."),
    value: described(z.unknown(), 'The answer, as in `data`.'),
    text: described(
      z.string(),
      'The answer as a person would read it: the labels of the chosen options, `Yes` or `No`, the names of files.',
    ),
    files: described(z.array(NamedFile).optional(), 'The files, if the field accepts files.'),
  }),
  'An answer with the names that people know.',
);

const eventText = 'The event. New values may be added.';

/** When it happened, with milliseconds: each event about a submission is later than the ones before. Only events of versions before it lack it. */
const occurredAt = (text: string) =>
  described(
    z.iso.datetime({ precision: 3 }).optional(),
    `${text} Events about a submission are later than the ones before.`,
    '2026-03-04T16:05:12.000Z',
  );

/** The bodies that subscribers receive (contract, section 6.3). Only named payloads have `answers`, in the order of the form's fields. */
export const SubmissionCreated = described(
  z.object({
    event: described(z.literal('submission.created'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When the submission was announced: when it arrived, was paid for, or was found not to be spam.'),
    data: described(z.record(z.string(), z.unknown()), 'The answers by field key.', { name: 'Ada Lovelace', stars: 5 }),
    submission: described(
      z.object({
        id: described(z.string(), 'The id.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
        form_id: formId(),
        schema_version: described(z.int(), 'The form version that the submission answers.', 2),
        created_at: described(z.iso.datetime(), 'The time of creation.', '2026-03-02T09:30:00.000Z'),
      }),
      'The submission.',
    ),
    answers: described(
      z.record(z.string(), NamedAnswer).optional(),
      "Only in `named` payloads: the answers by key, in the order of the form's fields, under the names that people know.",
      leftOut,
    ),
  }),
  'The body of `submission.created`.',
);

export const SubmissionStatusChanged = described(
  z.object({
    event: described(z.literal('submission.status_changed'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When the status changed.'),
    submission_id: submissionId().optional(),
    submission_ids: described(z.array(z.string()).optional(), 'The ids of the submissions.', leftOut),
    previous_status: described(z.string().optional(), 'The status before the change; present only for a single change.', 'new'),
    new_status: described(z.string(), 'The status after the change.', 'approved'),
  }),
  'The body of `submission.status_changed`. A single change has `submission_id` and `previous_status`; a bulk change has `submission_ids`.',
);

export const SubmissionDeleted = described(
  z.object({
    event: described(z.literal('submission.deleted'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When the submission was moved to the trash.'),
    submission_id: submissionId(),
  }),
  'The body of `submission.deleted`.',
);

const status = (text: string) => described(z.string(), text, 'approved');
const statusThen = 'The status of the submission at that time.';

export const SubmissionRestored = described(
  z.object({
    event: described(z.literal('submission.restored'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When the submission was taken out of the trash.'),
    submission_id: submissionId(),
    status: status(statusThen),
  }),
  'The body of `submission.restored`. Only webhooks of the application can listen to it.',
);

export const SubmissionCorrected = described(
  z.object({
    event: described(z.literal('submission.corrected'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When the answers were corrected.'),
    submission_id: submissionId(),
    status: status(statusThen),
    revision: described(z.int(), 'How often the answers have been corrected, this time included.', 1),
    changed: described(
      z.array(z.string()),
      'The keys of the fields whose answers changed. The answers are not in the event: read the submission. If the webhook has `fields`, only those of them.',
      ['email'],
    ),
    corrected_by: described(
      z.object({
        kind: described(z.string(), '`user` or `service_account`.', 'user'),
        id: described(z.string(), 'The id.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c03'),
      }),
      'The person or service account that corrected them.',
    ),
  }),
  'The body of `submission.corrected`. Only webhooks of the application can listen to it.',
);

export const SubmissionSpamChanged = described(
  z.object({
    event: described(z.literal('submission.spam_changed'), eventText),
    form_id: formId(),
    occurred_at: occurredAt('When somebody marked the submission as spam, or released it.'),
    submission_id: submissionId(),
    status: status(statusThen),
    spam: described(z.boolean(), 'Whether the submission is spam now.', true),
  }),
  'The body of `submission.spam_changed`, which is sent only for submissions whose `submission.created` was sent before. Only webhooks of the application can listen to it.',
);

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
 * `options` are its `WebhookOptions` in JSON, empty for none; absent from an earlier release. Earlier releases of `delivery` would send without
 * them, so one that has options is `inactive` to them, and `state_with_options` is its state.
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
  /** The retry schedule; absent for the subscription of a platform. */
  retry: z.string().optional(),
  options: z.string().optional(),
  state_with_options: z.enum(['active', 'inactive', 'deleted']).optional(),
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

/** `trashed`: it has just been moved to the trash. Absent from an earlier release of `forms`. */
export const FormChanged = z.object({ form_id: z.string(), slugs: z.array(z.string()), trashed: z.boolean().optional() });

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
