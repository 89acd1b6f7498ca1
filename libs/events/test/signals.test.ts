import { newId } from '@sheaf/kernel';
import { eventually, SilentProxy, brokerUrl } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import { EventCache } from '../src/stream/event-cache';
import { carry, record } from '../src/outbox/outbox';
import { aProcess, aSource, clock, db, onStage } from './stage';

// What somebody may no longer do is refused within a second, also by a process that is cut off from NATS, or because of one that is. Here a
// connection falls silent: nothing comes through, and neither side is told.

onStage();

let proxies: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of proxies) await close();
  proxies = [];
});

async function aSilentWay(): Promise<{ proxy: SilentProxy; url: string }> {
  const { proxy, url, close } = await SilentProxy.before(brokerUrl());
  proxies.push(close);
  return { proxy, url };
}

/** A process that remembers what it finds for much longer than the test takes. */
async function aCache(natsUrl?: string): Promise<{ ask: () => Promise<number>; lookUps: () => number }> {
  const { broker } = await aProcess('reader', natsUrl);
  const cache = new EventCache<{ n: number }>(broker, { source: 'forms', max: 10, maxBytes: 1_000_000, ttlMs: 600_000, tagsOf: ({ subject }) => [subject] });
  let lookUps = 0;
  return {
    ask: async () => (await cache.get('what', () => Promise.resolve({ value: { n: ++lookUps }, tags: ['form'] }))).n,
    lookUps: () => lookUps,
  };
}

/** Until it answers from memory although its last look-up is older than what it would give out without hearing anything. */
async function remembers({ ask }: Awaited<ReturnType<typeof aCache>>): Promise<number> {
  let last = { n: 0, since: 0 };
  return eventually(async () => {
    const n = await ask();
    if (n !== last.n) last = { n, since: performance.now() };
    expect(performance.now() - last.since).toBeGreaterThan(1_500);
    return n;
  });
}

const changed = (): DomainEvent => ({ id: newId(), type: 'form.changed', instanceId: newId(), subject: 'form', occurredAt: clock.now(), body: '{}' });

it('what is known is dropped when its source says that it changed', async () => {
  const { relay } = await aSource('forms');
  const cache = await aCache();
  const known = await remembers(cache);

  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('a process whose connection has fallen silent stops relying on what it knows', async () => {
  const { proxy, url } = await aSilentWay();
  const { relay } = await aSource('forms');
  const cache = await aCache(url);
  const known = await remembers(cache);

  proxy.silenceOpen();
  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('whoever is answered by a process whose connection has fallen silent finds the change everywhere', async () => {
  const { proxy, url } = await aSilentWay();
  const { relay: cutOff } = await aSource('forms', url);
  await aSource('forms');
  const cache = await aCache();
  const known = await remembers(cache);

  proxy.silenceOpen();
  await cutOff.transaction((trx) => record(trx, changed()));

  expect(await cache.ask()).toBeGreaterThan(known);
  // And the others go on remembering.
  await remembers(cache);
});

it('a signal whose process died after the commit is passed on by another one', async () => {
  await aSource('forms');
  const cache = await aCache();
  const known = await remembers(cache);
  // The clock stands still, so nothing falls due for the relays.
  await db.transaction((trx) => {
    carry(trx, clock);
    return record(trx, changed());
  });

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([]));
});

it('without a source that answers nothing is remembered for longer than a moment', async () => {
  const cache = await aCache();
  const first = await cache.ask();
  expect(await cache.ask()).toBe(first);
  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(first));
});

it('what cannot be passed on is answered all the same, a moment later', async () => {
  const { relay, broker } = await aSource('forms');
  await broker.connection.close();
  await expect(relay.transaction((trx) => record(trx, changed()))).resolves.toBeUndefined();
});
