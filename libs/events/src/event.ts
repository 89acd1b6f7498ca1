import { channelOfType, domainEvents, type Channel, type DomainEventType, type EventSource } from '@sheaf/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { readRequestId, readTrace } from '@sheaf/kernel';
import { z } from 'zod';
import { addNotices } from './notice';

/** An event as its source records it. */
export interface DomainEvent {
  /** The same each time the event is sent. */
  id: string;
  type: DomainEventType;
  instanceId: string;
  /** The id of the entity that the event is about, such as a submission. Events of one subject stay in order. */
  subject: string;
  formId?: string;
  occurredAt: Date;
  /** The JSON text, which subscribers receive byte for byte. */
  body: string;
  /** The `traceparent` of the request that caused the event, if any. Work on the event belongs to the same trace. */
  trace?: string | undefined;
  /** The id of that request, if a request caused the event. */
  requestId?: string | undefined;
}

/** The cause of an event: a call. */
export type Cause = Pick<DomainEvent, 'trace' | 'requestId'>;

/** The fields of an event that say what caused it. */
export const causedBy = ({ trace, requestId }: Cause): Cause => ({ trace, requestId });

// Attributes follow the NATS binding of CloudEvents (binary mode: one header each, the body untouched), so that other tools can read them:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/nats-protocol-binding.md
const attribute = {
  id: 'ce-id',
  type: 'ce-type',
  time: 'ce-time',
  subject: 'ce-subject',
  instanceId: 'ce-instanceid',
  formId: 'ce-formid',
  requestId: 'ce-requestid',
} as const;
/** The name that other tools expect on any message. */
const traceHeader = 'traceparent';
/**
 * Events published together share a message whose body is a JSON array. CloudEvents has no batches over NATS, and its HTTP batches embed
 * bodies as JSON, which would not preserve them byte for byte.
 */
const batchContentType = 'application/vnd.sheaf.events+json';

/** The stream stores all subjects under this one. */
export const eventRoot = 'sheaf.events';

/** The part of a NATS subject that names a channel: of the events that every service sends, the share of the sender. */
export const channelOf = (sender: EventSource | '*', channel: Channel): string => (channel === 'every' ? `every.${sender}` : channel);

/**
 * The NATS subject of an event, e.g. `sheaf.events.submissions.submission.created` or `sheaf.events.every.forms.audit.recorded`. With `*`, that of an event of
 * any sender.
 */
export const natsSubjectOf = (type: DomainEventType, sender: EventSource | '*'): string =>
  `${eventRoot}.${channelOf(sender, channelOfType(type))}.${type}`;

/** The subject on which consumers confirm events to a source. It is outside the event root, as the stream need not store confirmations. */
export const confirmationSubject = (source: string): string => `sheaf.confirm.${source}`;

/** The subject on which listeners ask a source whether they have received all its signals. */
export const signalSubject = (source: string): string => `sheaf.signals.${source}`;

/** The inbox prefix for answers to a process. Each service has its own, subdivided by answering source, so that NATS can restrict access. */
export const inboxOf = (process: string, answeredBy?: EventSource): string =>
  `_INBOX_${process}${answeredBy === undefined ? '' : `.${answeredBy}`}`;

/** The unique name of a service's JetStream consumer for one channel of a sender. */
export const consumerName = (service: string, sender: EventSource, channel: Channel): string =>
  channel === 'every' ? `${service}-every-${sender}` : `${service}-${channel}`;

/** Makes the NATS message for one event, or for several events of the same NATS subject. */
export function messageOf(events: readonly DomainEvent[], sender: EventSource): { subject: string; body: string; headers: MsgHdrs } {
  const [event, ...others] = events;
  if (event === undefined) throw new Error('a message needs at least one event');
  const h = headers();
  h.set('ce-source', `/sheaf/${sender}`);
  const subject = natsSubjectOf(event.type, sender);
  addNotices(h, events);
  if (others.length > 0) {
    h.set('content-type', batchContentType);
    return { subject, body: JSON.stringify(events), headers: h };
  }
  h.set('ce-specversion', '1.0');
  h.set('content-type', 'application/json');
  h.set(attribute.id, event.id);
  h.set(attribute.type, event.type);
  h.set(attribute.time, event.occurredAt.toISOString());
  h.set(attribute.subject, event.subject);
  h.set(attribute.instanceId, event.instanceId);
  if (event.formId !== undefined) h.set(attribute.formId, event.formId);
  if (event.trace !== undefined) h.set(traceHeader, event.trace);
  if (event.requestId !== undefined) h.set(attribute.requestId, event.requestId);
  return { subject, body: event.body, headers: h };
}

interface Message {
  headers?: MsgHdrs | undefined;
  string(): string;
}

/** Reads the events of a message in order; undefined for anything that is not one of our events. */
export function eventsIn(message: Message): (DomainEvent | undefined)[] {
  return message.headers?.get('content-type') === batchContentType ? eventsInBatch(message.string()) : [eventIn(message)];
}

const BatchBody = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    instanceId: z.string(),
    subject: z.string(),
    formId: z.string().optional(),
    occurredAt: z.string().transform((text) => new Date(text)),
    body: z.string(),
    trace: z.string().optional(),
    requestId: z.string().optional(),
  }),
);

function eventsInBatch(text: string): (DomainEvent | undefined)[] {
  const { data: events } = BatchBody.safeParse(jsonIn(text));
  return events === undefined ? [undefined] : events.map((event) => validEvent(event as DomainEvent));
}

/** Parses a JSON text; undefined if it is not valid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body of an event in its shape; undefined if it has another, as one of another version may. */
export const bodyOf = <T extends z.ZodType>(shape: T, { body }: Pick<DomainEvent, 'body'>): z.output<T> | undefined =>
  shape.safeParse(jsonIn(body)).data;

function eventIn(message: Message): DomainEvent | undefined {
  const get = (name: string) => message.headers?.get(name) ?? '';
  const formId = get(attribute.formId);
  const trace = readTrace(get(traceHeader));
  const requestId = readRequestId(get(attribute.requestId));
  return validEvent({
    id: get(attribute.id),
    type: get(attribute.type) as DomainEventType,
    instanceId: get(attribute.instanceId),
    subject: get(attribute.subject),
    ...(formId === '' ? {} : { formId }),
    occurredAt: new Date(get(attribute.time)),
    body: message.string(),
    ...(trace === undefined ? {} : { trace }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** Whether this version knows the type of the event; newer versions may send others. */
export const isKnown = ({ type }: Pick<DomainEvent, 'type'>): boolean => Object.hasOwn(domainEvents, type);

const validEvent = (event: DomainEvent): DomainEvent | undefined =>
  isKnown(event) && event.id !== '' && !Number.isNaN(event.occurredAt.getTime()) ? event : undefined;
