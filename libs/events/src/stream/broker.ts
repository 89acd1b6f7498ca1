import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager, JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { confirmationSubject, eventsIn, inboxOf, type DomainEvent } from '../event';
import { brokerSettings, serversAt, type BrokerSettings } from './nats-servers';
import { Sight } from './sight';
import { ensureStream } from './stream';

// A submission of the largest size that intake accepts, with its envelope.
const neededPayloadBytes = 2 * 1024 * 1024;
const dialMs = 2_000;
const dialAgainMs = 250;
const drainMs = 3_000;

interface Reached {
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
}

/**
 * The connection to NATS. A process does not wait for it: it serves without, and what it could not send meanwhile waits in the outbox. The
 * connection comes, and comes back, by itself.
 */
export class Broker {
  private readonly stopped = new AbortController();
  private life: Promise<void> = Promise.resolve();
  private reached: Reached | undefined;
  private streamReady: Promise<void> | undefined;
  private isUp = false;
  private readonly firsts: ((connection: NatsConnection) => void)[] = [];
  private readonly gaps: (() => void)[] = [];
  private readonly returns: (() => void)[] = [];
  private readonly sights = new Map<EventSource, Sight>();

  private constructor(
    private readonly own: Process,
    readonly settings: BrokerSettings,
  ) {}

  /** Begins to connect, and does not wait until it has. */
  static start(own: Process, settings: BrokerSettings): Broker {
    const broker = new Broker(own, settings);
    new Gauge({
      name: 'sheaf_nats_connected',
      help: '1 while the process is connected to NATS, else 0.',
      registers: [own.metrics],
      collect() {
        this.set(broker.connected ? 1 : 0);
      },
    });
    broker.life = broker.live();
    own.onStop('nats', () => broker.stop());
    return broker;
  }

  /** The same, and waits for the connection. */
  static async connect(own: Process, url: string): Promise<Broker> {
    const broker = Broker.start(own, z.object(brokerSettings).parse({ NATS_URL: url }));
    await new Promise<void>((resolve) => broker.onceReached(() => resolve()));
    return broker;
  }

  /** Whether the server can be reached, as far as is known: a connection that has fallen silent is found out later. */
  get connected(): boolean {
    return this.isUp && this.reached?.connection.isClosed() === false;
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

  /** Hands out the connection as soon as there is one. It stays the same: subscriptions outlive an interruption. */
  onceReached(use: (connection: NatsConnection) => void): void {
    if (this.reached) use(this.reached.connection);
    else this.firsts.push(use);
  }

  /**
   * Hears every event below a subject from now on, for whoever keeps a cache: `onEvent` for each, `onGap` whenever some may have
   * been missed. Nothing is kept for a listener that is away.
   */
  listen(subject: string, { onEvent, onGap }: { onEvent: (event: DomainEvent) => void; onGap: () => void }): void {
    this.onceReached((connection) => {
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

  /** Whether the signals of a source are certain to arrive. */
  sightOf(source: EventSource): Sight {
    let sight = this.sights.get(source);
    if (!sight) {
      sight = new Sight(this, source);
      this.sights.set(source, sight);
    }
    return sight;
  }

  /** A subject for answers to this process alone; with a source, one that this source may answer on. */
  newInbox(answeredBy?: EventSource): string {
    return createInbox(inboxOf(this.own.name, answeredBy));
  }

  /** Tells when something may have been missed. */
  onGap(told: () => void): void {
    this.gaps.push(told);
  }

  onStop(close: () => void): void {
    this.own.onStop('signals', close);
  }

  /** Tells when the connection is there, and when it is back. */
  onReturn(told: () => void): void {
    this.returns.push(told);
  }

  /** Tells a source what a consumer has worked off. One that is lost is told again when the events come again. */
  confirm(source: EventSource, consumer: string, ids: readonly string[]): void {
    this.connection.publish(confirmationSubject(source), JSON.stringify({ consumer, ids }));
  }

  /** Makes the stream, or brings it up to date; asked again only after it turned out to be missing. */
  ensureStream(): Promise<void> {
    this.streamReady ??= this.prepareStream().catch((error: unknown) => {
      this.streamReady = undefined;
      throw error;
    });
    return this.streamReady;
  }

  /** To be called when the broker says that the stream is not there, as after it lost its disk. */
  forgetStream(): void {
    this.streamReady = undefined;
  }

  private async prepareStream(): Promise<void> {
    // Another process may make it between our look and our attempt; the second look finds it.
    await ensureStream(this.manager, this.settings).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError)) throw error;
      return ensureStream(this.manager, this.settings);
    });
    this.own.log.debug('the event stream is there');
  }

  private get parts(): Reached {
    if (!this.reached) throw new Error('NATS has not been reached yet.');
    return this.reached;
  }

  private async live(): Promise<void> {
    let said = '';
    while (!this.stopped.signal.aborted) {
      try {
        const connection = await this.dial();
        return await this.watch(connection);
      } catch (error) {
        // It is tried several times a second, so each reason is told once.
        const reason = String(error);
        if (reason !== said) this.own.log.warn({ err: error }, 'NATS cannot be reached yet');
        said = reason;
      }
      await sleep(dialAgainMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }

  private async dial(): Promise<NatsConnection> {
    const connection = await connect({
      ...serversAt(this.settings),
      name: `sheaf-${this.own.name}`,
      inboxPrefix: inboxOf(this.own.name),
      timeout: dialMs,
      maxReconnectAttempts: -1,
      // A password that is changed arrives at the server and here at different times.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
    const accepted = connection.info?.max_payload ?? 0;
    if (accepted >= neededPayloadBytes) return connection;
    await connection.close();
    throw new Error(`NATS accepts messages of up to ${accepted} bytes, Sheaf needs ${neededPayloadBytes}: set max_payload there.`);
  }

  private async watch(connection: NatsConnection): Promise<void> {
    const { log } = this.own;
    const changes = connection.status();
    this.reached = { connection, jetstream: jetstream(connection), manager: await jetstreamManager(connection, { checkAPI: false }) };
    this.isUp = true;
    for (const use of this.firsts.splice(0)) use(connection);
    if (this.stopped.signal.aborted) await connection.close();
    this.returns.forEach((told) => told());
    for await (const change of changes) {
      if (change.type === 'disconnect') {
        this.isUp = false;
        log.warn('the connection to NATS is interrupted');
      }
      if (change.type === 'reconnect') {
        this.isUp = true;
        log.info('the connection to NATS is back');
        this.returns.forEach((told) => told());
      }
      // Also what the server does not let us do.
      if (change.type === 'error') log.warn({ err: change.error }, 'NATS reports an error');
      if (change.type === 'disconnect' || change.type === 'reconnect' || change.type === 'slowConsumer') this.gaps.forEach((told) => told());
    }
  }

  /** What is written reaches the server, if it can be reached at all. */
  private async stop(): Promise<void> {
    this.stopped.abort();
    const connection = this.reached?.connection;
    if (connection && !connection.isClosed()) {
      if (this.isUp) await Promise.race([connection.drain().catch(() => undefined), sleep(drainMs, undefined, { ref: false })]);
      await connection.close();
    }
    await this.life;
  }
}

/** The version of the server. Rejects if it does not answer soon. */
export async function brokerVersion(settings: Pick<BrokerSettings, 'NATS_URL' | 'NATS_CA_FILE'>): Promise<string | undefined> {
  const connection = await connect({ ...serversAt(settings), name: 'sheaf-version', reconnect: false, timeout: 3_000 });
  const version = connection.info?.version;
  await connection.close();
  return version;
}
