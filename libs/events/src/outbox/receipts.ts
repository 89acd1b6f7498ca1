import type { Msg } from '@nats-io/transport-node';
import type { Clock } from '@sheaf/kernel';
import { z } from 'zod';
import type { Broker } from '../stream/broker';
import { jsonIn } from '../event';
import { streamName } from '../stream/stream';

// Consumers that keep up have confirmed an event by then, and nothing has to be noted of it.
const restMs = 2_000;

const Receipt = z.object({ stream: z.literal(streamName) });

/**
 * What the broker has stored of what it was sent while nobody waited for its answer. It need not be sent again as soon as what may never
 * have arrived: a consumer that is away or behind would find everything twice.
 */
export class Receipts {
  private readonly sent = new Map<string, { ids: readonly string[]; at: number; stored: boolean }>();
  private readonly inbox: string;
  private lastNumber = 0;

  constructor(
    broker: Pick<Broker, 'newInbox' | 'onceReached'>,
    private readonly clock: Clock,
  ) {
    this.inbox = broker.newInbox();
    broker.onceReached((connection) => {
      connection.subscribe(`${this.inbox}.*`, {
        callback: (error, message) => {
          if (!error) this.take(message);
        },
      });
    });
  }

  /** The subject that a message with these events asks for its receipt on. */
  replyTo(ids: readonly string[]): string {
    this.lastNumber += 1;
    const subject = `${this.inbox}.${this.lastNumber}`;
    this.sent.set(subject, { ids, at: this.clock.now().getTime(), stored: false });
    return subject;
  }

  /** Ids of events that were stored a while ago, each once: of most nothing is left to note. Of those without a receipt nobody knows. */
  stored(): string[] {
    const before = this.clock.now().getTime() - restMs;
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
    // Else the broker says why it did not take it.
    if (sent && Receipt.safeParse(jsonIn(message.string())).success) sent.stored = true;
  }
}
