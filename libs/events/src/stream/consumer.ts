import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { domainEvents, type EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import type { Broker } from './broker';
import { failuresOf, watchBacklog } from './consumer-metrics';
import { channelOf, consumerName, eventRoot, eventsIn, type DomainEvent } from '../event';
import { Recovery } from './recovery';
import { workedOff } from '../spans';
import { ensureConsumer, streamName } from './stream';

// The maximum number of messages per batch, since one message may be as large as a request body. A batch also ends with the message that brings
// it to this many events.
const batchSize = 100;
// The maximum number of messages in hand, including those being processed.
const mostInHand = 2 * batchSize;
// After this time without an ack, the broker assumes that the process has died, and redelivers its messages to another copy.
const ackWaitMs = 10_000;
const retryMs = 1_000;
const lookAgainMs = 100;
// How long a pull waits for messages. If the broker has lost the pull, the consumer notices after the same time.
const pullMs = 10_000;
const arrivalMs = 200;
// If a batch has this many events, the next one may gather for a moment or until it is full, because a batch itself costs as much as many events.
const crowd = 24;
const gatherMs = 30;

interface Taken {
  message: JsMsg;
  events: ReturnType<typeof eventsIn>;
}

function nextBatch(queue: readonly Taken[]): Taken[] {
  let events = 0;
  const end = queue.findIndex((taken) => (events += taken.events.length) >= batchSize);
  return queue.slice(0, end < 0 ? queue.length : end + 1);
}

export interface Consuming {
  broker: Broker;
  durable: string;
  source: EventSource;
  /** Consumes the events that every service sends, instead of the source's own. */
  of?: 'every';
  /** Makes the process not ready while it cannot receive or process events, because others wait for the results. */
  required?: boolean;
  /** Must commit before it resolves, and must tolerate repeated events. */
  handle: (events: readonly DomainEvent[]) => Promise<void>;
}

/**
 * Processes the events of a source in batches, each event at least once. Only then does the broker get an ack and the source a confirmation.
 * Events of one subject arrive in order, since a later one is published only after the earlier one is confirmed.
 *
 * All copies of a service share the events. A copy that cannot process them immediately returns all its messages, so that the others get them,
 * and then tries one message at a time (`Recovery`).
 */
export function consume(own: Process, parts: Consuming): void {
  const { broker, durable, source, of: wanted = source, handle } = parts;
  const name = consumerName(durable, source, wanted);
  const stopped = new AbortController();
  const failures = failuresOf(own);
  watchBacklog(own, broker, name);
  const recovery = new Recovery(mostInHand, (count) => failures.set({ consumer: name }, count));
  let queue: Taken[] = [];
  let waiting = 0;
  let pulling: ConsumerMessages | undefined;
  let working: Promise<void> | undefined;
  let enough: () => void = () => undefined;
  let roomier: () => void = () => undefined;
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopped.signal }).catch(() => undefined);

  if (parts.required === true) {
    own.health.require(`events of ${source}`, () =>
      broker.connected && !recovery.isSick ? Promise.resolve() : Promise.reject(new Error('events cannot be processed')),
    );
  }

  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const workOff = async () => {
    while (queue.length > 0 && !stopped.signal.aborted) {
      const batch = nextBatch(queue);
      const events = batch.flatMap((taken) => taken.events);
      const known = events.flatMap((event) => (event && domainEvents[event.type].source === wanted ? [event] : []));
      try {
        await workedOff(own.tracer, known, { source, consumer: name }, handle);
      } catch (error) {
        own.log.warn({ err: error, events: known.length }, 'processing events failed, retrying');
        giveBack(batch);
        return;
      }
      recovery.succeeded();
      queue.splice(0, batch.length);
      waiting -= events.length;
      for (const { message } of batch) message.ack();
      if (known.length < events.length)
        own.log.error({ source, left_out: events.length - known.length }, 'ignored messages that are not known events');
      broker.confirm(
        source,
        durable,
        known.map(({ id }) => id),
      );
      roomier();
      if (events.length >= crowd && waiting < batchSize) await gather();
    }
  };

  const giveBack = (failed: readonly Taken[]) => {
    const [alone] = failed.length === 1 ? failed : [];
    const verdict = recovery.failed(alone?.message.info.deliveryCount);
    // Messages in transit must arrive here first; otherwise nobody would get them before the ack wait is over.
    const stopping = pulling;
    setTimeout(() => stopping?.stop(), arrivalMs);
    for (const { message } of queue) {
      if (message !== alone?.message) message.nak();
      else if (verdict === 'leave out') message.term();
      else message.nak(verdict);
    }
    if (verdict === 'leave out') {
      own.log.error(
        { events: alone?.events.map((event) => event?.id) },
        'events keep failing while others succeed, skipped until the outbox sends them again',
      );
    }
    queue = [];
    waiting = 0;
    roomier();
  };

  const take = (message: JsMsg) => {
    const events = eventsIn(message);
    queue.push({ message, events });
    waiting += events.length;
    if (waiting >= batchSize) enough();
    working ??= workOff().finally(() => (working = undefined));
  };

  const room = async () => {
    // Normally the next batch arrives while one is processed; after a failure, each batch must succeed first.
    const mayWait = () => (recovery.atOnce === mostInHand ? mostInHand - batchSize : 0);
    while (queue.length > mayWait() && !stopped.signal.aborted) await new Promise<void>((resolve) => (roomier = resolve));
  };

  const isStopped = () => stopped.signal.aborted;
  const hasFailedSince = (before: number) => recovery.failures > before;

  const listen = async () => {
    await broker.ensureStream();
    const { NATS_MAX_ACK_PENDING: maxAckPending } = broker.settings;
    await ensureConsumer(broker.manager, { name, filter: `${eventRoot}.${channelOf(source, wanted)}.>`, ackWaitMs, maxAckPending });
    const consumer = await broker.jetstream.consumers.get(streamName, name);
    while (!isStopped()) {
      await room();
      await pause(recovery.takeRestMs());
      if (isStopped()) return;
      const before = recovery.failures;
      pulling = await consumer.fetch({ max_messages: Math.min(recovery.atOnce, mostInHand - queue.length), expires: pullMs });
      if (hasFailedSince(before) || isStopped()) pulling.stop();
      let received = 0;
      for await (const message of pulling) {
        received += 1;
        // Messages in transit when a batch fails go to other copies too.
        if (hasFailedSince(before) || isStopped()) message.nak();
        else take(message);
      }
      pulling = undefined;
      // Other copies have processed the failed messages, so there is no longer a reason to expect failure.
      if (received === 0 && !hasFailedSince(before)) recovery.succeeded();
    }
  };

  const run = async () => {
    while (!isStopped()) {
      // A request without a connection would be lost, and this loop would wait for it.
      if (!broker.connected) {
        await pause(lookAgainMs);
        continue;
      }
      try {
        await listen();
      } catch (error) {
        // The broker is away or has lost its disk: recreate the stream and the consumer as soon as it is back.
        broker.forgetStream();
        own.log.warn({ err: error, source }, 'consuming events failed, retrying');
        await pause(retryMs);
      }
    }
  };

  const done = run();
  own.onStop(`consumer ${name}`, async () => {
    stopped.abort();
    pulling?.stop();
    roomier();
    await done;
    await working;
    // Returns the queued messages to other processes now, not only after the ack wait.
    for (const { message } of queue) message.nak();
  });
}
