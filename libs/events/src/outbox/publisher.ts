import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Broker } from '../stream/broker';
import { messageOf, type DomainEvent } from '../event';
import { claim, forget, messageIdOf, type Outgoing } from './outbox';
import type { Receipts } from './receipts';
import { asPublished } from '../spans';

// If an event is recorded at the very moment its predecessor is confirmed, neither side may notice it.
const askAgainMs = 50;

// If this many events are committed together, more usually follow at once. They gather for a moment, because a message costs the broker and
// consumers more than its content. Smaller groups are sent immediately.
const crowd = 4;
const gatherMs = 6;

/**
 * Publishes events right after their commit. It does not wait for the broker's acknowledgement, because only the consumers' confirmations
 * count: an event that does not arrive is soon due again. While the broker is away nothing is published, so that no events pile up in memory.
 */
export class Publisher {
  private readonly underWay = new Set<Promise<void>>();
  /** The ids to claim, and whether to try again once. */
  private readonly asked = new Map<string, boolean>();
  private asking = false;
  private gathered: Outgoing[] = [];
  private gathering: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly own: Pick<Process, 'log' | 'tracer'>,
    private readonly parts: { db: Database; broker: Broker; source: EventSource; clock: Clock; receipts: Pick<Receipts, 'replyTo'> },
  ) {}

  /** Publishes events that no older event holds back. */
  publish(events: readonly DomainEvent[]): void {
    for (const event of events) this.gathered.push({ event, publications: 0 });
    if (events.length < crowd || this.gathered.length >= mostTogether) this.sendGathered();
    else this.gathering ??= setTimeout(() => this.sendGathered(), gatherMs);
  }

  private sendGathered(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    const all = this.gathered;
    this.gathered = [];
    if (all.length > 0) this.inBackground(this.send(all));
  }

  /** Publishes the events whose subjects have no older unconfirmed event. The others follow at the confirmation. */
  publishIfNext(ids: readonly string[], onceMore = true): void {
    for (const id of ids) this.asked.set(id, onceMore);
    if (this.asking || this.asked.size === 0 || this.stopped) return;
    this.asking = true;
    this.inBackground(this.publishAsked().finally(() => (this.asking = false)));
  }

  /** @returns whether the broker has certainly published them. They are written synchronously, before the promise is returned. */
  async signal(signals: readonly DomainEvent[]): Promise<boolean> {
    const { broker, db } = this.parts;
    if (!broker.connected) return false;
    try {
      this.write(signals.map((event) => ({ event, publications: 0 })));
      await broker.connection.flush();
      this.inBackground(
        forget(
          db,
          signals.map(({ id }) => id),
        ),
      );
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.sendGathered();
    await Promise.all(this.underWay);
  }

  private async publishAsked(): Promise<void> {
    const { db, broker, clock } = this.parts;
    while (this.asked.size > 0 && broker.connected) {
      const asked = new Map(this.asked);
      this.asked.clear();
      const claimed = await claim(db, clock, [...asked.keys()]);
      await this.send(claimed);
      for (const { event } of claimed) asked.delete(event.id);
      const behindOthers = [...asked].flatMap(([id, onceMore]) => (onceMore ? [id] : []));
      if (behindOthers.length > 0) setTimeout(() => this.publishIfNext(behindOthers, false), askAgainMs).unref();
    }
    this.asked.clear();
  }

  private async send(all: readonly Outgoing[]): Promise<void> {
    const { broker, receipts } = this.parts;
    if (!broker.connected) return;
    await broker.ensureStream();
    this.write(all, receipts);
  }

  private write(all: readonly Outgoing[], receipts?: Pick<Receipts, 'replyTo'>): void {
    const { broker, source } = this.parts;
    for (const together of inMessages(all)) {
      const { subject, body, headers } = messageOf(
        together.map(({ event }) => asPublished(this.own.tracer, event, source)),
        source,
      );
      // A message of several events has no id: if a relay sends some of them again, the consumers recognize them instead of the broker.
      if (together.length === 1) headers.set('Nats-Msg-Id', messageIdOf(together[0]));
      const reply = receipts?.replyTo(together.map(({ event }) => event.id));
      broker.connection.publish(subject, body, reply === undefined ? { headers } : { headers, reply });
    }
  }

  private inBackground(work: Promise<unknown>): void {
    const done: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => this.failed(error),
      )
      .finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  private failed(error: unknown): void {
    this.own.log.warn({ err: error }, 'publishing failed, events stay in the outbox');
  }
}

// Keeps a message far below any broker's limit, whatever its content. A larger event gets its own message.
const mostTogether = 50;
const mostCharacters = 64 * 1024;

/** Groups events into messages, each for one NATS subject, and keeps their order. */
function inMessages(all: readonly Outgoing[]): [Outgoing, ...Outgoing[]][] {
  const messages: [Outgoing, ...Outgoing[]][] = [];
  let characters = 0;
  for (const one of all) {
    const last = messages.at(-1);
    characters += one.event.body.length;
    if (last && last.length < mostTogether && characters <= mostCharacters && last[0].event.type === one.event.type) {
      last.push(one);
    } else {
      messages.push([one]);
      characters = one.event.body.length;
    }
  }
  return messages;
}
