import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { whole, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import type { Broker } from './broker';
import { confirmationSubject, type DomainEvent } from './event';
import { startLeftovers } from './leftovers';
import { carry, confirm, type Carried } from './outbox';
import { Publisher } from './publisher';
import { Receipts } from './receipts';

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
   * every process. A broker that is away delays that by a moment, no more; without it nothing is remembered anyway.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
}

export interface Relay extends Outbox {
  /** Sends events that were stored by `storingEvents` and are committed, the first ones of their subjects: nothing older can be in their way. */
  publish(events: readonly DomainEvent[]): void;
}

const signalPatienceMs = 500;

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

  broker.connection.subscribe(confirmationSubject(source), {
    queue: source,
    callback: (error, message) => {
      if (error) return;
      const { consumer, ids } = Confirmation.parse(message.json());
      confirm(db, consumer, ids).then(
        (next) => publisher.publishIfNext(next),
        // One that is lost here is told again after the next publication.
        (failure: unknown) => own.log.warn({ err: failure }, 'a confirmation could not be kept'),
      );
    },
  });

  new Gauge({
    name: 'sheaf_outbox_oldest_seconds',
    help: 'Age of the oldest event that not every consumer has confirmed.',
    registers: [own.metrics],
    async collect() {
      const result = await db.raw<{ rows: [{ age: number | null }] }>('select extract(epoch from now() - min(occurred_at))::float8 as age from outbox');
      this.set(result.rows[0].age ?? 0);
    },
  });

  own.onStop('publisher', () => publisher.stop());
  startLeftovers(own, { ...parts, receipts });

  const passOn = async ({ signals, ids }: Carried) => {
    publisher.publishIfNext(ids);
    if (signals.length > 0) await Promise.race([publisher.signal(signals), sleep(signalPatienceMs, undefined, { ref: false })]);
  };

  return {
    async transaction(work) {
      const { result, carried } = await db.transaction(async (trx) => {
        const recorded = carry(trx);
        return { result: await work(trx), carried: recorded };
      });
      await passOn(carried);
      return result;
    },
    publish: (events) => publisher.publish(events),
  };
}
