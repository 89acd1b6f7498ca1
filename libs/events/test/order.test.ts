import { jetstreamManager } from '@nats-io/jetstream';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { eachOnce, eventually, type TestProcess } from '@sheaf/testing';
import type { Broker } from '../src/stream/broker';
import { consume } from '../src/stream/consumer';
import type { DomainEvent } from '../src/event';
import { claim, confirm, dueEvents, graceMs, postpone } from '../src/outbox/outbox';
import { collectRecorded, record } from '../src/outbox/record';
import { streamName } from '../src/stream/stream';
import { aProcess, aSource, clock, db, disown, useOutbox, republishMs } from './stage';

// Events of one subject are processed in order, whichever process dies in between: a later event is not even published before the consumer has
// confirmed the earlier one.

const withinMs = 15_000;
const instanceId = newId();
let subject: string;

useOutbox();
beforeEach(() => {
  subject = newId();
});

/** Consumers share one name, as the copies of a service do; each test sees only its own subject. */
async function aConsumer(handle: (n: number) => Promise<void> | void): Promise<{ process: TestProcess; broker: Broker }> {
  const { process, broker } = await aProcess('consumer');
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    handle: async (events) => {
      for (const event of events) if (event.subject === subject) await handle(numberOf(event));
    },
  });
  return { process, broker };
}

/** The published events of the subject, in order. */
async function aWitness(): Promise<number[]> {
  const seen: number[] = [];
  const { broker } = await aProcess('witness');
  broker.listen('sheaf.events.>', {
    onEvent: eachOnce((event) => event.subject === subject && seen.push(numberOf(event))),
    onGap: () => undefined,
  });
  await broker.connection.flush();
  return seen;
}

const numberOf = ({ body }: DomainEvent): number => (JSON.parse(body) as { n: number }).n;
const event = (n: number, more: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newId(),
  type: 'submission.status_changed',
  instanceId,
  subject,
  formId: newId(),
  occurredAt: clock.now(),
  body: `{"n": ${n}}`,
  ...more,
});
const waiting = async () => (await db('outbox').select('id')).length;
const first = (count: number) => Array.from({ length: count }, (_, n) => n);

