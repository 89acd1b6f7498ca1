import type { EventSource } from '@sheaf/contracts';
import type { Span, Tracer } from '@sheaf/runtime';
import { natsSubjectOf, type DomainEvent } from './event';

/** Adds a span for this publication; work on the event becomes its child. Each publication has its own span. */
export function withPublishSpan(tracer: Tracer | undefined, event: DomainEvent, source: EventSource): DomainEvent {
  const span = tracer && spanOf(tracer, 'publish', event, source);
  // The span ends at once: the wait in the outbox comes before it, and the transfer to the consumer after it.
  span?.end();
  return span ? { ...event, trace: span.trace } : event;
}

/** Processes events together, with a span for each event in its own trace. */
export async function processTraced(
  tracer: Tracer | undefined,
  events: readonly DomainEvent[],
  { source, consumer }: { source: EventSource; consumer: string },
  handle: (events: readonly DomainEvent[]) => Promise<void>,
): Promise<void> {
  if (!tracer) return handle(events);
  const started = events.map((event) => ({
    event,
    span: spanOf(tracer, 'process', event, source, {
      'messaging.consumer.group.name': consumer,
      'messaging.batch.message_count': events.length,
    }),
  }));
  const end = (attributes?: Record<string, string>) => started.forEach(({ span }) => span?.end(attributes));
  try {
    await handle(started.map(({ event, span }) => (span ? { ...event, trace: span.trace } : event)));
    end();
  } catch (error) {
    end({ 'error.type': error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

/** Undefined if the event has no trace: work on it does not begin one. */
function spanOf(
  tracer: Tracer,
  operation: 'publish' | 'process',
  event: DomainEvent,
  source: EventSource,
  attributes: Record<string, string | number> = {},
): Span | undefined {
  if (event.trace === undefined) return undefined;
  const destination = natsSubjectOf(event.type, source);
  return tracer.start(operation === 'publish' ? 'producer' : 'consumer', `${operation} ${destination}`, event.trace, {
    'messaging.system': 'nats',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation === 'publish' ? 'send' : 'process',
    'messaging.destination.name': destination,
    'messaging.message.id': event.id,
    ...attributes,
  });
}
