import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { channelOfType, type Channel, type EventSource } from '@sheaf/contracts';
import type { Process } from '@sheaf/runtime';
import type { Broker } from './broker';
import { failureGauge, watchBacklog } from './consumer-metrics';
import { channelOf, consumerName, eventRoot, eventsIn, type DomainEvent } from '../event';
import { Recovery } from './recovery';
import { processTraced } from '../spans';
import { ensureConsumer, streamName } from './stream';

// The maximum number of messages per batch, since one message may be as large as a request body. A batch also ends with the message that
// brings it to this many events.
const batchSize = 100;
// The maximum number of messages in hand, including those being processed.
const maxInHand = 2 * batchSize;
// After this time without an ack, the broker assumes that the process has died, and redelivers its messages to another copy.
const ackWaitMs = 10_000;
const retryMs = 1_000;
const reconnectPollMs = 100;
// How long a pull waits for messages.
const pullMs = 10_000;
// While a pull waits, the broker sends a sign of life this often. If the broker has lost the pull, as it may with its stream, the client notices
// at the third one that does not come, before the pull would have ended.
const heartbeatMs = 3_000;
const transitMs = 200;
// After a batch of this many events, the next one may gather for a moment or until it is full: a batch costs as much as many events.
const gatherFrom = 24;
const gatherMs = 30;

interface Queued {
  message: JsMsg;
  events: ReturnType<typeof eventsIn>;
}

export interface Consuming {
  broker: Broker;
  durable: string;
  source: EventSource;
  /** The channel, if not the source's own: that of the events that every service sends, or another one of the source. */
  of?: Exclude<Channel, EventSource>;
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
export function consume(process: Process, parts: Consuming): void {
  const consumer = new Consumer(process, parts);
  if (parts.required === true) {
    process.health.require(`events of ${parts.source}`, () =>
      consumer.isWorking ? Promise.resolve() : Promise.reject(new Error('events cannot be processed')),
    );
  }
  const done = consumer.run();
  process.onStop(`consumer ${consumer.name}`, () => consumer.stop(done));
}

/**
 * `run` reconnects, `listen` pulls messages into the queue, and `processQueue` works through the queue beside it. After a failure,
 * `returnQueue` hands everything back to the broker.
 */
class Consumer {
  readonly name: string;
  private readonly wanted: Channel;
  private readonly recovery: Recovery;
  private readonly stopped = new AbortController();
  private queue: Queued[] = [];
  private queuedEvents = 0;
  private pull: ConsumerMessages | undefined;
  private processing: Promise<void> | undefined;
  private endGathering: () => void = () => undefined;
  private announceRoom: () => void = () => undefined;

  constructor(
    private readonly process: Process,
    private readonly parts: Consuming,
  ) {
    this.wanted = parts.of ?? parts.source;
    this.name = consumerName(parts.durable, parts.source, this.wanted);
    const failures = failureGauge(process);
    watchBacklog(process, parts.broker, this.name);
    this.recovery = new Recovery(maxInHand, (count) => failures.set({ consumer: this.name }, count));
  }

  get isWorking(): boolean {
    return this.parts.broker.connected && !this.recovery.isSick;
  }

  async run(): Promise<void> {
    const { broker, source } = this.parts;
    while (!this.isStopped()) {
      // A request without a connection would be lost, and this loop would wait for it.
      if (!broker.connected) {
        await this.pause(reconnectPollMs);
        continue;
      }
      try {
        await this.listen();
      } catch (error) {
        // The broker is down or has lost its disk: recreate the stream and the consumer as soon as it is back.
        broker.forgetStream();
        this.process.log.warn({ err: error, source }, 'consuming events failed, retrying');
        await this.pause(retryMs);
      }
    }
  }

  async stop(done: Promise<void>): Promise<void> {
    this.stopped.abort();
    this.pull?.stop();
    this.announceRoom();
    await done;
    await this.processing;
    // Returns the queued messages now, so that other processes get them before the ack wait is over.
    for (const { message } of this.queue) message.nak();
  }

