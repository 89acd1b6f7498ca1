import { WebhookError } from './errors';

/** A file in an answer, in the payload `named`. */
export interface NamedFile {
  id: string;
  name: string;
  type: string;
  size: number;
  /** A download link that needs no credential and works until `url_expires_at`. */
  url: string;
  url_expires_at: string;
}

/** An answer with its question, in the payload `named`. */
export interface NamedAnswer {
  label: string;
  /** The field's type as in a draft, such as `short_text`. */
  type: string;
  value: unknown;
  /** The answer as a person would read it: the labels of options, "Yes" or "No", the names of files. */
  text: string;
  files?: NamedFile[];
}

interface Event {
  form_id: string;
  /**
   * When it happened (RFC 3339, with milliseconds). Compare it to order events of a submission, as they may arrive in another order. Absent only from
   * an earlier version of Sheaf, and when an event from that time is sent again.
   */
  occurred_at?: string;
}

/** A respondent has submitted a form or, if the form collects a payment, has paid. */
export interface SubmissionCreated extends Event {
  event: 'submission.created';
  /** The answers by the keys of their fields. */
  data: Record<string, unknown>;
  submission: { id: string; form_id: string; schema_version: number; created_at: string };
  /** Present if the webhook has the payload `named`: the answers in the order of the form's fields. */
  answers?: Record<string, NamedAnswer>;
}

export interface SingleStatusChange extends Event {
  event: 'submission.status_changed';
  submission_id: string;
  submission_ids?: undefined;
  previous_status: string;
  new_status: string;
}

export interface BulkStatusChange extends Event {
  event: 'submission.status_changed';
  submission_id?: undefined;
  submission_ids: string[];
  previous_status?: undefined;
  new_status: string;
}

/** One submission, or several at once, moved to another status. */
export type SubmissionStatusChanged = SingleStatusChange | BulkStatusChange;

/** A submission was moved to the trash. */
export interface SubmissionDeleted extends Event {
  event: 'submission.deleted';
  submission_id: string;
}

/** A submission was taken out of the trash. */
export interface SubmissionRestored extends Event {
  event: 'submission.restored';
  submission_id: string;
  /** Its status then. */
  status: string;
}

/** The answers of a submission were corrected. They are not in the event: read the submission. */
export interface SubmissionCorrected extends Event {
  event: 'submission.corrected';
  submission_id: string;
  /** Its status then. */
  status: string;
  /** How often the answers have been corrected, this time included. */
  revision: number;
  /** The keys of the fields whose answers changed. */
  changed: string[];
  corrected_by: { kind: string; id: string };
}

/** A submission was marked as spam, or released. */
export interface SubmissionSpamChanged extends Event {
  event: 'submission.spam_changed';
  submission_id: string;
  /** Its status then. */
  status: string;
  /** Whether it is spam now. */
  spam: boolean;
}

/** The body of a webhook. `event` tells the kinds apart. */
export type WebhookEvent =
  | SubmissionCreated
  | SubmissionStatusChanged
  | SubmissionDeleted
  | SubmissionRestored
  | SubmissionCorrected
  | SubmissionSpamChanged;

const kinds: ReadonlySet<unknown> = new Set<WebhookEvent['event']>([
  'submission.created',
  'submission.status_changed',
  'submission.deleted',
  'submission.restored',
  'submission.corrected',
  'submission.spam_changed',
]);

/** An event, the id of its delivery, and its place in a trace. */
export interface SentEvent {
  id: string;
  traceparent?: string;
  event: WebhookEvent;
}

/** An event that this version cannot take. Others of its batch are none the worse for it. */
export interface RefusedEvent {
  error: unknown;
}

/**
 * Parses a body whose signature is valid: one event, or several of a webhook with batches, each with the id of its delivery. Their properties are not
 * checked: Sheaf has signed them.
 */
export function eventsIn(body: Uint8Array, request: Omit<SentEvent, 'event'>): { isBatch: boolean; events: (SentEvent | RefusedEvent)[] } {
  const parsed = parse(body);
  const { event, events } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as { event?: unknown; events?: unknown };
  if (event !== 'batch') return { isBatch: false, events: [{ ...request, event: known(parsed, event) }] };
  if (!Array.isArray(events)) throw new WebhookError('malformed_body', 'The batch has no list of events');
  return {
    isBatch: true,
    events: events.map((one: unknown) => {
      try {
        return inBatch(one);
      } catch (error) {
        return { error };
      }
    }),
  };
}

function inBatch(parsed: unknown): SentEvent {
  const { id, traceparent, ...one } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as {
    id?: unknown;
    traceparent?: unknown;
    event?: unknown;
  };
  if (typeof id !== 'string') throw new WebhookError('malformed_body', 'An event of the batch has no id');
  return { id, ...(typeof traceparent === 'string' && { traceparent }), event: known(one, one.event) };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookError('malformed_body', 'The body is not JSON in UTF-8', { cause });
  }
}

function known(parsed: unknown, event: unknown): WebhookEvent {
  if (!kinds.has(event))
    throw new WebhookError('unknown_event', `This version of @sheaf/webhooks does not know the event ${JSON.stringify(event)}`);
  return parsed as WebhookEvent;
}
