import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { whole, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import type { Broker } from '../stream/broker';
import { confirmationSubject, type DomainEvent } from '../event';
import { startLeftovers } from './leftovers';
import { carry, confirm, oldestSeconds, type Carried } from './outbox';
import { Publisher } from './publisher';
import { Receipts } from './receipts';
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
}

const Confirmation = z.object({ consumer: z.string(), ids: z.array(z.string()) });

/**
 * Publishes the events of the service's outbox and deletes them once every consumer has confirmed them.
 *
 * The process that recorded an event publishes it right after the commit, or, if an older event of its subject is unconfirmed, at that
 * confirmation. Events left behind, because a process died or the broker was away, become due in the table, and a relay of the service finds
 * them. Rejected: NOTIFY, which would make commits queue up behind each other.
 */
export function startRelay(
  own: Process,
  parts: {
    db: Database;
    broker: Broker;
    source: EventSource;
    clock: Clock;
    settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number };
  },
): Relay {
  const { db, broker, source } = parts;
  const receipts = new Receipts(broker, parts.clock);
  const publisher = new Publisher(own, { ...parts, receipts });

  const confirming = new Set<Promise<void>>();
  let isStopping = false;
  broker.onceReached((connection) => {
    connection.subscribe(confirmationSubject(source), {
      queue: source,
      callback: (error, message) => {
        // The consumer repeats a lost confirmation after the next publication.
        if (error || isStopping) return;
        const { consumer, ids } = Confirmation.parse(message.json());
        const kept = confirm(db, consumer, ids)
          .then(
            (next) => publisher.publishIfNext(next),
            (failure: unknown) => own.log.warn({ err: failure }, 'a confirmation could not be stored'),
          )
          .finally(() => confirming.delete(kept));
        confirming.add(kept);
      },
    });
  });

  new Gauge({
    name: 'sheaf_outbox_oldest_seconds',
    help: 'Age of the oldest event that not every consumer has confirmed.',
    registers: [own.metrics],
    async collect() {
      this.set(await oldestSeconds(db));
    },
  });

  own.onStop('publisher', () => publisher.stop());
  own.onStop('confirmations', async () => {
    isStopping = true;
    await Promise.all(confirming);
  });
  startLeftovers(own, { ...parts, receipts });
  vouch(own, { db, broker, source, publisher });

  const passOn = async ({ signals, ids }: Carried) => {
    publisher.publishIfNext(ids);
    if (signals.length === 0) return;
    const leaseOver = sleep(leaseMs, undefined, { ref: false });
    await Promise.race([leaseOver, publisher.signal(signals).then((isPassedOn) => (isPassedOn ? undefined : leaseOver))]);
  };

  return {
    async transaction(work) {
      const { result, carried } = await db.transaction(async (trx) => {
        const recorded = carry(trx, parts.clock);
        return { result: await work(trx), carried: recorded };
      });
      await passOn(carried);
      return result;
    },
    publish: (events) => publisher.publish(events),
  };
}
