import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { domainEvents, type EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import { streamName, type Broker } from './broker';
import { channelOf, eventRoot, eventsIn, type DomainEvent } from './event';
import { workedOff } from './spans';

// At most this many messages are in hand, as one may be as large as a request body. So many events are worked off in one transaction, and what
// else the last message holds.
const batchSize = 100;
// After this a process that took events and died is given up, and another one gets them.
const ackWaitMs = 10_000;
const retryMs = 1_000;
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

/**
 * Works events of a source off, in batches and in order, each at least once: `handle` has committed when it resolves, and has to
 * bear an event that it has seen before. Only then the broker hears an ack and the source a confirmation. `of: 'every'` takes, instead
 * of the source's own events, those that every service sends.
 */
export function consume(
  own: Process,
  parts: { broker: Broker; durable: string; source: EventSource; of?: 'every'; handle: (events: readonly DomainEvent[]) => Promise<void> },
): void {
  const { broker, durable, source, of: wanted = source, handle } = parts;
  // JetStream knows a consumer by one name in the stream, whatever it listens to.
  const name = wanted === 'every' ? `${durable}-every-${source}` : `${durable}-${source}`;
  const stopped = new AbortController();
  const queue: Taken[] = [];
  let waiting = 0;
  let working: Promise<void> | undefined;
  let enough: () => void = () => undefined;
  const pause = () => sleep(retryMs, undefined, { signal: stopped.signal }).catch(() => undefined);

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
        own.log.warn({ err: error, events: known.length }, 'events could not be worked off yet');
        // The same batch again, and not later ones before it: that would break the order. Meanwhile the broker hears that they are in hand.
        for (const { message } of queue) message.working();
        await pause();
        continue;
      }
      queue.splice(0, batch.length);
      waiting -= events.length;
      for (const { message } of batch) message.ack();
      if (known.length < events.length) own.log.error({ source, left_out: events.length - known.length }, 'messages that are none of our events');
      broker.confirm(source, durable, known.map(({ id }) => id));
      if (events.length >= crowd && waiting < batchSize) await gather();
    }
  };

  const take = (message: JsMsg) => {
    const events = eventsIn(message);
    queue.push({ message, events });
    waiting += events.length;
    if (waiting >= batchSize) enough();
    working ??= workOff().finally(() => (working = undefined));
  };

  const listen = async () => {
    await broker.ensureStream();
    await broker.consumers.add(streamName, {
      durable_name: name,
      filter_subject: `${eventRoot}.${channelOf(source, wanted)}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      deliver_policy: DeliverPolicy.All,
      max_ack_pending: 2 * batchSize,
    });
    const consumer = await broker.jetstream.consumers.get(streamName, name);
    const messages = await consumer.consume({ max_messages: batchSize, abort_on_missing_resource: true, callback: take });
    const stop = () => messages.stop();
    stopped.signal.addEventListener('abort', stop, { once: true });
    const reason = await messages.closed();
    stopped.signal.removeEventListener('abort', stop);
    if (reason instanceof Error) throw reason;
  };

  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        await listen();
      } catch (error) {
        // The broker lost its disk, or is away: make anew what is missing as soon as it is back.
        broker.forgetStream();
        own.log.warn({ err: error, source }, 'listening for events was interrupted');
        await pause();
      }
    }
  };

  const done = run();
  own.onStop(`consumer ${name}`, async () => {
    stopped.abort();
    await done;
    await working;
    // For another process, now and not after the ack wait.
    for (const { message } of queue) message.nak();
  });
}
