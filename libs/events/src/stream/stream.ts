import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventRoot } from '../event';
import type { BrokerSettings } from './nats-servers';

export const streamName = 'SHEAF_EVENTS';

const subject = `${eventRoot}.>`;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Creates the stream if it does not exist. In an existing one it changes only a subject list that would exclude our events, and the explicit
 * settings; everything else may be an operator's choice.
 */
export async function ensureStream(manager: JetStreamManager, settings: BrokerSettings): Promise<void> {
  const explicit = explicitConfig(settings);
  const found = await configOf(manager.streams.info(streamName), JetStreamApiCodes.StreamNotFound);
  if (!found) {
    // Limits rather than a work queue: the outboxes are the source of truth, so the stream may lose events. All options exist in
    // nats-server 2.9 (Debian 12).
    await manager.streams.add({
      name: streamName,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(dayMs),
      max_bytes: 1024 * 1024 * 1024,
      duplicate_window: nanos(120_000),
      ...explicit,
    });
    return;
  }
  const wanted = { ...explicit, ...(found.subjects.includes(subject) ? {} : { subjects: [...found.subjects, subject] }) };
  if (differs(found, wanted)) await manager.streams.update(streamName, wanted);
}

function explicitConfig({
  NATS_STREAM_REPLICAS: replicas,
  NATS_STREAM_MAX_AGE_MS: ageMs,
  NATS_STREAM_MAX_BYTES: bytes,
}: BrokerSettings): Partial<StreamConfig> {
  return {
    ...(replicas === undefined ? {} : { num_replicas: replicas }),
    ...(ageMs === undefined ? {} : { max_age: nanos(ageMs) }),
    ...(bytes === undefined ? {} : { max_bytes: bytes }),
  };
}

/** Creates a durable consumer, or updates an existing one to this version's settings. Since nats-server 2.10, `add` does not update. */
export async function ensureConsumer(
  manager: JetStreamManager,
  wanted: { name: string; filter: string; ackWaitMs: number; maxAckPending: number },
): Promise<void> {
  const changeable = { filter_subject: wanted.filter, ack_wait: nanos(wanted.ackWaitMs), max_ack_pending: wanted.maxAckPending };
  const found = await configOf(manager.consumers.info(streamName, wanted.name), JetStreamApiCodes.ConsumerNotFound);
  if (!found) {
    await manager.consumers.add(streamName, {
      durable_name: wanted.name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ...changeable,
    });
  } else if (differs<ConsumerConfig>(found, changeable)) {
    await manager.consumers.update(streamName, wanted.name, changeable);
  }
}

/** Undefined if it does not exist. */
async function configOf<T>(info: Promise<{ config: T }>, notFound: number): Promise<T | undefined> {
  try {
    return (await info).config;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === notFound) return undefined;
    throw error;
  }
}

const differs = <T extends object>(found: T, wanted: Partial<T>): boolean =>
  Object.entries(wanted).some(([name, value]) => JSON.stringify(found[name as keyof T]) !== JSON.stringify(value));
