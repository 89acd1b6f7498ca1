import { domainEvents, type DomainEventType, type EventSource } from '@sheaf/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { readTrace } from '@sheaf/kernel';

/** Something that happened, as the one who did it records it. */
export interface DomainEvent {
  /** Stays the same however often the event is sent. */
  id: string;
  type: DomainEventType;
  instanceId: string;
  /** What it happened to: a submission, a subscription, … Events of one subject stay in order. */
  subject: string;
  formId?: string;
  occurredAt: Date;
  /** The JSON text; what subscribers receive is this, to the byte. */
  body: string;
  /** The trace of the request that it comes from (`traceparent`), where there is one; what is done about the event belongs to it. */
  trace?: string | undefined;
}

// The attributes travel as CloudEvents does it over NATS (binary mode: a header each, the body untouched), so that other tools can
// read along: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/nats-protocol-binding.md
const attribute = { id: 'ce-id', type: 'ce-type', time: 'ce-time', subject: 'ce-subject', instanceId: 'ce-instanceid', formId: 'ce-formid' } as const;
/** As other tools expect it of any message. */
const traceHeader = 'traceparent';

/** The stream takes everything below this. */
export const eventRoot = 'sheaf.events';

/** Where to listen to a sender: for what it alone sends, or for its part of what every service sends. */
export const channelOf = (sender: EventSource, source: EventSource | 'every'): string => (source === 'every' ? `every.${sender}` : source);

/** The NATS subject of an event, e.g. `sheaf.events.submissions.submission.created` or `sheaf.events.every.forms.audit.recorded`. */
export const natsSubjectOf = (type: DomainEventType, sender: EventSource): string => `${eventRoot}.${channelOf(sender, domainEvents[type].source)}.${type}`;

/** Where consumers tell a source what they have worked off. Not below the event root: nobody needs to keep it. */
export const confirmationSubject = (source: string): string => `sheaf.confirm.${source}`;

export function toHeaders(event: DomainEvent, sender: EventSource): MsgHdrs {
  const h = headers();
  h.set('ce-specversion', '1.0');
  h.set('ce-source', `/sheaf/${sender}`);
  h.set('content-type', 'application/json');
  h.set(attribute.id, event.id);
  h.set(attribute.type, event.type);
  h.set(attribute.time, event.occurredAt.toISOString());
  h.set(attribute.subject, event.subject);
  h.set(attribute.instanceId, event.instanceId);
  if (event.formId !== undefined) h.set(attribute.formId, event.formId);
  if (event.trace !== undefined) h.set(traceHeader, event.trace);
  return h;
}

/** @returns undefined for a message that is none of our events. */
export function fromMessage(message: { headers?: MsgHdrs | undefined; string(): string }): DomainEvent | undefined {
  const get = (name: string) => message.headers?.get(name) ?? '';
  const type = get(attribute.type);
  const occurredAt = new Date(get(attribute.time));
  if (!Object.hasOwn(domainEvents, type) || get(attribute.id) === '' || Number.isNaN(occurredAt.getTime())) return undefined;
  const formId = get(attribute.formId);
  const trace = readTrace(get(traceHeader));
  return {
    id: get(attribute.id),
    type: type as DomainEventType,
    instanceId: get(attribute.instanceId),
    subject: get(attribute.subject),
    ...(formId === '' ? {} : { formId }),
    occurredAt,
    body: message.string(),
    ...(trace === undefined ? {} : { trace }),
  };
}
