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
// Any number will do, as long as it is always the same one in all processes of a service.
const relayLock = 7_346_105;

/**
 * Publishes, every so often, what fell due in the outbox: what a process recorded that died before it could publish it, what the broker
 * did not take, and what no consumer confirmed. Here the broker has to acknowledge each.
 */
export function startLeftovers(
  own: Process,
  parts: { db: Database; broker: Broker; source: EventSource; clock: Clock; receipts: Pick<Receipts, 'stored'>; settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number } },
): void {
  const { db, broker, source, clock, receipts, settings } = parts;
  const stopped = new AbortController();
  // At the start the grace of a process is over that was here before, and after an outage that of everything. Should it be another one's
  // that is well, the broker drops what it has already, or the consumers know it.
  let overlooked = graceMs;
  broker.onReturn(() => (overlooked = graceMs));

  const published = { clock, republishMs: settings.OUTBOX_REPUBLISH_MS };

  /** @returns whether there may be more; undefined if it could not be looked at, or sent. */
  const publishBatch = async () => {
    // Without the broker nothing can be sent, and what can be looked at afterwards need not be locked now.
    if (!broker.connected) return undefined;
    // First, or what the broker has would be found due.
    await noteStored(db, receipts.stored(), published);
    // By far the most often there is nothing, and a transaction would be four statements for that.
    if (!(await isAnyDue(db, clock, overlooked))) return false;
    return publishDue();
  };

  const publishDue = () =>
    db.transaction(async (trx) => {
      // One relay at a time, or each would publish the same.
      const { rows } = await trx.raw<{ rows: [{ mine: boolean }] }>('select pg_try_advisory_xact_lock(?) as mine', [relayLock]);
      if (!rows[0].mine) return undefined;
      await releaseFormer(trx, clock, overlooked, formerConsumers);
      const { ready, behindOthers } = await due(trx, clock, overlooked, batchSize);
      // Losing this in a crash sends them once more, which consumers are made for; no need to wait for the disk.
      await trx.raw('set local synchronous_commit = off');
      await postpone(trx, clock, behindOthers, settings.OUTBOX_REPUBLISH_MS);
      if (ready.length === 0) return behindOthers.length === batchSize;

      await broker.ensureStream();
      const results = await Promise.allSettled(
        ready.map((outgoing) => {
          const { subject, body, headers } = messageOf([asPublished(own.tracer, outgoing.event, source)], source);
          return broker.jetstream.publish(subject, body, { headers, msgID: messageIdOf(outgoing), expect: { streamName }, timeout: publishTimeoutMs });
        }),
      );
      const taken = ready.flatMap(({ event }, index) => (results[index]?.status === 'fulfilled' ? [event.id] : []));
      await settlePublished(trx, taken, published);
      const firstFailure = results.find((result) => result.status === 'rejected');
      if (firstFailure) {
        broker.forgetStream();
        own.log.warn({ err: firstFailure.reason as unknown, failed: ready.length - taken.length }, 'the broker did not take all events');
        return undefined;
      }
      return ready.length + behindOthers.length === batchSize;
    });

  const run = async () => {
    while (!stopped.signal.aborted) {
      const isMore = await publishBatch().catch((error: unknown) => {
        own.log.warn({ err: error }, 'the outbox waits');
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
