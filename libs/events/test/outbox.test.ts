import { newId, systemClock } from '@sheaf/kernel';
import { eventually, type TestProcess } from '@sheaf/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { consume } from '../src/stream/consumer';
import { eventsIn, type DomainEvent } from '../src/event';
import { claim, graceMs, isAnyDue, oldestUnpublishedSeconds } from '../src/outbox/outbox';
import { collectRecorded, record } from '../src/outbox/record';
import { streamName } from '../src/stream/stream';
import { aProcess, aSource, clock, db, receiptsFor, useOutbox, republishMs } from './stage';

const instanceId = newId();

useOutbox();

/** Consumers share one name, as the copies of a service do; each test sees only its own submission. */
async function aConsumer(subject: string, handle: (events: readonly DomainEvent[]) => Promise<void>): Promise<TestProcess> {
  const { process, broker } = await aProcess('consumer');
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    handle: (events) => handle(events.filter((event) => event.subject === subject)),
  });
  return process;
}

const created = (subject: string, n = 1, at = new Date('2026-06-01T12:00:00Z')): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId,
  subject,
  formId: newId(),
  occurredAt: at,
  body: `{"n": ${n}, "text": "ü 🌱"}`,
});
const waiting = async () => (await db('outbox').select('id')).length;

it('delivers an event to its consumer byte for byte and deletes it once it is processed', async () => {
  const subject = newId();
  const heard: DomainEvent[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events)));
  const { relay } = await aSource();
  const event = created(subject);

  await relay.transaction((trx) => record(trx, event));

  await eventually(() => expect(heard).toEqual([event]));
  await eventually(async () => expect(await waiting()).toBe(0));
});

it('carries the trace and the id of each request with its events, even if they were recorded together', async () => {
  const subject = newId();
  const heard: DomainEvent[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events)));
  const { relay } = await aSource();
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const another = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

  await relay.transaction((trx) =>
    record(trx, { ...created(subject, 1), trace, requestId: 'r-1' }, created(subject, 2), { ...created(subject, 3), trace: another }),
  );

  await eventually(() => expect(heard.map(({ trace: collected }) => collected)).toEqual([trace, undefined, another]));
  expect(heard.map(({ requestId }) => requestId)).toEqual(['r-1', undefined, undefined]);
});

it('tells the age of the oldest event that was never published, and not of one that waits for its consumers', async () => {
  const since = new Date(Date.now() - 60_000);
  await db.transaction((trx) => record(trx, { ...created(newId(), 1), occurredAt: since }));
  expect(await oldestUnpublishedSeconds(db)).toBeGreaterThan(59);
  await db('outbox').update({ publications: 1 });
  expect(await oldestUnpublishedSeconds(db)).toBe(0);
});

/** The number of events in each message, in order of arrival. */
async function sizesOfMessages(events: readonly DomainEvent[]): Promise<number[]> {
  const ids = new Set(events.map(({ id }) => id));
  const sizes: number[] = [];
  const { broker } = await aProcess('witness');
  broker.connection.subscribe('sheaf.events.submissions.>', {
    callback: (_, message) => {
      const size = eventsIn(message).filter((event) => event && ids.has(event.id)).length;
      if (size > 0) sizes.push(size);
    },
  });
  await broker.connection.flush();
  return sizes;
}

it('sends events that were committed together in a few messages, in order, and a large event in its own message', async () => {
  const [first, large, ...others] = Array.from({ length: 122 }, (_, n) => created(newId(), n)) as [
    DomainEvent,
    DomainEvent,
    ...DomainEvent[],
  ];
  large.body = JSON.stringify('x'.repeat(70_000));
  const events = [first, large, ...others];
  const ids = new Set(events.map(({ id }) => id));
  const sizes = await sizesOfMessages(events);
  const heard: DomainEvent[] = [];
  const consumer = await aProcess('consumer');
  consume(consumer.process, {
    broker: consumer.broker,
    durable: 'delivery',
    source: 'submissions',
    handle: (all) => Promise.resolve(void heard.push(...all.filter(({ id }) => ids.has(id)))),
  });
  const { relay } = await aSource();

  await relay.transaction((trx) => record(trx, ...events));

  await eventually(() => expect(heard).toEqual(events));
  expect(sizes).toEqual([1, 1, 50, 50, 20]);
  await eventually(async () => expect(await waiting()).toBe(0));
});

