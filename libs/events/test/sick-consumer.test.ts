import { newId } from '@sheaf/kernel';
import { eventually, type TestProcess } from '@sheaf/testing';
import type { Broker } from '../src/stream/broker';
import { consume } from '../src/stream/consumer';
import type { DomainEvent } from '../src/event';
import { record } from '../src/outbox/record';
import type { Relay } from '../src/outbox/relay';
import { streamName } from '../src/stream/stream';
import { aProcess, aSource, clock, db, republishMs, useOutbox } from './stage';

// Copies of a service share their events. Neither a copy that cannot process them nor an event that always fails may hold up the others.

let instanceId: string;

useOutbox();
beforeEach(() => {
  instanceId = newId();
});

/** Copies share one name; each test sees only its own instance. */
async function aCopy(
  handle: (events: readonly DomainEvent[]) => Promise<void>,
  durable = 'delivery',
): Promise<{ process: TestProcess; broker: Broker }> {
  const { process, broker } = await aProcess('consumer');
  consume(process, {
    broker,
    durable,
    source: 'submissions',
    required: true,
    handle: (events) => handle(events.filter((event) => event.instanceId === instanceId)),
  });
  return { process, broker };
}

const created = (): DomainEvent => ({
  id: newId(),
  type: 'submission.created',
  instanceId,
  subject: newId(),
  formId: newId(),
  occurredAt: clock.now(),
  body: '{"n": 1}',
});

/** Each event in its own message. */
async function recorded(relay: Relay, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, created);
  await db.transaction((trx) => record(trx, ...events));
  for (const event of events) relay.publish([event]);
  return events.map(({ id }) => id);
}

const waiting = async () => (await db('outbox').select('id')).length;

it('a copy that cannot process events leaves them to the others and is not ready', async () => {
  let tried = 0;
  const failing = await aCopy((events) => {
    tried += 1;
    return events.length > 0 ? Promise.reject(new Error('the database is down')) : Promise.resolve();
  });
  const heard = new Set<string>();
  const healthy = await aCopy((events) => Promise.resolve(events.forEach(({ id }) => heard.add(id))));

  const { relay } = await aSource();
  const ids = await recorded(relay, 600);

  await eventually(() => expect(heard.size).toBe(ids.length));
  // A confirmation can get lost on a busy machine; its event is then published again.
  await eventually(async () => {
    clock.advance(republishMs);
    expect(await waiting()).toBe(0);
  });
  expect(tried).toBeGreaterThan(0);
  expect(await healthy.process.health.unready()).toEqual([]);
  // Each further event fails, until the copy counts as failing.
  await eventually(async () => {
    await recorded(relay, 5);
    expect(await failing.process.health.unready()).toEqual(['events of submissions']);
  });
});

it('a copy that could not process events recovers on its own and is ready again', async () => {
  let isDown = true;
  const heard = new Set<string>();
  const { process } = await aCopy((events) =>
    isDown && events.length > 0 ? Promise.reject(new Error('down')) : Promise.resolve(events.forEach(({ id }) => heard.add(id))),
  );
  const { relay } = await aSource();
  const ids = await recorded(relay, 300);
  await eventually(async () => expect(await process.health.unready()).toEqual(['events of submissions']));

  isDown = false;

  await eventually(() => expect(heard.size).toBe(ids.length));
  expect(await process.health.unready()).toEqual([]);
  await eventually(async () => expect(await waiting()).toBe(0));
});

it('an event that always fails does not hold up others', async () => {
  let poison = '';
  const heard = new Set<string>();
  await aCopy((events) =>
    events.some(({ id }) => id === poison)
      ? Promise.reject(new Error('cannot be read'))
      : Promise.resolve(events.forEach(({ id }) => heard.add(id))),
  );
  const { relay } = await aSource();
  const bad = created();
  poison = bad.id;
  await relay.transaction((trx) => record(trx, bad));

  const ids = await recorded(relay, 300);

  await eventually(() => expect(heard.size).toBe(ids.length));
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([poison]));
});

it('a copy whose work hangs holds a bounded number of events', async () => {
  let release: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const heard = new Set<string>();
  // A unique name, because messages that other tests left in the stream count too.
  const { broker } = await aCopy(async (events) => {
    await hanging;
    events.forEach(({ id }) => heard.add(id));
  }, 'hanging');
  try {
    const { relay } = await aSource();
    const ids = await recorded(relay, 1_000);
    await eventually(async () => {
      const { num_ack_pending: inHand, num_pending: left } = await broker.manager.consumers.info(streamName, 'hanging-submissions');
      expect(inHand + left).toBeGreaterThanOrEqual(ids.length);
      expect(inHand).toBe(200);
    });
    release();
    await eventually(() => expect(heard.size).toBe(ids.length));
  } finally {
    release();
  }
});
