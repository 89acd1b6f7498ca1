import { setTimeout as sleep } from 'node:timers/promises';
import { formerConsumers, type EventSource } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Broker } from '../stream/broker';
import { messageOf } from '../event';
import { due, graceMs, isAnyDue, messageIdOf, noteStored, postpone, releaseFormer, settlePublished } from './outbox';
import type { Receipts } from './receipts';
import { asPublished } from '../spans';
import { streamName } from '../stream/stream';

const batchSize = 500;
const publishTimeoutMs = 2_000;
// An arbitrary number, but all processes of a service must use the same one.
const relayLock = 7_346_105;

/**
 * Periodically publishes the events that are due in the outbox: those of a process that died before it published them, those that the broker
 * did not accept, and those that a consumer has not confirmed. Here the broker must acknowledge each event.
 */
export function startLeftovers(
  own: Process,
  parts: {
    db: Database;
    broker: Broker;
    source: EventSource;
    clock: Clock;
    receipts: Pick<Receipts, 'stored'>;
    settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number };
  },
): void {
  const { db, broker, source, clock, receipts, settings } = parts;
  const stopped = new AbortController();
  // At the start this process may replace one that died, and after an outage no event was published in time, so the first look ignores the
  // grace. If a live process publishes the same event, the broker drops the duplicate or the consumers recognize it.
  let overlooked = graceMs;
  broker.onReturn(() => (overlooked = graceMs));

  const published = { clock, republishMs: settings.OUTBOX_REPUBLISH_MS };

  /** @returns whether more events may be due; undefined if the outbox could not be read or its events not be sent. */
  const publishBatch = async () => {
    // Without the broker nothing can be sent, so there is no reason to lock rows now.
    if (!broker.connected) return undefined;
    // This must come first, or events that the broker has already stored would count as due.
    await noteStored(db, receipts.stored(), published);
    // Usually nothing is due, and a transaction would take four statements to find that out.
    if (!(await isAnyDue(db, clock, overlooked))) return false;
    return publishDue();
  };

  const publishDue = () =>
    db.transaction(async (trx) => {
      // Only one relay at a time, or each would publish the same events.
      const { rows } = await trx.raw<{ rows: [{ mine: boolean }] }>('select pg_try_advisory_xact_lock(?) as mine', [relayLock]);
      if (!rows[0].mine) return undefined;
      await releaseFormer(trx, clock, overlooked, formerConsumers);
      const { ready, behindOthers } = await due(trx, clock, overlooked, batchSize);
      // Does not wait for the disk: a crash that loses these writes only sends the events again, and consumers tolerate that.
      await trx.raw('set local synchronous_commit = off');
      await postpone(trx, clock, behindOthers, settings.OUTBOX_REPUBLISH_MS);
      if (ready.length === 0) return behindOthers.length === batchSize;

      await broker.ensureStream();
      const results = await Promise.allSettled(
        ready.map((outgoing) => {
          const { subject, body, headers } = messageOf([asPublished(own.tracer, outgoing.event, source)], source);
          return broker.jetstream.publish(subject, body, {
            headers,
            msgID: messageIdOf(outgoing),
            expect: { streamName },
            timeout: publishTimeoutMs,
          });
        }),
      );
      const taken = ready.flatMap(({ event }, index) => (results[index]?.status === 'fulfilled' ? [event.id] : []));
      await settlePublished(trx, taken, published);
      const firstFailure = results.find((result) => result.status === 'rejected');
      if (firstFailure) {
        broker.forgetStream();
        own.log.warn(
          { err: firstFailure.reason as unknown, failed: ready.length - taken.length },
          'the broker did not accept all events, retrying',
        );
        return undefined;
      }
      return ready.length + behindOthers.length === batchSize;
    });

  const run = async () => {
    while (!stopped.signal.aborted) {
      const isMore = await publishBatch().catch((error: unknown) => {
        own.log.warn({ err: error }, 'outbox poll failed, retrying');
        return undefined;
      });
      if (isMore === true) continue;
      if (isMore === false) overlooked = 0;
      await sleep(settings.OUTBOX_POLL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  const done = run();
  own.onStop('relay', async () => {
    stopped.abort();
    await done;
  });
}
