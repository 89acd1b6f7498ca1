import { jetstream, jetstreamManager, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { offsetInstant, type DomainEventType, type EventSource } from '@sheaf/contracts';
import { z } from 'zod';
import { natsSubjectOf, type DomainEvent } from '../event';
import { brokerSettings, serversAt } from './nats-servers';
import { readMessages } from './read-messages';
import { streamName } from './stream';

/** The settings of a command that reads the stream. */
export const ReplaySettings = z.object(brokerSettings).pick({ NATS_URL: true, NATS_CA_FILE: true });
export type ReplaySettings = z.output<typeof ReplaySettings>;

/** The options of a command that does again what was done since a moment. `except`: the ids to leave out, separated by commas. */
export const ReplayOptions = z.object({
  since: offsetInstant().transform((text) => new Date(text)),
  apply: z.boolean().default(false),
  except: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((id) => id.trim())),
});
export type ReplayOptions = z.output<typeof ReplayOptions>;

const dialMs = 5_000;
/** The clocks of the broker and of the databases may differ by this. */
const skewMs = 60_000;

/**
 * For operators: reads the events of a type that any service has sent since a moment, from a stream that survived a loss of the databases, in order. It
 * changes nothing there. Events of the minute before come too.
 *
 * A user of NATS that belongs to a process may not read this, only the operator's own.
 * @returns the time of the oldest message of the stream: what was sent before it may be forgotten; undefined if there is no stream, or it is empty
 */
export async function readSince(
  settings: ReplaySettings,
  { reader, type, source, since }: { reader: EventSource; type: DomainEventType; source: EventSource | 'any'; since: Date },
  onEvent: (event: DomainEvent) => void,
): Promise<Date | undefined> {
  const connection = await connect({ ...serversAt(settings), name: `sheaf-${reader}-replay`, reconnect: false, timeout: dialMs });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const state = await manager.streams.info(streamName).then(
      (info) => info.state,
      (error: unknown) => {
        if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
        throw error;
      },
    );
    if (!state || state.messages === 0) return undefined;
    const subject = natsSubjectOf(type, source === 'any' ? '*' : source);
    const from = new Date(since.getTime() - skewMs);
    await readMessages(
      { manager, jetstream: jetstream(connection) },
      { consumer: `${reader}-replay`, subject, since: from },
      ({ events }) => {
        for (const event of events) if (event) onEvent(event);
      },
    );
    return new Date(state.first_ts);
  } finally {
    await connection.close();
  }
}
