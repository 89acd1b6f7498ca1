import type { EventSource } from '@sheaf/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { signalSubject } from '../event';

/**
 * The longest time for which a cache may return a value after its source has committed a change. The promise is one second; the remainder is
 * for answering the request.
 */
export const leaseMs = 900;
const askEveryMs = 250;
// After this time without use, the process stops asking.
const idleAfterMs = 30_000;

/** The parts of the broker that `Sight` uses. */
interface SightBroker {
  /** @param answeredBy the source that may publish to the inbox. */
  newInbox(answeredBy: EventSource): string;
  onceConnected(use: (connection: NatsConnection) => void): void;
  onReturn(listener: () => void): void;
  onGap(listener: () => void): void;
  onStop(close: () => void): void;
}

/**
 * Whether a process is certain to receive the signals of a source. A connection alone does not prove it: it may have fallen silent, on this
 * side or on the source's.
 *
 * So it asks all copies of the source every 250 ms. Each checks their shared outbox, publishes any signals in it, then answers (`vouch`).
 * Signals and answer arrive on one connection, in this order. So an answer proves that every signal committed before the question was sent
 * has arrived, whichever copy committed it, even one that is cut off or dead. Caches may be used for `leaseMs` from the question (not from
 * the answer, so that delays do not count), and a value that they return is outdated by at most that time. No clocks are compared.
 */
export class Sight {
  private clearUntil = -Infinity;
  private wantedAt = -Infinity;
  private asking: NodeJS.Timeout | undefined;
  private lastNumber = 0;
  /** When each question was sent, for those whose answers still count. */
  private readonly sentAt = new Map<string, number>();
  private readonly inbox: string;
  private connection: NatsConnection | undefined;

  constructor(
    broker: SightBroker,
    private readonly source: EventSource,
    readonly now: () => number = () => performance.now(),
  ) {
    this.inbox = broker.newInbox(source);
    broker.onceConnected((connection) => {
      this.connection = connection;
      connection.subscribe(`${this.inbox}.*`, {
        callback: (error, { subject }) => {
          if (!error) this.answered(subject);
        },
      });
    });
    // Signals during the gap are lost, and the answer to an earlier question proves nothing about them.
    broker.onGap(() => {
      this.clearUntil = -Infinity;
      this.sentAt.clear();
    });
    broker.onReturn(() => {
      if (this.asking) this.ask();
    });
    broker.onStop(() => clearInterval(this.asking));
  }

  /** Whether cached values that no signal has dropped may be used now. */
  isClear(now: number): boolean {
    this.wantedAt = now;
    if (!this.asking) {
      this.asking = setInterval(() => this.askAgain(), askEveryMs).unref();
      this.ask();
    }
    return now < this.clearUntil;
  }

  private askAgain(): void {
    if (this.now() - this.wantedAt <= idleAfterMs) return this.ask();
    clearInterval(this.asking);
    this.asking = undefined;
  }

  private ask(): void {
    if (!this.connection || this.connection.isClosed()) return;
    const now = this.now();
    for (const [subject, at] of this.sentAt) if (at + leaseMs <= now) this.sentAt.delete(subject);
    this.lastNumber += 1;
    const reply = `${this.inbox}.${this.lastNumber}`;
    this.sentAt.set(reply, now);
    this.connection.publish(signalSubject(this.source), undefined, { reply });
  }

  private answered(subject: string): void {
    const at = this.sentAt.get(subject);
    if (at !== undefined) this.clearUntil = Math.max(this.clearUntil, at + leaseMs);
  }
}
