import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { whole, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { streamName, type Broker } from './broker';
import { confirmationSubject, natsSubjectOf, toHeaders } from './event';
import { confirm, due, recordedIn, settlePublished } from './outbox';
import { asPublished } from './spans';

/** The settings of a process that sends events. */
export const relaySettings = {
  /** How long consumers may take to confirm an event before it is sent again. */
  OUTBOX_REPUBLISH_MS: whole(1_000, 3_600_000).default(30_000),
  /** How often the outbox is looked at without being told of anything new. */
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

const batchSize = 500;
const publishTimeoutMs = 2_000;
const signalPatienceMs = 500;
// Any number will do, as long as it is always the same one in all processes of a service.
const relayLock = 7_346_105;

const Confirmation = z.object({ consumer: z.string(), ids: z.array(z.string()) });

/**
 * Carries events from the service's outbox to the broker and forgets them once every consumer has confirmed them. Woken in-process
 * after each commit: NOTIFY would make commits queue up behind each other. A poll catches what a dead process left behind.
 */
export function startRelay(
  own: Process,
  parts: { db: Database; broker: Broker; source: EventSource; clock: Clock; settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number } },
): Outbox {
  const { db, broker, source, clock, settings } = parts;
  const stopped = new AbortController();
  let pending = false;
  /** Those who wait for the end of a batch that began after they came. */
  let waiting: (() => void)[] = [];
  let wakeUp: (() => void) | undefined;

  const pause = () => sleep(settings.OUTBOX_POLL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
  const wake = () => {
    pending = true;
    wakeUp?.();
  };

  const passedOn = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(resolve, signalPatienceMs);
      waiting.push(done);
      wake();
    });

  const publishBatch = () =>
    db.transaction(async (trx) => {
      // One relay at a time keeps the order; the others wait here for the few milliseconds of a batch, then take what is left.
      await trx.raw('select pg_advisory_xact_lock(?)', [relayLock]);
      const batch = await due(trx, clock.now(), batchSize);
      if (batch.length === 0) return { taken: 0, failed: 0 };

      await broker.ensureStream();
      const results = await Promise.allSettled(
        batch.map(({ event, publications }) =>
          broker.jetstream.publish(natsSubjectOf(event.type, source), event.body, {
            headers: toHeaders(asPublished(own.tracer, event, source), source),
            // A row is only sent again when the broker may have lost it. Under the same id its dedupe window would swallow it.
            msgID: `${event.id}.${publications}`,
            expect: { streamName },
            timeout: publishTimeoutMs,
          }),
        ),
      );
      const published = batch.flatMap(({ event }, index) => (results[index]?.status === 'fulfilled' ? [event.id] : []));
      const firstFailure = results.find((result) => result.status === 'rejected');
      if (firstFailure) {
        broker.forgetStream();
        own.log.warn({ err: firstFailure.reason as unknown, failed: batch.length - published.length }, 'the broker did not take all events');
      }
      // Losing this in a crash sends them once more, which consumers are made for; no need to wait for the disk.
      await trx.raw('set local synchronous_commit = off');
      await settlePublished(trx, published, new Date(clock.now().getTime() + settings.OUTBOX_REPUBLISH_MS));
      return { taken: batch.length, failed: batch.length - published.length };
    });

  const run = async () => {
    while (!stopped.signal.aborted) {
      pending = false;
      const served = waiting;
      waiting = [];
      try {
        const { taken, failed } = await publishBatch().finally(() => served.forEach((done) => done()));
        if (taken === batchSize && failed === 0) continue;
        if (failed > 0) await pause();
      } catch (error) {
        own.log.warn({ err: error }, 'the outbox waits');
        await pause();
      }
      await nextWake();
    }
  };

  const nextWake = () =>
    new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(poll);
        wakeUp = undefined;
        resolve();
      };
      const poll = setTimeout(go, settings.OUTBOX_POLL_MS);
      wakeUp = go;
      if (pending || stopped.signal.aborted) go();
    });

  broker.connection.subscribe(confirmationSubject(source), {
    queue: source,
    callback: (error, message) => {
      if (error) return;
      const { consumer, ids } = Confirmation.parse(message.json());
      // One that is lost here is told again after the next publication.
      confirm(db, consumer, ids).catch((failure: unknown) => own.log.warn({ err: failure }, 'a confirmation could not be kept'));
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

  const done = run();
  own.onStop('relay', async () => {
    stopped.abort();
    wakeUp?.();
    await done;
  });

  return {
    async transaction(work) {
      const { result, wrote } = await db.transaction(async (trx) => ({ result: await work(trx), wrote: recordedIn(trx) }));
      if (wrote?.signals) await passedOn();
      else if (wrote) wake();
      return result;
    },
  };
}
