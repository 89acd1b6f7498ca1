import type { Msg } from '@nats-io/transport-node';
import type { Clock } from '@sheaf/kernel';
import { z } from 'zod';
import type { Broker } from '../stream/broker';
import { jsonIn } from '../event';
import { streamName } from '../stream/stream';

// Consumers that keep up have confirmed an event by then, so nothing needs to be written for it.
const confirmationMs = 2_000;

const Receipt = z.object({ stream: z.literal(streamName) });

/**
 * Collects the broker's receipts for messages whose publisher does not wait for them. Events that the broker has stored are sent again much
 * later than events that may never have arrived; otherwise a consumer that is down or behind would receive everything twice.
 */
export class Receipts {
  private readonly sent = new Map<string, { ids: readonly string[]; at: number; stored: boolean }>();
  private readonly inbox: string;
  private lastNumber = 0;

  constructor(
    broker: Pick<Broker, 'newInbox' | 'onceConnected'>,
    private readonly clock: Clock,
  ) {
    this.inbox = broker.newInbox();
    broker.onceConnected((connection) => {
      connection.subscribe(`${this.inbox}.*`, {
        callback: (error, message) => {
          if (!error) this.take(message);
        },
      });
    });
  }

  /** The reply subject for the receipt of a message with these events. */
  replyTo(ids: readonly string[]): string {
    this.lastNumber += 1;
    const subject = `${this.inbox}.${this.lastNumber}`;
    this.sent.set(subject, { ids, at: this.clock.now().getTime(), stored: false });
    return subject;
  }

  /**
   * Returns, once each, the ids of events that the broker stored a while ago. Most have been confirmed by now. Events without a receipt are
   * omitted.
   */
  stored(): string[] {
    const before = this.clock.now().getTime() - confirmationMs;
    const found: string[] = [];
    for (const [subject, { ids, at, stored }] of this.sent) {
      if (at > before) break;
      this.sent.delete(subject);
      if (stored) found.push(...ids);
    }
    return found;
  }

  private take(message: Msg): void {
    const sent = this.sent.get(message.subject);
    // Any other answer gives the reason why the broker did not store the message.
    if (sent && Receipt.safeParse(jsonIn(message.string())).success) sent.stored = true;
  }
}
