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

// At most this many messages are worked off at once, as one may be as large as a request body. So many events are worked off in one transaction,
// and the rest of the last message.
const batchSize = 100;
// A process has so many messages in hand at most, the ones that are being worked off included.
const mostInHand = 2 * batchSize;
// After this a process that took events and died is given up, and another one gets them.
const ackWaitMs = 10_000;
const retryMs = 1_000;
const lookAgainMs = 100;
// So long it waits for messages. Should the broker have forgotten that, it is found out after as long.
const pullMs = 10_000;
const arrivalMs = 200;
// Where so many came while the batch before was worked off, the next one may gather for a moment, or until it is full: a batch costs as much as
// many events.
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
  /** Those events that every service sends, instead of the source's own. */
  of?: 'every';
  /** The process is not ready while it cannot hear events or work them off: somebody waits for what it does with them. */
  required?: boolean;
  /** Has committed when it resolves, and has to bear an event that it has seen before. */
  handle: (events: readonly DomainEvent[]) => Promise<void>;
}

/**
 * Works events of a source off, in batches, each event at least once. Only then the broker hears an ack and the source a confirmation. Events
 * of one subject come in order, as a later one is published only when the earlier one is confirmed.
 *
 * All copies of a service share the events. A copy that cannot work them off gives back at once all that it holds, so that the others get
 * it, and then tries one message at a time (`Recovery`).
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
      broker.connected && !recovery.isSick ? Promise.resolve() : Promise.reject(new Error('events cannot be worked off')),
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
        own.log.warn({ err: error, events: known.length }, 'events could not be worked off');
        giveBack(batch);
        return;
      }
      recovery.succeeded();
      queue.splice(0, batch.length);
      waiting -= events.length;
      for (const { message } of batch) message.ack();
      if (known.length < events.length) own.log.error({ source, left_out: events.length - known.length }, 'messages that are none of our events');
      broker.confirm(source, durable, known.map(({ id }) => id));
      roomier();
      if (events.length >= crowd && waiting < batchSize) await gather();
    }
  };

  const giveBack = (failed: readonly Taken[]) => {
    const [alone] = failed.length === 1 ? failed : [];
    const verdict = recovery.failed(alone?.message.info.deliveryCount);
    // What is on its way has to arrive, or nobody would get it before the ack wait is over.
    const stopping = pulling;
    setTimeout(() => stopping?.stop(), arrivalMs);
    for (const { message } of queue) {
      if (message !== alone?.message) message.nak();
      else if (verdict === 'leave out') message.term();
      else message.nak(verdict);
    }
    if (verdict === 'leave out') own.log.error({ events: alone?.events.map((event) => event?.id) }, 'events fail although others succeed: they are tried again when the outbox brings them again');
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
    // One batch is worked off while the next one comes; after a failure each has to succeed first.
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
      let heard = 0;
      for await (const message of pulling) {
        heard += 1;
        // What is still on its way when a batch has failed goes to others as well.
        if (hasFailedSince(before) || isStopped()) message.nak();
        else take(message);
      }
      pulling = undefined;
      // Others have worked off what failed here, so nothing says any more that it would fail.
      if (heard === 0 && !hasFailedSince(before)) recovery.succeeded();
    }
  };

  const run = async () => {
    while (!isStopped()) {
      // A request that is made meanwhile would be lost, and waited for.
      if (!broker.connected) {
        await pause(lookAgainMs);
        continue;
      }
      try {
        await listen();
      } catch (error) {
        // The broker lost its disk, or is away: make anew what is missing as soon as it is back.
        broker.forgetStream();
        own.log.warn({ err: error, source }, 'listening for events was interrupted');
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
    // For another process, now and not after the ack wait.
    for (const { message } of queue) message.nak();
  });
}