it('lets events gather for a moment if many are committed together, and sends a single event at once', async () => {
  const events = Array.from({ length: 31 }, (_, n) => created(newId(), n));
  const [alone, ...crowd] = events as [DomainEvent, ...DomainEvent[]];
  const sizes = await sizesOfMessages(events);
  const { relay } = await aSource();

  relay.publish([alone]);
  for (const from of [0, 10, 20]) relay.publish(crowd.slice(from, from + 10));
  await eventually(() => expect(sizes).toEqual([1, 30]));
});

it('sends the gathered events when its process stops', async () => {
  const events = Array.from({ length: 10 }, (_, n) => created(newId(), n));
  const sizes = await sizesOfMessages(events);
  const { process, relay } = await aSource();

  relay.publish(events);
  await process.stop();
  await eventually(() => expect(sizes).toEqual([10]));
});

it('sends no events of a transaction that was rolled back', async () => {
  const subject = newId();
  const heard: DomainEvent[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events)));
  const { relay } = await aSource();

  await expect(
    relay.transaction(async (trx) => {
      await record(trx, created(subject));
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  const kept = created(subject, 2);
  await relay.transaction((trx) => record(trx, kept));

  await eventually(() => expect(heard).toEqual([kept]));
});

it('tells its process of each commit, and of no transaction that was rolled back', async () => {
  const { relay } = await aSource();
  const seen: number[] = [];
  relay.onCommit(() => seen.push(seen.length + 1));

  await expect(relay.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(seen).toEqual([]);
  await relay.transaction((trx) => record(trx, created(newId())));
  await relay.transaction(() => Promise.resolve());
  expect(seen).toEqual([1, 2]);
});

it('sends the events of a process that died before it could publish them', async () => {
  const subject = newId();
  const heard: DomainEvent[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events)));
  const event = created(subject);
  // Committed without a publisher.
  await db.transaction((trx) => record(trx, event));

  await aSource();

  await eventually(() => expect(heard).toEqual([event]));
});

it('keeps the order of the events of one subject across several processes of the source', async () => {
  const subject = newId();
  const heard: number[] = [];
  await aConsumer(subject, (events) =>
    Promise.resolve(void heard.push(...events.map(({ body }) => (JSON.parse(body) as { n: number }).n))),
  );
  const sources = [await aSource(), await aSource()];

  for (let n = 0; n < 60; n++) await sources[n % 2]?.relay.transaction((trx) => record(trx, created(subject, n)));

  await eventually(() => expect(heard).toEqual(Array.from({ length: 60 }, (_, n) => n)));
});

it('keeps the order when a batch fails at first', async () => {
  const subject = newId();
  const heard: number[] = [];
  let failures = 2;
  await aConsumer(subject, (events) => {
    if (events.length > 0 && failures-- > 0) return Promise.reject(new Error('the database is down'));
    heard.push(...events.map(({ body }) => (JSON.parse(body) as { n: number }).n));
    return Promise.resolve();
  });
  const { relay } = await aSource();

  for (let n = 0; n < 10; n++) await relay.transaction((trx) => record(trx, created(subject, n)));

  await eventually(() => expect(heard).toEqual(Array.from({ length: 10 }, (_, n) => n)));
});

it('sends an unconfirmed event again, even though the broker drops duplicates', async () => {
  const subject = newId();
  const { relay, broker } = await aSource();
  const seen: string[] = [];
  broker.listen('sheaf.events.submissions.>', { onEvent: (event) => seen.push(event.subject), onGap: () => undefined });
  const stored = await receiptsFor(broker);
  await relay.transaction((trx) => record(trx, created(subject, 1, clock.now())));
  await eventually(() => expect(seen).toContain(subject));
  await eventually(() => expect(stored).toHaveLength(1));
  clock.advance(graceMs);
  await eventually(async () => expect(await db('outbox').first('publications')).toEqual({ publications: 1 }));

  clock.advance(republishMs);

  await eventually(() => expect(seen.filter((id) => id === subject)).toHaveLength(2));
  const heard: DomainEvent[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events)));
  await eventually(() => expect(heard).toHaveLength(2));
  expect(heard[0]?.id).toBe(heard[1]?.id);
  await eventually(async () => expect(await waiting()).toBe(0));
});

