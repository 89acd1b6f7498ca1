import type { DomainEventType, EventSource } from '@sheaf/contracts';
import type { Broker } from './broker';
import { natsSubjectOf, type DomainEvent } from '../event';
import { readMessages, unlessAbsent } from './read-messages';
import { streamName } from './stream';

/** The name of the consumer with which a service looks for messages to erase. */
export const erasingConsumer = (service: EventSource): string => `${service}-erasing`;

/**
 * Deletes the messages since a moment that have an event to be erased, and overwrites them on the broker's disk. Other events in such a
 * message go with it; their outboxes send those again that nobody has confirmed. It reads every message of the type since that moment.
 * @returns how many messages were deleted
 */
export async function eraseFromStream(
  broker: Broker,
  {
    service,
    type,
    source,
    since,
    isErased,
  }: { service: EventSource; type: DomainEventType; source: EventSource; since: Date; isErased: (event: DomainEvent) => boolean },
): Promise<number> {
  await broker.ensureStream();
  let deleted = 0;
  const wanted = { consumer: erasingConsumer(service), subject: natsSubjectOf(type, source), since };
  await readMessages(broker, wanted, async ({ seq, events }) => {
    if (!events.some((event) => event && isErased(event))) return;
    await broker.manager.streams.deleteMessage(streamName, seq, true).catch(unlessAbsent);
    deleted += 1;
  });
  return deleted;
}
