import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { DomainEventType, EventSource } from '@sheaf/contracts';
import type { Broker } from './broker';
import { eventsIn, natsSubjectOf, type DomainEvent } from '../event';
import { streamName } from './stream';

// A page of messages, so that one look holds no more of them in memory.
const pageSize = 200;
const pageMs = 2_000;
// The server removes the consumer of a process that died.
const abandonedMs = 60_000;

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
  const { manager, jetstream } = broker;
  await broker.ensureStream();
  const name = erasingConsumer(service);
  await manager.consumers.delete(streamName, name).catch(unlessAbsent);
  await manager.consumers.add(streamName, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: since.toISOString(),
    filter_subject: natsSubjectOf(type, source),
    inactive_threshold: nanos(abandonedMs),
    mem_storage: true,
  });
  const consumer = await jetstream.consumers.get(streamName, name);
  let { num_pending: pending } = await consumer.info();
  let deleted = 0;
  while (pending > 0) {
    const page = await consumer.fetch({ max_messages: Math.min(pageSize, pending), expires: pageMs });
    let read = 0;
    for await (const message of page) {
      read += 1;
      pending = message.info.pending;
      if (!eventsIn(message).some((event) => event && isErased(event))) continue;
      await manager.streams.deleteMessage(streamName, message.seq, true).catch(unlessAbsent);
      deleted += 1;
    }
    if (read === 0) throw new Error(`the broker did not send ${pending} messages to look at`);
  }
  await manager.consumers.delete(streamName, name).catch(unlessAbsent);
  return deleted;
}

/** Messages leave the stream also by their age. */
function unlessAbsent(error: unknown): false {
  const absent: readonly number[] = [JetStreamApiCodes.ConsumerNotFound, JetStreamApiCodes.NoMessageFound];
  if (error instanceof JetStreamApiError && absent.includes(error.code)) return false;
  throw error;
}