  private async listen(): Promise<void> {
    const { broker, source } = this.parts;
    await broker.ensureStream();
    const { NATS_MAX_ACK_PENDING: maxAckPending } = broker.settings;
    const filter = `${eventRoot}.${channelOf(source, this.wanted)}.>`;
    await ensureConsumer(broker.manager, { name: this.name, filter, ackWaitMs, maxAckPending });
    const consumer = await broker.jetstream.consumers.get(streamName, this.name);
    while (!this.isStopped()) {
      await this.room();
      await this.pause(this.recovery.takeRestMs());
      if (this.isStopped()) return;
      const before = this.recovery.failures;
      const pull = await consumer.fetch({
        max_messages: Math.min(this.recovery.maxMessages, maxInHand - this.queue.length),
        expires: pullMs,
        idle_heartbeat: heartbeatMs,
      });
      this.pull = pull;
      if (this.hasFailedSince(before) || this.isStopped()) pull.stop();
      let received = 0;
      for await (const message of pull) {
        received += 1;
        // Messages in transit when a batch fails go to other copies too.
        if (this.hasFailedSince(before) || this.isStopped()) message.nak();
        else this.enqueue(message);
      }
      this.pull = undefined;
      // Other copies have processed the failed messages, so there is no longer a reason to expect failure.
      if (received === 0 && !this.hasFailedSince(before)) this.recovery.succeeded();
    }
  }

  /** Resolves when there is room for more messages. Normally they arrive during a batch; after a failure, each batch must succeed first. */
  private async room(): Promise<void> {
    const maxQueued = () => (this.recovery.maxMessages === maxInHand ? maxInHand - batchSize : 0);
    while (this.queue.length > maxQueued() && !this.isStopped()) await new Promise<void>((resolve) => (this.announceRoom = resolve));
  }

  private enqueue(message: JsMsg): void {
    const events = eventsIn(message);
    this.queue.push({ message, events });
    this.queuedEvents += events.length;
    if (this.queuedEvents >= batchSize) this.endGathering();
    this.processing ??= this.processQueue().finally(() => (this.processing = undefined));
  }

  private async processQueue(): Promise<void> {
    while (this.queue.length > 0 && !this.isStopped()) {
      const batch = nextBatch(this.queue);
      const events = batch.flatMap((queued) => queued.events);
      if (!(await this.processBatch(batch, events))) return;
      this.announceRoom();
      if (events.length >= gatherFrom && this.queuedEvents < batchSize) await this.gather();
    }
  }

  /** @returns whether the batch succeeded; if not, the whole queue was returned. */
  private async processBatch(batch: readonly Queued[], events: Queued['events']): Promise<boolean> {
    const { broker, source, durable, handle } = this.parts;
    const { log, tracer } = this.process;
    const known = events.flatMap((event) => (event && channelOfType(event.type) === this.wanted ? [event] : []));
    try {
      await processTraced(tracer, known, { source, consumer: this.name }, handle);
    } catch (error) {
      log.warn({ err: error, events: known.length }, 'processing events failed, retrying');
      this.returnQueue(batch);
      return false;
    }
    this.recovery.succeeded();
    this.queue.splice(0, batch.length);
    this.queuedEvents -= events.length;
    for (const { message } of batch) message.ack();
    if (known.length < events.length)
      log.error({ source, ignored: events.length - known.length }, 'ignored messages that are not known events');
    broker.confirm(
      source,
      durable,
      known.map(({ id }) => id),
    );
    return true;
  }

  /** Returns all messages to the broker, for the other copies. A message that failed alone is delayed, or skipped if it keeps failing. */
  private returnQueue(failed: readonly Queued[]): void {
    const [alone] = failed.length === 1 ? failed : [];
    const verdict = this.recovery.failed(alone?.message.info.deliveryCount);
    // Messages in transit must arrive here first; otherwise no copy would get them before the ack wait is over.
    const stopping = this.pull;
    setTimeout(() => stopping?.stop(), transitMs);
    for (const { message } of this.queue) {
      if (message !== alone?.message) message.nak();
      else if (verdict === 'skip') message.term();
      else message.nak(verdict);
    }
    if (verdict === 'skip') {
      this.process.log.error(
        { events: alone?.events.map((event) => event?.id) },
        'events keep failing while others succeed, skipped until the outbox sends them again',
      );
    }
    this.queue = [];
    this.queuedEvents = 0;
    this.announceRoom();
  }

  /** Waits a moment, or until the queue holds a full batch. */
  private gather(): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private hasFailedSince(before: number): boolean {
    return this.recovery.failures > before;
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }
}

function nextBatch(queue: readonly Queued[]): Queued[] {
  let events = 0;
  const end = queue.findIndex((queued) => (events += queued.events.length) >= batchSize);
  return queue.slice(0, end < 0 ? queue.length : end + 1);
}
