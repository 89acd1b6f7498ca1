import type { Msg, Subscription } from '@nats-io/transport-node';
import { nanos } from '@nats-io/transport-node';
import type { Process } from '@sheaf/runtime';
import { noticesIn, type Notice } from '../notice';
import type { Broker } from './broker';
import { streamName } from './stream';

/** The subject on which consumers without a name are created. It cannot touch the named ones, by which services process events. */
export const tailSubjects = [`$JS.API.STREAM.INFO.${streamName}`, `$JS.API.CONSUMER.CREATE.${streamName}`];

/** A quiet broker sends a sign of life this often. */
const heartbeatMs = 2_000;
/** After this time without one, the consumer is assumed to be gone. */
const silentMs = 3 * heartbeatMs;
const watchMs = 500;
/** The broker deletes a consumer that nobody has listened to for this long. */
const unusedMs = 30_000;

export interface TailListener {
  /** The stream is another one than before, or the first: its positions have nothing in common with earlier ones. */
  onStream: (name: string) => void;
  /** Messages after the last one are gone. */
  onLost: () => void;
  /** @param notices undefined if the headers do not tell */
  onMessage: (position: number, notices: Notice[] | undefined) => void;
  /** All messages that were in the stream at the start have been read, up to this position. */
  onCaughtUp: (position: number) => void;
}

/**
 * Reads the headers of all messages in the stream, from a little in the past on, in order. Bodies, which may have answers, never reach this
 * process. A consumer that falls silent is replaced by one that continues after the last message.
 */
export class StreamTail {
  private name = '';
  private last = 0;
  private lastInConsumer = 0;
  private heardAt = 0;
  private isOpening = false;
  private lastReason = '';
  private subscription: Subscription | undefined;
  private watching: NodeJS.Timeout | undefined;

  constructor(
    private readonly process: Pick<Process, 'log'>,
    private readonly broker: Broker,
    private readonly listener: TailListener,
    private readonly history: number,
  ) {}

  start(): void {
    if (this.watching) return;
    this.watching = setInterval(() => this.watch(), watchMs);
    this.watch();
  }

  stop(): void {
    clearInterval(this.watching);
    this.subscription?.unsubscribe();
  }

  private watch(): void {
    if (this.isOpening || !this.broker.connected || performance.now() - this.heardAt < silentMs) return;
    this.isOpening = true;
    this.open()
      .then(
        () => (this.lastReason = ''),
        (error: unknown) => {
          // There is no stream before the first event, so each new reason is logged once.
          const reason = String(error);
          if (reason !== this.lastReason) this.process.log.warn({ err: error }, 'following the event stream failed, retrying');
          this.lastReason = reason;
        },
      )
      .finally(() => (this.isOpening = false));
  }

  private async open(): Promise<void> {
    this.subscription?.unsubscribe();
    const { created, state } = await this.broker.manager.streams.info(streamName);
    if (created !== this.name) {
      this.name = created;
      this.last = Math.max(state.first_seq - 1, state.last_seq - this.history, 0);
      this.listener.onStream(created);
    } else if (this.last + 1 < state.first_seq) {
      this.last = state.first_seq - 1;
      this.listener.onLost();
    }
    this.lastInConsumer = 0;
    const inbox = this.broker.newInbox();
    this.subscription = this.broker.connection.subscribe(inbox, {
      callback: (error, message) => {
        if (!error) this.receive(message);
      },
    });
    await this.createConsumer(inbox);
    this.heardAt = performance.now();
    if (this.last >= state.last_seq) this.listener.onCaughtUp(this.last);
  }

  private async createConsumer(inbox: string): Promise<void> {
    const config = {
      deliver_subject: inbox,
      deliver_policy: 'by_start_sequence',
      opt_start_seq: this.last + 1,
      ack_policy: 'none',
      replay_policy: 'instant',
      headers_only: true,
      mem_storage: true,
      num_replicas: 1,
      idle_heartbeat: nanos(heartbeatMs),
      inactive_threshold: nanos(unusedMs),
    };
    const reply = await this.broker.connection.request(
      `$JS.API.CONSUMER.CREATE.${streamName}`,
      JSON.stringify({ stream_name: streamName, config }),
      { timeout: 2_000 },
    );
    const { error } = reply.json<{ error?: { description: string } }>();
    if (error) throw new Error(error.description);
  }

  private receive(message: Msg): void {
    const { headers, reply = '' } = message;
    if (headers?.code === 100) {
      // It names the last message that was sent; one that has not arrived is lost.
      if (Number(headers.get('Nats-Last-Consumer')) > this.lastInConsumer) return this.openAgain();
      this.heardAt = performance.now();
      return;
    }
    // $JS.ACK.<stream>.<consumer>.<deliveries>.<position>.<position in the consumer>.<time>.<pending>, with two parts more in a domain.
    const parts = reply.split('.');
    const [position, inConsumer, , pending] = parts.slice(parts.length > 9 ? 7 : 5).map(Number);
    if (position === undefined || inConsumer === undefined) return;
    if (inConsumer !== this.lastInConsumer + 1) return this.openAgain();
    this.heardAt = performance.now();
    this.lastInConsumer = inConsumer;
    this.last = position;
    this.listener.onMessage(position, noticesIn(headers));
    if (pending === 0) this.listener.onCaughtUp(position);
  }

  private openAgain(): void {
    this.subscription?.unsubscribe();
    this.heardAt = 0;
  }
}
