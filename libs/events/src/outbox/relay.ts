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
  /** How long consumers may take to confirm an event before it is sent again; after that twice and four times as long. */
  OUTBOX_REPUBLISH_MS: whole(1_000, 3_600_000).default(30_000),
  /** How often the outbox is looked at for what was left behind. */
  OUTBOX_POLL_MS: whole(50, 60_000).default(1_000),
};

export interface Outbox {
  /**
   * A transaction whose events, if it recorded any, are on their way as soon as it is committed. If signals are among them it
   * resolves only when the broker has passed them on: whoever is answered that a form was trashed or a key revoked finds it so in
   * every process that hears the broker, and in the others a moment later (`Sight`). If it is not certain that they were passed on, it
   * resolves after that moment, when no process relies any more on anything from before.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
}

export interface Relay extends Outbox {
  /** Sends events that were stored by `storingEvents` and are committed, the first ones of their subjects: nothing older can be in their way. */
  publish(events: readonly DomainEvent[]): void;
}

const Confirmation = z.object({ consumer: z.string(), ids: z.array(z.string()) });

/**
 * Carries events from the service's outbox to the broker and forgets them once every consumer has confirmed them.
 *
 * The process that recorded an event publishes it straight after the commit, unless an older one of its subject has still to be
 * confirmed: then it is published at that confirmation. What is left behind, because a process died or the broker was away, falls due
 * in the table, and a relay of the service finds it. NOTIFY would make commits queue up behind each other.
 */
export function startRelay(
  own: Process,
  parts: { db: Database; broker: Broker; source: EventSource; clock: Clock; settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number } },
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
        // One that is lost here is told again after the next publication.
        if (error || isStopping) return;
        const { consumer, ids } = Confirmation.parse(message.json());
        const kept = confirm(db, consumer, ids)
          .then((next) => publisher.publishIfNext(next), (failure: unknown) => own.log.warn({ err: failure }, 'a confirmation could not be kept'))
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
