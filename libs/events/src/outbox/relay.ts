import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { whole, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import type { Broker } from '../stream/broker';
import { confirmationSubject, type DomainEvent } from '../event';
import { confirm, oldestSeconds, oldestUnpublishedSeconds } from './outbox';
import { startPolling } from './poll';
import { Publisher } from './publisher';
import { Receipts } from './receipts';
import { collectRecorded, type RecordedEvents } from './record';
import { leaseMs } from '../stream/sight';
import { vouch } from '../stream/vouch';

/** The settings of a process that sends events. */
export const relaySettings = {
  /** How long consumers may take to confirm an event before it is sent again; then twice, then four times as long. */
  OUTBOX_REPUBLISH_MS: whole(1_000, 3_600_000).default(30_000),
  /** How often the relay polls the outbox for events left behind. */
  OUTBOX_POLL_MS: whole(50, 60_000).default(1_000),
};

export interface Outbox {
  /**
   * Runs a transaction and publishes its events right after the commit. If there are signals among them, it resolves only once the broker has
   * published them. So when a client learns that a form was trashed or a key revoked, every process connected to the broker knows it too, and
   * the others do a moment later (`Sight`). If publication is uncertain, it resolves after `leaseMs`, when no process relies on older data.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
}

export interface Relay extends Outbox {
  /** Publishes committed events that `storingEvents` stored. They are the first of their subjects, so no older event holds them back. */
  publish(events: readonly DomainEvent[]): void;
  /** Calls the listener after each commit of `transaction`, as it may have left something for a round of this process. */
  onCommit(listener: () => void): void;
}

const Confirmation = z.object({ consumer: z.string(), ids: z.array(z.string()) });

/**
 * Publishes the events of the service's outbox and deletes them once every consumer has confirmed them.
 *
 * The process that recorded an event publishes it right after the commit, or, if an older event of its subject is unconfirmed, at that
 * confirmation. Events left behind, because a process died or the broker was down, become due in the table, and a relay of the service finds
 * them. Rejected: NOTIFY, which would make commits queue up behind each other.
 */
export function startRelay(
  process: Process,
  parts: {
    db: Database;
    broker: Broker;
    source: EventSource;
    clock: Clock;
    settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number };
  },
): Relay {
  const { db, clock, broker } = parts;
  const receipts = new Receipts(broker, clock);
  const publisher = new Publisher(process, { ...parts, receipts });
  // The parts stop in reverse order.
  process.onStop('publisher', () => publisher.stop());
  storeConfirmations(process, { ...parts, publisher });
  const { forbidden } = startPolling(process, { ...parts, receipts });
  measureOldest(process, db, forbidden);
  vouch(process, { ...parts, publisher });
  const listeners: (() => void)[] = [];

  return {
    async transaction(work) {
      const { result, recorded } = await db.transaction(async (trx) => {
        const collected = collectRecorded(trx, clock);
        return { result: await work(trx), recorded: collected };
      });
      for (const listener of listeners) listener();
      await publishRecorded(publisher, recorded);
      return result;
    },
    publish: (events) => publisher.publish(events),
    onCommit: (listener) => void listeners.push(listener),
  };
}

async function publishRecorded(publisher: Publisher, { signals, ids }: RecordedEvents): Promise<void> {
  publisher.publishIfNext(ids);
  if (signals.length === 0) return;
  const leaseOver = sleep(leaseMs, undefined, { ref: false });
  await Promise.race([leaseOver, publisher.signal(signals).then((isPublished) => (isPublished ? undefined : leaseOver))]);
}

/** Stores the consumers' confirmations, and publishes the events that waited for them. */
function storeConfirmations(
  process: Process,
  { db, broker, source, publisher }: { db: Database; broker: Broker; source: EventSource; publisher: Publisher },
): void {
  const storing = new Set<Promise<void>>();
  let isStopping = false;
  broker.onceConnected((connection) => {
    connection.subscribe(confirmationSubject(source), {
      queue: source,
      callback: (error, message) => {
        // The consumer repeats a lost confirmation after the next publication.
        if (error || isStopping) return;
        const { consumer, ids } = Confirmation.parse(message.json());
        const stored = confirm(db, consumer, ids)
          .then(
            (next) => publisher.publishIfNext(next),
            (failure: unknown) => process.log.warn({ err: failure }, 'storing a confirmation failed'),
          )
          .finally(() => storing.delete(stored));
        storing.add(stored);
      },
    });
  });
  process.onStop('confirmations', async () => {
    isStopping = true;
    await Promise.all(storing);
  });
}

function measureOldest({ metrics }: Process, db: Database, forbidden: { oldestSeconds(): number }): void {
  new Gauge({
    name: 'sheaf_outbox_oldest_seconds',
    help: 'Age of the oldest event that not every consumer has confirmed.',
    registers: [metrics],
    async collect() {
      this.set(await oldestSeconds(db));
    },
  });
  new Gauge({
    name: 'sheaf_outbox_unpublished_seconds',
    help: 'Age of the oldest event that should have been published and never was.',
    registers: [metrics],
    async collect() {
      this.set(Math.max(await oldestUnpublishedSeconds(db), forbidden.oldestSeconds()));
    },
  });
}