it('does not soon resend events that the broker has stored while the consumer is down', async () => {
  const { relay, broker } = await aSource();
  const events = [1, 2, 3].map((n) => created(newId(), n, clock.now()));
  const ids = new Set(events.map(({ id }) => id));
  const seen: string[] = [];
  broker.listen('sheaf.events.submissions.>', { onEvent: ({ id }) => seen.push(...(ids.has(id) ? [id] : [])), onGap: () => undefined });
  const stored = await receiptsFor(broker);
  await relay.transaction((trx) => record(trx, ...events));
  await eventually(() => expect(seen).toHaveLength(3));
  await eventually(() => expect(stored).toHaveLength(1));

  clock.advance(graceMs);
  await eventually(async () => expect(await db('outbox').where('publications', 1).pluck('id')).toHaveLength(3));
  clock.advance(republishMs - 1);
  // The relay publishes this one, so it has checked the others as well.
  const lost = created(newId());
  await db.transaction((trx) => record(trx, lost));
  ids.add(lost.id);

  await eventually(() => expect(seen).toHaveLength(4));
  expect(seen).toEqual([...events.map(({ id }) => id), lost.id]);
});

it('sends an unconfirmed event again at growing intervals', async () => {
  const { relay, broker } = await aSource();
  const stored = await receiptsFor(broker);
  await relay.transaction((trx) => record(trx, created(newId(), 1, clock.now())));
  await eventually(() => expect(stored).toHaveLength(1));
  clock.advance(graceMs);

  const pauses: number[] = [];
  for (let publications = 1; publications <= 5; publications += 1) {
    await eventually(async () => expect(await db('outbox').first('publications')).toEqual({ publications }));
    const { publish_at: next } = await db('outbox').first<{ publish_at: Date }>('publish_at');
    pauses.push((next.getTime() - clock.now().getTime()) / republishMs);
    clock.set(next.toISOString());
  }

  expect(pauses).toEqual([1, 2, 4, 4, 4]);
});

it('recovers after the broker has lost everything it stored', async () => {
  const subject = newId();
  const heard: string[] = [];
  await aConsumer(subject, (events) => Promise.resolve(void heard.push(...events.map(({ id }) => id))));
  const { relay, broker } = await aSource();
  const [before, after] = [created(subject), created(subject)];
  await relay.transaction((trx) => record(trx, before));
  await eventually(() => expect(heard).toEqual([before.id]));
  // Otherwise that confirmation would publish the other event, which would be lost if it came while the stream is missing.
  await eventually(async () => expect(await waiting()).toBe(0));

  await (await jetstreamManager(broker.connection)).streams.delete(streamName);
  await relay.transaction((trx) => record(trx, after));
  clock.advance(graceMs);

  // The broker may not tell the consumer, which then notices within ten seconds, and rests for one.
  await eventually(() => expect(heard).toEqual([before.id, after.id]));
});

it.each([
  ['behind', -25_000],
  ['ahead', 25_000],
])('an event of a copy whose clock is %s is due after the grace period on every clock', async (_, skewMs) => {
  const wrong = { now: () => new Date(Date.now() + skewMs) };
  const event = created(newId(), 1, wrong.now());
  await db.transaction((trx) => {
    collectRecorded(trx, wrong);
    return record(trx, event);
  });
  const dueWithin = (ms: number) => Promise.all([wrong, systemClock].map((clockOf) => isAnyDue(db, clockOf, ms)));
  expect(await dueWithin(-graceMs)).toEqual([false, false]);
  expect(await dueWithin(graceMs)).toEqual([true, true]);
  await claim(db, wrong, [event.id]);
  expect(await dueWithin(-graceMs)).toEqual([false, false]);
  expect(await dueWithin(graceMs)).toEqual([true, true]);
});
