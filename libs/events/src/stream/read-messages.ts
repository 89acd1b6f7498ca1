import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventsIn, type DomainEvent } from '../event';
import { streamName } from './stream';

// A page of messages, so that one look holds no more of them in memory.
const pageSize = 200;
const pageMs = 2_000;
// The server removes the consumer of a process that died.
const abandonedMs = 60_000;

/** A message of the stream, with its events; undefined for what is not one of ours. */
export interface ReadMessage {
  seq: number;
  events: (DomainEvent | undefined)[];
}

/**
 * Reads every message of a subject since a moment that is in the stream now, in order. The consumer is for this look only, so two looks of one name at
 * once end each other.
 */
export async function readMessages(
  { manager, jetstream }: { manager: JetStreamManager; jetstream: JetStreamClient },
  { consumer: name, subject, since }: { consumer: string; subject: string; since: Date },
  onMessage: (message: ReadMessage) => Promise<void> | void,
): Promise<void> {
  await manager.consumers.delete(streamName, name).catch(unlessAbsent);
  await manager.consumers.add(streamName, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: since.toISOString(),
    filter_subject: subject,
    inactive_threshold: nanos(abandonedMs),
    mem_storage: true,
  });
  const consumer = await jetstream.consumers.get(streamName, name);
  let { num_pending: pending } = await consumer.info();
  while (pending > 0) {
    const page = await consumer.fetch({ max_messages: Math.min(pageSize, pending), expires: pageMs });
    let read = 0;
    for await (const message of page) {
      read += 1;
      pending = message.info.pending;
      await onMessage({ seq: message.seq, events: eventsIn(message) });
    }
    if (read === 0) throw new Error(`the broker did not send ${pending} messages to look at`);
  }
  await manager.consumers.delete(streamName, name).catch(unlessAbsent);
}

/** Messages leave the stream also by their age. */
export function unlessAbsent(error: unknown): false {
  const absent: readonly number[] = [JetStreamApiCodes.ConsumerNotFound, JetStreamApiCodes.NoMessageFound];
  if (error instanceof JetStreamApiError && absent.includes(error.code)) return false;
  throw error;
}
