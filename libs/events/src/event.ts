import { domainEvents, type DomainEventType, type EventSource } from '@sheaf/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { readTrace } from '@sheaf/kernel';
import { z } from 'zod';

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
/**
 * Events of one moment share a message: its body is a JSON array of them. CloudEvents has no batches over NATS, and in those that it
 * has for HTTP a body is JSON within JSON, which would not stay the same to the byte.
 */
const severalEvents = 'application/vnd.sheaf.events+json';

/** The stream takes everything below this. */
export const eventRoot = 'sheaf.events';

/** Where to listen to a sender: for what it alone sends, or for its part of what every service sends. */
export const channelOf = (sender: EventSource, source: EventSource | 'every'): string => (source === 'every' ? `every.${sender}` : source);

/** The NATS subject of an event, e.g. `sheaf.events.submissions.submission.created` or `sheaf.events.every.forms.audit.recorded`. */
export const natsSubjectOf = (type: DomainEventType, sender: EventSource): string => `${eventRoot}.${channelOf(sender, domainEvents[type].source)}.${type}`;

/** Where consumers tell a source what they have worked off. Not below the event root: nobody needs to keep it. */
export const confirmationSubject = (source: string): string => `sheaf.confirm.${source}`;

/** Where whoever listens to a source's signals asks whether it has heard all of them. */
export const signalSubject = (source: string): string => `sheaf.signals.${source}`;

/** Answers to a process come below it: each service has its own, and in it one for each source that answers, so that NATS can keep them apart. */
export const inboxOf = (process: string, answeredBy?: EventSource): string => `_INBOX_${process}${answeredBy === undefined ? '' : `.${answeredBy}`}`;

/** How JetStream names what a service consumes of a sender, whatever it listens to: by one name in the stream. */
export const consumerName = (service: string, sender: EventSource, source: EventSource | 'every'): string => (source === 'every' ? `${service}-every-${sender}` : `${service}-${sender}`);

/** The NATS message of one event, or of several that are for one NATS subject. */
export function messageOf(events: readonly DomainEvent[], sender: EventSource): { subject: string; body: string; headers: MsgHdrs } {
  const [event, ...others] = events;
  if (event === undefined) throw new Error('a message of no event');
  const h = headers();
  h.set('ce-source', `/sheaf/${sender}`);
  const subject = natsSubjectOf(event.type, sender);
  if (others.length > 0) {
    h.set('content-type', severalEvents);
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
  return { subject, body: event.body, headers: h };
}

interface Message {
  headers?: MsgHdrs | undefined;
  string(): string;
}

/** What a message carries, in order; undefined stands for what is none of our events. */
export function eventsIn(message: Message): (DomainEvent | undefined)[] {
  return message.headers?.get('content-type') === severalEvents ? enclosedIn(message.string()) : [eventIn(message)];
}

const Enclosed = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    instanceId: z.string(),
    subject: z.string(),
    formId: z.string().optional(),
    occurredAt: z.string().transform((text) => new Date(text)),
    body: z.string(),
    trace: z.string().optional(),
  }),
);

function enclosedIn(text: string): (DomainEvent | undefined)[] {
  const { data: events } = Enclosed.safeParse(jsonIn(text));
  return events === undefined ? [undefined] : events.map((event) => known(event as DomainEvent));
}

/** The value of a JSON text, undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function eventIn(message: Message): DomainEvent | undefined {
  const get = (name: string) => message.headers?.get(name) ?? '';
  const formId = get(attribute.formId);
  const trace = readTrace(get(traceHeader));
  return known({
    id: get(attribute.id),
    type: get(attribute.type) as DomainEventType,
    instanceId: get(attribute.instanceId),
    subject: get(attribute.subject),
    ...(formId === '' ? {} : { formId }),
    occurredAt: new Date(get(attribute.time)),
    body: message.string(),
    ...(trace === undefined ? {} : { trace }),
  });
}

/** Not one of a newer version. */
export const isKnown = ({ type }: Pick<DomainEvent, 'type'>): boolean => Object.hasOwn(domainEvents, type);

const known = (event: DomainEvent): DomainEvent | undefined =>
  isKnown(event) && event.id !== '' && !Number.isNaN(event.occurredAt.getTime()) ? event : undefined;
