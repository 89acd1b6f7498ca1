import { jetstream, jetstreamManager, JetStreamApiError, RetentionPolicy, DiscardPolicy, StorageType, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import type { EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import { z } from 'zod';
import { confirmationSubject, eventRoot, eventsIn, type DomainEvent } from './event';

/** The setting of a process that sends or hears events. */
export const brokerSettings = { NATS_URL: z.string().regex(/^(nats|tls):\/\//, 'must be a nats:// address') };

export const streamName = 'SHEAF_EVENTS';

// A submission of the largest size that intake accepts, with its envelope.
const neededPayloadBytes = 2 * 1024 * 1024;

/** The connection to NATS. It comes back by itself; what could not be sent meanwhile waits in the outbox. */
export class Broker {
  private streamReady: Promise<void> | undefined;
  private isUp = true;
  private readonly onGap: (() => void)[] = [];
  private readonly returns: (() => void)[] = [];

  private constructor(
    readonly connection: NatsConnection,
    readonly jetstream: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly own: Process,
  ) {}

  static async connect(own: Process, url: string): Promise<Broker> {
    const connection = await connect({
      ...serverAt(url),
      name: `sheaf-${own.name}`,
      // Processes start in any order, and a broker that is away comes back.
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
    const accepted = connection.info?.max_payload ?? 0;
    if (accepted < neededPayloadBytes) {
      await connection.close();
      throw new Error(`NATS accepts messages of up to ${accepted} bytes, Sheaf needs ${neededPayloadBytes}: set max_payload there.`);
    }
    const broker = new Broker(connection, jetstream(connection), await jetstreamManager(connection, { checkAPI: false }), own);
    const watching = broker.watch();
    own.health.require('nats', () => connection.flush());
    own.onStop('nats', async () => {
      if (!connection.isClosed()) await connection.drain();
      await watching;
    });
    return broker;
  }

  /** Whether events arrive at the moment. While they do not, nothing that depends on them may be remembered. */
  get connected(): boolean {
    return this.isUp && !this.connection.isClosed();
  }

  /**
   * Hears every event below a subject from now on, for whoever keeps a cache: `onEvent` for each, `onGap` whenever some may have
   * been missed. Nothing is kept for a listener that is away.
   */
  listen(subject: string, { onEvent, onGap }: { onEvent: (event: DomainEvent) => void; onGap: () => void }): void {
    this.connection.subscribe(subject, {
      callback: (error, message) => {
        for (const event of error ? [undefined] : eventsIn(message)) {
          if (event) onEvent(event);
          else onGap();
        }
      },
    });
    this.onGap.push(onGap);
  }

  /** Tells when the connection is back. */
  onReturn(told: () => void): void {
    this.returns.push(told);
  }

  /** Tells a source what a consumer has worked off. One that is lost is told again when the events come again. */
  confirm(source: EventSource, consumer: string, ids: readonly string[]): void {
    this.connection.publish(confirmationSubject(source), JSON.stringify({ consumer, ids }));
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.isUp = false;
      if (type === 'reconnect') {
        this.isUp = true;
        this.returns.forEach((told) => told());
      }
      if (type === 'disconnect' || type === 'reconnect' || type === 'slowConsumer') this.onGap.forEach((told) => told());
    }
  }

  /** Makes the stream, or brings it up to date; asked again only after it turned out to be missing. */
  ensureStream(): Promise<void> {
    this.streamReady ??= this.makeStream().catch((error: unknown) => {
      this.streamReady = undefined;
      throw error;
    });
    return this.streamReady;
  }

  /** To be called when the broker says that the stream is not there, as after it lost its disk. */
  forgetStream(): void {
    this.streamReady = undefined;
  }

  private async makeStream(): Promise<void> {
    // Limits, and no work queue: the truth is in the outboxes, the stream carries it and may forget. Nothing that nats-server 2.9
    // (Debian 12) does not know.
    const config = {
      subjects: [`${eventRoot}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(24 * 60 * 60 * 1_000),
      max_bytes: 1024 * 1024 * 1024,
      duplicate_window: nanos(120_000),
    };
    try {
      await this.manager.streams.add({ name: streamName, ...config });
    } catch (error) {
      // Another one made it at the same moment, or an older version of us with other limits.
      if (!(error instanceof JetStreamApiError)) throw error;
      await this.manager.streams.update(streamName, { subjects: config.subjects, max_age: config.max_age, max_bytes: config.max_bytes });
    }
    this.own.log.debug('the event stream is there');
  }

  get consumers(): JetStreamManager['consumers'] {
    return this.manager.consumers;
  }
}

/** The version of the server. Rejects if it does not answer soon. */
export async function brokerVersion(url: string): Promise<string | undefined> {
  const connection = await connect({ ...serverAt(url), name: 'sheaf-version', reconnect: false, timeout: 3_000 });
  const version = connection.info?.version;
  await connection.close();
  return version;
}

function serverAt(url: string): { servers: string; user?: string; pass?: string } {
  const { username, password, protocol, host } = new URL(url);
  return { servers: `${protocol}//${host}`, ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }) };
}
