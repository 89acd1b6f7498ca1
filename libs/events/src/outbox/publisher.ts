import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Counter } from 'prom-client';
import type { Broker } from '../stream/broker';
import { messageOf, type DomainEvent } from '../event';
import { claim, deleteSignals, messageIdOf, type Outgoing } from './outbox';
import { publishFailures } from './publish-failures';
import type { Receipts } from './receipts';
import { withPublishSpan } from '../spans';

// If an event is recorded at the very moment its predecessor is confirmed, both sides may miss that it can be published.
const claimAgainMs = 50;

// If this many events are committed together, more usually follow at once. They gather for a moment, because a message costs the broker and
// consumers more than its content. Smaller groups are sent immediately.
const gatherFrom = 4;
const gatherMs = 6;

/**
 * Publishes events right after their commit. It does not wait for the broker's acknowledgement, because only the consumers' confirmations
 * count: an event that does not arrive is soon due again. While the broker is down nothing is published, so that no events pile up in memory.
 */
export class Publisher {
  private readonly inProgress = new Set<Promise<void>>();
  /** The ids to claim, and whether to try again once. */
  private readonly toClaim = new Map<string, boolean>();
  private isClaiming = false;
  private gathered: Outgoing[] = [];
  private gathering: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly failures: Counter;

  constructor(
    private readonly process: Pick<Process, 'log' | 'tracer' | 'metrics'>,
    private readonly parts: { db: Database; broker: Broker; source: EventSource; clock: Clock; receipts: Pick<Receipts, 'replyTo'> },
  ) {
    this.failures = publishFailures(process);
  }

  /** Publishes events that no older event holds back. */
  publish(events: readonly DomainEvent[]): void {
    for (const event of events) this.gathered.push({ event, publications: 0 });
    if (events.length < gatherFrom || this.gathered.length >= maxEventsPerMessage) this.sendGathered();
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
    for (const id of ids) this.toClaim.set(id, onceMore);
    if (this.isClaiming || this.toClaim.size === 0 || this.stopped) return;
    this.isClaiming = true;
    this.inBackground(this.claimAndSend().finally(() => (this.isClaiming = false)));
  }

  /** @returns whether they have certainly been published. They are written synchronously, before the promise is returned. */
  async signal(signals: readonly DomainEvent[]): Promise<boolean> {
    const { broker, db } = this.parts;
    if (!broker.connected) return false;
    try {
      this.write(signals.map((event) => ({ event, publications: 0 })));
      await broker.connection.flush();
      this.inBackground(
        deleteSignals(
          db,
          signals.map(({ id }) => id),
        ),
      );
      return true;
    } catch (error) {
      this.logFailure(error);
      return false;
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.sendGathered();
    await Promise.all(this.inProgress);
  }

  private async claimAndSend(): Promise<void> {
    const { db, broker, clock } = this.parts;
    while (this.toClaim.size > 0 && broker.connected) {
      const unclaimed = new Map(this.toClaim);
      this.toClaim.clear();
      const claimed = await claim(db, clock, [...unclaimed.keys()]);
      await this.send(claimed);
      for (const { event } of claimed) unclaimed.delete(event.id);
      const behindOthers = [...unclaimed].flatMap(([id, onceMore]) => (onceMore ? [id] : []));
      if (behindOthers.length > 0) setTimeout(() => this.publishIfNext(behindOthers, false), claimAgainMs).unref();
    }
    this.toClaim.clear();
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
        together.map(({ event }) => withPublishSpan(this.process.tracer, event, source)),
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
        (error: unknown) => this.logFailure(error),
      )
      .finally(() => this.inProgress.delete(done));
    this.inProgress.add(done);
  }

  private logFailure(error: unknown): void {
    this.failures.inc();
    this.process.log.warn({ err: error }, 'publishing failed, events stay in the outbox');
  }
}

// Keeps a message far below any broker's limit, whatever its content. A larger event gets its own message.
const maxEventsPerMessage = 50;
const maxCharactersPerMessage = 64 * 1024;

/** Groups events into messages, each for one NATS subject, and keeps their order. */
function inMessages(all: readonly Outgoing[]): [Outgoing, ...Outgoing[]][] {
  const messages: [Outgoing, ...Outgoing[]][] = [];
  let characters = 0;
  for (const one of all) {
    const last = messages.at(-1);
    characters += one.event.body.length;
    if (last && last.length < maxEventsPerMessage && characters <= maxCharactersPerMessage && last[0].event.type === one.event.type) {
      last.push(one);
    } else {
      messages.push([one]);
      characters = one.event.body.length;
    }
  }
  return messages;
}
