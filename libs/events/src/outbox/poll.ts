import { setTimeout as sleep } from 'node:timers/promises';
import { formerConsumers, type EventSource } from '@sheaf/contracts';
import { PermissionViolationError } from '@nats-io/transport-node';
import type { Clock } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { Process } from '@sheaf/runtime';
import type { Broker } from '../stream/broker';
import { messageOf, type DomainEvent } from '../event';
import {
  dueEvents,
  graceMs,
  isAnyDue,
  markStored,
  messageIdOf,
  postpone,
  removeFormerConsumers,
  settlePublished,
  type Outgoing,
} from './outbox';
import { publishFailures } from './publish-failures';
import type { Receipts } from './receipts';
import { withPublishSpan } from '../spans';
import { streamName } from '../stream/stream';

const batchSize = 500;
const publishTimeoutMs = 2_000;
// An arbitrary number, but all processes of a service must use the same one.
const relayLock = 7_346_105;

interface Parts {
  db: Database;
  broker: Broker;
  source: EventSource;
  clock: Clock;
  receipts: Pick<Receipts, 'stored'>;
  settings: { OUTBOX_REPUBLISH_MS: number; OUTBOX_POLL_MS: number };
  forbidden: Forbidden;
}
type Self = Pick<Process, 'log' | 'tracer' | 'metrics' | 'onStop'>;

/**
 * Periodically publishes the events that are due in the outbox: those of a process that died before it published them, those that the broker
 * did not accept, and those that a consumer has not confirmed. Here the broker must acknowledge each event.
 */
export function startPolling(process: Self, given: Omit<Parts, 'forbidden'>): { forbidden: Forbidden } {
  const parts = { ...given, forbidden: new Forbidden(given.clock, retryForbiddenMs(given.settings)) };
  const stopped = new AbortController();
  // At the start this process may replace one that died, and after an outage no event was published in time, so the first poll ignores the
  // grace. If a live process publishes the same event, the broker drops the duplicate or the consumers recognize it.
  let withinMs = graceMs;
  parts.broker.onReturn(() => (withinMs = graceMs));

  const run = async () => {
    while (!stopped.signal.aborted) {
      const isMore = await publishBatch(process, parts, withinMs).catch((error: unknown) => {
        process.log.warn({ err: error }, 'outbox poll failed, retrying');
        return undefined;
      });
      if (isMore === true) continue;
      if (isMore === false) withinMs = 0;
      await sleep(parts.settings.OUTBOX_POLL_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  const done = run();
  process.onStop('relay', async () => {
    stopped.abort();
    await done;
  });
  return parts;
}

/** Longer than what a poll looks ahead, or it would be at them without a pause. */
const retryForbiddenMs = ({ OUTBOX_REPUBLISH_MS }: Parts['settings']): number => Math.max(OUTBOX_REPUBLISH_MS, 2 * graceMs);

/** The events that the broker forbids, which are not due between two tries. */
class Forbidden {
  private oldest: Date | undefined;
  private triedAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly retryMs: number,
  ) {}

  tried(events: readonly DomainEvent[]): void {
    const now = this.clock.now();
    if (events.length === 0 && now.getTime() - this.triedAt < this.retryMs) return;
    this.oldest = events.reduce<Date | undefined>(
      (oldest, { occurredAt }) => (oldest && oldest < occurredAt ? oldest : occurredAt),
      undefined,
    );
    this.triedAt = now.getTime();
  }

  /** The age of the oldest one; 0 if none was forbidden lately. */
  oldestSeconds(): number {
    const now = this.clock.now().getTime();
    return this.oldest === undefined || now - this.triedAt > 2 * this.retryMs ? 0 : (now - this.oldest.getTime()) / 1_000;
  }
}

/**
 * Publishes events that are due, or will be within `withinMs`.
 * @returns whether more may be due; undefined if the outbox could not be read or its events could not be sent.
 */
async function publishBatch(process: Self, parts: Parts, withinMs: number): Promise<boolean | undefined> {
  const { db, broker, clock, receipts, settings } = parts;
  // Without the broker nothing can be sent, so there is no reason to lock rows now.
  if (!broker.connected) return undefined;
  // This must come first, or events that the broker has already stored would count as due.
  await markStored(db, receipts.stored(), { clock, republishMs: settings.OUTBOX_REPUBLISH_MS });
  // Usually nothing is due, and a transaction would take four statements to find that out.
  if (!(await isAnyDue(db, clock, withinMs))) return false;
  return db.transaction((trx) => publishDue(process, parts, trx, withinMs));
}

async function publishDue(process: Self, parts: Parts, trx: Transaction, withinMs: number): Promise<boolean | undefined> {
  const { clock, settings } = parts;
  // Only one relay at a time, or each would publish the same events.
  const { rows } = await trx.raw<{ rows: [{ mine: boolean }] }>('select pg_try_advisory_xact_lock(?) as mine', [relayLock]);
  if (!rows[0].mine) return undefined;
  await removeFormerConsumers(trx, clock, withinMs, formerConsumers);
  const { ready, behindOthers } = await dueEvents(trx, clock, withinMs, batchSize);
  // Does not wait for the disk: a crash that loses these writes only sends the events again, and consumers tolerate that.
  await trx.raw('set local synchronous_commit = off');
  await postpone(trx, clock, behindOthers, settings.OUTBOX_REPUBLISH_MS);
  if (ready.length > 0) {
    const { accepted, forbidden } = await publish(process, parts, ready);
    await settlePublished(trx, accepted, { clock, republishMs: settings.OUTBOX_REPUBLISH_MS });
    // Otherwise a full batch of them, always the longest due, would hold back the events of all other kinds.
    await postpone(trx, clock, forbidden, retryForbiddenMs(settings));
    parts.forbidden.tried(ready.flatMap(({ event }) => (forbidden.includes(event.id) ? [event] : [])));
    if (accepted.length + forbidden.length < ready.length) return undefined;
  }
  return ready.length + behindOthers.length === batchSize;
}

/**
 * Publishes each event in its own message.
 * @returns the ids of the events that the broker accepted, and of those whose channel its permissions forbid to this service: it has a
 *   configuration of before that channel, and the events go out soon after it has the new one.
 */
async function publish(
  { log, tracer, metrics }: Self,
  { broker, source }: Parts,
  events: readonly Outgoing[],
): Promise<{ accepted: string[]; forbidden: string[] }> {
  await broker.ensureStream();
  const results = await Promise.allSettled(
    events.map((outgoing) => {
      const { subject, body, headers } = messageOf([withPublishSpan(tracer, outgoing.event, source)], source);
      return broker.jetstream.publish(subject, body, {
        headers,
        msgID: messageIdOf(outgoing),
        expect: { streamName },
        timeout: publishTimeoutMs,
      });
    }),
  );
  const idsWhere = (matches: (result: PromiseSettledResult<unknown> | undefined) => boolean) =>
    events.flatMap(({ event }, index) => (matches(results[index]) ? [event.id] : []));
  const accepted = idsWhere((result) => result?.status === 'fulfilled');
  const forbidden = idsWhere((result) => result?.status === 'rejected' && isForbidden(result.reason));
  const firstFailure = results.find((result) => result.status === 'rejected');
  if (firstFailure) {
    broker.forgetStream();
    publishFailures({ metrics }).inc();
    const failed = events.length - accepted.length;
    log.warn(
      { err: firstFailure.reason as unknown, failed, forbidden: forbidden.length },
      'the broker did not accept all events, retrying',
    );
  }
  return { accepted, forbidden };
}

const isForbidden = (reason: unknown): boolean => reason instanceof Error && reason.cause instanceof PermissionViolationError;
