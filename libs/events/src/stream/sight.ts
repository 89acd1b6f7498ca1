import type { EventSource } from '@sheaf/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { signalSubject } from '../event';

/**
 * How old anything may be that a cache gives out, counted from the moment at which its source committed something else. A second is
 * promised; the rest of it is for answering.
 */
export const leaseMs = 900;
const askEveryMs = 250;
// Whoever is asked for nothing asks for nothing.
const idleAfterMs = 30_000;

/** As much of the broker as asking and hearing take. */
interface Line {
  /** @param answeredBy the source that may publish there. */
  newInbox(answeredBy: EventSource): string;
  onceReached(use: (connection: NatsConnection) => void): void;
  onReturn(told: () => void): void;
  onGap(told: () => void): void;
  onStop(close: () => void): void;
}

/**
 * Whether a process can be sure to hear the signals of a source. Being connected does not say so: a connection may have fallen silent, here
 * or where the signal would have come from.
 *
 * So it asks, every 250 ms, all copies of the source, and each copy looks into their outbox, passes on what signals it finds there, and
 * then answers (`vouch`). Signals and answer come on one connection, in this order. Hence, when an answer arrives, every signal has
 * arrived that was committed before the question was sent, whichever copy committed it, and whether that copy is cut off or dead. For
 * `leaseMs` from then (from the question, not from the answer, so that no delay counts) caches may be used: nothing that they give out
 * is older than that. No clocks are compared.
 */
export class Sight {
  private clearUntil = -Infinity;
  private wantedAt = -Infinity;
  private asking: NodeJS.Timeout | undefined;
  private lastNumber = 0;
  /** When the questions were sent that an answer would count for. */
  private readonly sentAt = new Map<string, number>();
  private readonly inbox: string;
  private connection: NatsConnection | undefined;

  constructor(
    broker: Line,
    private readonly source: EventSource,
    readonly now: () => number = () => performance.now(),
  ) {
    this.inbox = broker.newInbox(source);
    broker.onceReached((connection) => {
      this.connection = connection;
      connection.subscribe(`${this.inbox}.*`, {
        callback: (error, { subject }) => {
          if (!error) this.answered(subject);
        },
      });
    });
    // Signals that came in between are lost, and an answer to an earlier question says nothing of them.
    broker.onGap(() => {
      this.clearUntil = -Infinity;
      this.sentAt.clear();
    });
    broker.onReturn(() => {
      if (this.asking) this.ask();
    });
    broker.onStop(() => clearInterval(this.asking));
  }

  /** Whether what was remembered, and has not been dropped by a signal, may be used at this moment. */
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
