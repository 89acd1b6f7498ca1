import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { runPeriodically, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { streamName } from './stream';

const askAgainMs = 30_000;

/** The part of the connection to NATS that is needed. */
interface Connection {
  readonly connected: boolean;
  readonly manager: JetStreamManager;
  onReturn(listener: () => void): void;
}

/**
 * Watches how many servers of the cluster have the whole stream. With fewer than wanted, the next server that dies may stop all webhooks
 * until it is back; no event is lost, because the outboxes keep each one until it is confirmed.
 */
export class Replicas {
  /** Undefined while the broker is not connected or has no stream yet. */
  private current: number | undefined;
  private wasShort: boolean | undefined;

  constructor(
    private readonly process: Pick<Process, 'log' | 'metrics' | 'health'>,
    private readonly broker: Omit<Connection, 'onReturn'>,
    private readonly wanted: number,
  ) {
    const current = () => this.current;
    new Gauge({
      name: 'sheaf_nats_stream_replicas',
      help: 'Servers that are to have the whole stream of events (NATS_STREAM_REPLICAS), and those that have it. Only with that setting.',
      labelNames: ['state'],
      registers: [process.metrics],
      collect() {
        this.set({ state: 'wanted' }, wanted);
        const value = current();
        if (value === undefined) this.remove({ state: 'current' });
        else this.set({ state: 'current' }, value);
      },
    });
    process.health.warn(() => (this.isShort ? this.sentence : undefined));
  }

  /** Asks the broker. Logs the answer if it is a warning or ends one. */
  async ask(): Promise<void> {
    this.current = this.broker.connected ? await this.count() : undefined;
    if (this.current === undefined || this.isShort === this.wasShort) return;
    const { log } = this.process;
    if (this.isShort) log.warn(this.sentence);
    else if (this.wasShort === true) log.info('the stream of events has all its replicas again');
    this.wasShort = this.isShort;
  }

  private get isShort(): boolean {
    return this.current !== undefined && this.current < this.wanted;
  }

  private get sentence(): string {
    return `the stream of events has ${this.current ?? 0} of ${this.wanted} replicas`;
  }

  /** A broker that is connected and cannot tell has no leader for the stream, so nobody is known to have all of it. */
  private async count(): Promise<number | undefined> {
    try {
      const { cluster } = await this.broker.manager.streams.info(streamName);
      if (!cluster) return 1;
      const followers = (cluster.replicas ?? []).filter(({ current, offline }) => current && !offline);
      return followers.length + (cluster.leader ? 1 : 0);
    } catch (error) {
      return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound ? undefined : 0;
    }
  }
}

/** Watches until the process stops. */
export function watchReplicas(process: Process, broker: Connection, wanted: number): void {
  const replicas = new Replicas(process, broker, wanted);
  broker.onReturn(() => void replicas.ask());
  runPeriodically(process, { name: 'checking the replicas of the stream', everyMs: askAgainMs }, async () => {
    await replicas.ask();
    return 0;
  });
}