it('an event is published as soon as the previous one is confirmed, and not before', async () => {
  const seen = await aWitness();
  const heard: number[] = [];
  let release: () => void = () => undefined;
  await aConsumer((n) => {
    heard.push(n);
    return n === 0 ? new Promise((resolve) => (release = resolve)) : undefined;
  });
  const { relay } = await aSource();

  await relay.transaction((trx) => record(trx, event(0)));
  await eventually(() => expect(heard).toEqual([0]), withinMs);
  await relay.transaction((trx) => record(trx, event(1), event(2)));
  // An event of another subject is published.
  await relay.transaction((trx) => record(trx, event(9, { subject: newId() })));
  expect(seen).toEqual([0]);

  release();
  // The clock stands still, so nothing falls due on its own.
  await eventually(() => expect(heard).toEqual([0, 1, 2]), withinMs);
  await eventually(() => expect(seen).toEqual([0, 1, 2]), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
});

it('an event does not wait for earlier events of other consumers', async () => {
  const seen = await aWitness();
  const { relay } = await aSource();
  await relay.transaction((trx) => record(trx, event(0)));
  await relay.transaction((trx) => record(trx, event(1), event(2, { type: 'audit.recorded' })));
  await eventually(() => expect(seen).toEqual([0, 2]), withinMs);
});

it('an event on another channel waits for a consumer of that one, which an earlier version does not have, and keeps its place', async () => {
  const seen = await aWitness();
  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  const { relay } = await aSource();
  await relay.transaction((trx) => record(trx, event(0), event(1, { type: 'submission.restored' }), event(2)));
  await eventually(() => expect(seen).toEqual([0, 1]), withinMs);
  expect(heard).toEqual([0]);

  // The process of the next version starts.
  const { process, broker } = await aProcess('newer');
  const more: number[] = [];
  consume(process, {
    broker,
    durable: 'delivery',
    source: 'submissions',
    of: 'submissions-more',
    handle: (events) => {
      more.push(...events.filter((one) => one.subject === subject).map(numberOf));
      return Promise.resolve();
    },
  });
  await eventually(() => expect(more).toEqual([1]), withinMs);
  await eventually(() => expect(heard).toEqual([0, 2]), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
});

it('the order is kept even if the consumer dies while it holds the first event', async () => {
  const { relay } = await aSource();
  let taken = false;
  const dying = await aConsumer(() => {
    taken = true;
    return new Promise(() => undefined);
  });
  await relay.transaction((trx) => record(trx, event(0)));
  await eventually(() => expect(taken).toBe(true), withinMs);
  disown(dying.process);
  await dying.broker.connection.close();
  void dying.process.stop();

  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  for (const n of [1, 2, 3]) await relay.transaction((trx) => record(trx, event(n)));
  // First under the message id that the broker knows, then under another one.
  clock.advance(republishMs);
  await eventually(
    async () => expect(await db('outbox').where('publications', 1).select('body')).toEqual([{ body: '{"n": 0}' }]),
    withinMs,
  );
  clock.advance(republishMs);

  await eventually(() => expect([...new Set(heard)]).toEqual([0, 1, 2, 3]), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
});

it('the order is kept even if the broker loses the first event', async () => {
  const seen = await aWitness();
  const { relay, broker } = await aSource();
  await relay.transaction((trx) => record(trx, event(0)));
  await eventually(() => expect(seen).toEqual([0]), withinMs);
  // The broker acknowledges the first event before it loses it.
  clock.advance(graceMs);
  await eventually(async () => expect(await db('outbox').first('publications')).toEqual({ publications: 1 }), withinMs);
  await (await jetstreamManager(broker.connection)).streams.delete(streamName);
  await relay.transaction((trx) => record(trx, event(1)));
  await relay.transaction((trx) => record(trx, event(2)));

  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  clock.advance(republishMs);

  await eventually(() => expect(heard).toEqual([0, 1, 2]), withinMs);
});

it('events recorded while the broker was down arrive in order once it is back', async () => {
  const { relay, broker } = await aSource();
  Object.defineProperty(broker, 'connected', { get: () => false, configurable: true });
  for (const n of first(5)) await relay.transaction((trx) => record(trx, event(n)));
  Object.defineProperty(broker, 'connected', { get: () => true });

  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  clock.advance(graceMs);

  await eventually(() => expect(heard).toEqual(first(5)), withinMs);
});

it('events that a process committed but did not publish before it died are published by another process after the grace period', async () => {
  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  const { relay } = await aSource();
  await relay.transaction((trx) => record(trx, event(0)));
  await eventually(() => expect(heard).toEqual([0]), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
  const dying = (n: number) =>
    db.transaction((trx) => {
      collectRecorded(trx, clock);
      return record(trx, event(n));
    });
  await dying(1);
  await dying(2);
  // This later event must not overtake them.
  await relay.transaction((trx) => record(trx, event(3)));
  expect(heard).toEqual([0]);

  clock.advance(graceMs);

  await eventually(() => expect(heard).toEqual([0, 1, 2, 3]), withinMs);
});

it('the order is kept across copies of the source, however many events one transaction records', async () => {
  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  const sources = [await aSource(), await aSource(), await aSource()];
  for (let n = 0; n < 60; n += 3) await sources[(n / 3) % 3]?.relay.transaction((trx) => record(trx, event(n), event(n + 1), event(n + 2)));
  await eventually(() => expect(heard).toEqual(first(60)), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
});

it('the first event of a subject is published without a check for earlier ones', async () => {
  const heard: number[] = [];
  await aConsumer((n) => void heard.push(n));
  const { relay } = await aSource();
  const only = event(0);
  await db.transaction((trx) => {
    collectRecorded(trx, clock);
    return record(trx, only);
  });
  relay.publish([only]);
  await eventually(() => expect(heard).toEqual([0]), withinMs);
  await eventually(async () => expect(await waiting()).toBe(0), withinMs);
});

describe('an event that several consumers must confirm', () => {
  const [a, b] = ['workspaces', 'delivery'];
  async function recorded(...awaiting: string[][]): Promise<string[]> {
    const events = awaiting.map((_, n) => event(n));
    await db.transaction((trx) => record(trx, ...events));
    for (const [n, { id }] of events.entries())
      await db('outbox')
        .where({ id })
        .update({ awaiting: awaiting[n] ?? [] });
    return events.map(({ id }) => id);
  }
  const claimed = async (ids: string[]) => (await claim(db, clock, ids)).map(({ event }) => numberOf(event)).sort();

  it('holds back later events of each consumer until that consumer has confirmed it', async () => {
    const ids = await recorded([a, b], [a], [b], [a, b]);
    expect(await claimed(ids)).toEqual([0]);
    expect(await confirm(db, a, ids.slice(0, 1))).toEqual([ids[1]]);
    expect(await claimed(ids.slice(1))).toEqual([1]);
    expect(await confirm(db, b, ids.slice(0, 1))).toEqual([ids[2]]);
    expect(await confirm(db, a, ids.slice(1, 2))).toEqual([ids[3]]);
    expect(await claimed(ids.slice(3))).toEqual([]);
    expect(await confirm(db, b, ids.slice(2, 3))).toEqual([ids[3]]);
    expect(await claimed(ids.slice(3))).toEqual([3]);
  });

  it('stays until both have confirmed it, however often one does', async () => {
    const ids = await recorded([a, b]);
    for (let n = 0; n < 3; n += 1) await confirm(db, a, ids);
    expect(await db('outbox').pluck('awaiting')).toEqual([[b]]);
    await confirm(db, b, ids);
    expect(await waiting()).toBe(0);
  });

  it('is deleted when both confirm it at the same moment', async () => {
    const ids = await recorded([a, b]);
    let byB: Promise<string[]> | undefined;
    await db.transaction(async (trx) => {
      await confirm(trx, a, ids);
      byB = confirm(db, b, ids);
      await eventually(async () => {
        const { rows } = await db.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      });
    });
    await byB;
    expect(await waiting()).toBe(0);
  });
});

it('checks an event behind others once, and not again until its state may have changed', async () => {
  await db.transaction((trx) => record(trx, ...first(1_000).map((n) => event(n))));
  const poll = () =>
    db.transaction(async (trx) => {
      const found = await dueEvents(trx, clock, 0, 500);
      await postpone(trx, clock, found.behindOthers, republishMs);
      return { ready: found.ready.length, behindOthers: found.behindOthers.length };
    });
  expect([await poll(), await poll(), await poll()]).toEqual([
    { ready: 1, behindOthers: 499 },
    { ready: 1, behindOthers: 499 },
    { ready: 1, behindOthers: 1 },
  ]);
  expect(await poll()).toEqual({ ready: 1, behindOthers: 0 });
  const [{ count }] = (await rowsOf<{ count: number }>(db, 'select count(*) from outbox where publish_at <= ?', [clock.now()])) as [
    { count: number },
  ];
  expect(count).toBe(1);
});
