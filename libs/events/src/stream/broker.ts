import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager, JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import { eventSources, type EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { confirmationSubject, eventsIn, inboxOf, type DomainEvent } from '../event';
import { brokerSettings, serversAt, type BrokerSettings } from './nats-servers';
import { watchReplicas } from './replicas';
import { Sight } from './sight';
import { ensureStream } from './stream';

// The size of the largest submission that intake accepts, including its envelope.
const neededPayloadBytes = 2 * 1024 * 1024;
const dialMs = 2_000;
const dialAgainMs = 250;
const drainMs = 3_000;

interface NatsClients {
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
}

/**
 * The connection to NATS. A process does not wait for it: it serves without NATS, and unsent events stay in the outbox. The connection is
 * established and re-established automatically.
 */
export class Broker {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private clients: NatsClients | undefined;
  private streamReady: Promise<void> | undefined;
  private isUp = false;
  private readonly connectListeners: ((connection: NatsConnection) => void)[] = [];
  private readonly gapListeners: (() => void)[] = [];
  private readonly returnListeners: (() => void)[] = [];
  private readonly sights = new Map<EventSource, Sight>();

  private constructor(
    private readonly process: Process,
    readonly settings: BrokerSettings,
  ) {}

  /** Starts to connect and does not wait for the connection. */
  static start(process: Process, settings: BrokerSettings): Broker {
    const broker = new Broker(process, settings);
    new Gauge({
      name: 'sheaf_nats_connected',
      help: '1 while the process is connected to NATS, otherwise 0.',
      registers: [process.metrics],
      collect() {
        this.set(broker.connected ? 1 : 0);
      },
    });
    broker.running = broker.run();
    process.onStop('nats', () => broker.stop());
    // The others may not ask about the stream (permissions.ts).
    const isSource = eventSources.some((source) => source === process.name);
    if (isSource && settings.NATS_STREAM_REPLICAS !== undefined) watchReplicas(process, broker, settings.NATS_STREAM_REPLICAS);
    return broker;
  }

  /** Starts to connect and waits for the connection. */
  static async connect(process: Process, url: string): Promise<Broker> {
    const broker = Broker.start(process, z.object(brokerSettings).parse({ NATS_URL: url }));
    await new Promise<void>((resolve) => broker.onceConnected(() => resolve()));
    return broker;
  }

  /** Whether the server appears reachable; a connection that has fallen silent is detected only later. */
  get connected(): boolean {
    return this.isUp && this.clients?.connection.isClosed() === false;
  }

  get connection(): NatsConnection {
    return this.parts.connection;
  }

  get jetstream(): JetStreamClient {
    return this.parts.jetstream;
  }

  get manager(): JetStreamManager {
    return this.parts.manager;
  }

  /** Calls `use` once the connection exists. The connection object stays the same, and subscriptions survive interruptions. */
  onceConnected(use: (connection: NatsConnection) => void): void {
    if (this.clients) use(this.clients.connection);
    else this.connectListeners.push(use);
  }

  /**
   * Subscribes a cache to all events of a subject: `onEvent` is called for each event, `onGap` whenever some may have been missed. Nothing is
   * stored for a listener that is not connected.
   */
  listen(subject: string, { onEvent, onGap }: { onEvent: (event: DomainEvent) => void; onGap: () => void }): void {
    this.onceConnected((connection) => {
      connection.subscribe(subject, {
        callback: (error, message) => {
          for (const event of error ? [undefined] : eventsIn(message)) {
            if (event) onEvent(event);
            else onGap();
          }
        },
      });
    });
    this.onGap(onGap);
  }

  /** The sight of a source: whether its signals are certain to arrive. */
  sightOf(source: EventSource): Sight {
    let sight = this.sights.get(source);
    if (!sight) {
      sight = new Sight(this, source);
      this.sights.set(source, sight);
    }
    return sight;
  }

  /** Makes a reply subject for this process alone. With `answeredBy`, that source may publish on it. */
  newInbox(answeredBy?: EventSource): string {
    return createInbox(inboxOf(this.process.name, answeredBy));
  }

  /** Registers a listener that is called when events may have been missed. */
  onGap(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  onStop(close: () => void): void {
    this.process.onStop('signals', close);
  }

  /** Registers a listener that is called on the first connection and on each reconnection. */
  onReturn(listener: () => void): void {
    this.returnListeners.push(listener);
  }

  /** Confirms to a source that a consumer has processed events. If the confirmation is lost, it is repeated when the events come again. */
  confirm(source: EventSource, consumer: string, ids: readonly string[]): void {
    this.connection.publish(confirmationSubject(source), JSON.stringify({ consumer, ids }));
  }

  /** Creates or updates the stream, once until `forgetStream`. */
  ensureStream(): Promise<void> {
    this.streamReady ??= this.prepareStream().catch((error: unknown) => {
      this.streamReady = undefined;
      throw error;
    });
    return this.streamReady;
  }

  /** Must be called when the stream is missing at the broker, for example after it has lost its disk. */
  forgetStream(): void {
    this.streamReady = undefined;
  }

  private async prepareStream(): Promise<void> {
    // Another process may create the stream between our check and our attempt; the second check finds it.
    await ensureStream(this.manager, this.settings).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError)) throw error;
      return ensureStream(this.manager, this.settings);
    });
    this.process.log.debug('event stream is ready');
  }

  private get parts(): NatsClients {
    if (!this.clients) throw new Error('NATS is not connected yet.');
    return this.clients;
  }

  private async run(): Promise<void> {
    let lastReason = '';
    while (!this.stopped.signal.aborted) {
      try {
        const connection = await this.dial();
        return await this.watch(connection);
      } catch (error) {
        // Retries come several times a second, so each new reason is logged once.
        const reason = String(error);
        if (reason !== lastReason) this.process.log.warn({ err: error }, 'connecting to NATS failed, retrying');
        lastReason = reason;
      }
      await sleep(dialAgainMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }

  private async dial(): Promise<NatsConnection> {
    const connection = await connect({
      ...serversAt(this.settings),
      name: `sheaf-${this.process.name}`,
      inboxPrefix: inboxOf(this.process.name),
      timeout: dialMs,
      maxReconnectAttempts: -1,
      // A changed password reaches the server and this process at different times.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
    const accepted = connection.info?.max_payload ?? 0;
    if (accepted >= neededPayloadBytes) return connection;
    await connection.close();
    throw new Error(
      `NATS accepts messages of up to ${accepted} bytes, but Sheaf needs ${neededPayloadBytes}: raise max_payload of nats-server.`,
    );
  }

  private async watch(connection: NatsConnection): Promise<void> {
    const { log } = this.process;
    const changes = connection.status();
    this.clients = { connection, jetstream: jetstream(connection), manager: await jetstreamManager(connection, { checkAPI: false }) };
    this.isUp = true;
    for (const use of this.connectListeners.splice(0)) use(connection);
    if (this.stopped.signal.aborted) await connection.close();
    this.returnListeners.forEach((listener) => listener());
    for await (const change of changes) {
      if (change.type === 'disconnect') {
        this.isUp = false;
        log.warn('connection to NATS lost, reconnecting');
      }
      if (change.type === 'reconnect') {
        this.isUp = true;
        log.info('reconnected to NATS');
        this.returnListeners.forEach((listener) => listener());
      }
      // These include permission violations.
      if (change.type === 'error') log.warn({ err: change.error }, 'NATS reported an error');
      if (change.type === 'disconnect' || change.type === 'reconnect' || change.type === 'slowConsumer')
        this.gapListeners.forEach((listener) => listener());
    }
  }

  /** Flushes pending messages, if the server is reachable, and closes the connection. */
  private async stop(): Promise<void> {
    this.stopped.abort();
    const connection = this.clients?.connection;
    if (connection && !connection.isClosed()) {
      if (this.isUp) await Promise.race([connection.drain().catch(() => undefined), sleep(drainMs, undefined, { ref: false })]);
      await connection.close();
    }
    await this.running;
  }
}

/** Returns the server's version. Rejects if the server does not answer soon. */
export async function brokerVersion(settings: Pick<BrokerSettings, 'NATS_URL' | 'NATS_CA_FILE'>): Promise<string | undefined> {
  const connection = await connect({ ...serversAt(settings), name: 'sheaf-version', reconnect: false, timeout: 3_000 });
  const version = connection.info?.version;
  await connection.close();
  return version;
}
