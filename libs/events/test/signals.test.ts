import { newId } from '@sheaf/kernel';
import { eventually, SilentProxy, brokerUrl } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import { EventCache } from '../src/stream/event-cache';
import { carry, record } from '../src/outbox/outbox';
import { aProcess, aSource, clock, db, onStage } from './stage';

// A revoked permission is refused within a second, even if the process that checks it or the process that revoked it is cut off from NATS. Here
// a connection falls silent: nothing comes through, and neither side notices.

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

/** A process that caches values for much longer than the test takes. */
async function aCache(natsUrl?: string): Promise<{ ask: () => Promise<number>; lookUps: () => number }> {
  const { broker } = await aProcess('reader', natsUrl);
  const cache = new EventCache<{ n: number }>(broker, {
    source: 'forms',
    max: 10,
    maxBytes: 1_000_000,
    ttlMs: 600_000,
    tagsOf: ({ subject }) => [subject],
  });
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

const changed = (): DomainEvent => ({
  id: newId(),
  type: 'form.changed',
  instanceId: newId(),
  subject: 'form',
  occurredAt: clock.now(),
  body: '{}',
});

it('a cached value is dropped when its source announces a change', async () => {
  const { relay } = await aSource('forms');
  const cache = await aCache();
  const known = await remembers(cache);

  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('a process whose connection has fallen silent stops relying on its cache', async () => {
  const { proxy, url } = await aSilentWay();
  const { relay } = await aSource('forms');
  const cache = await aCache(url);
  const known = await remembers(cache);

  proxy.silenceOpen();
  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('a change by a process whose connection has fallen silent is visible everywhere once it responds', async () => {
  const { proxy, url } = await aSilentWay();
  const { relay: cutOff } = await aSource('forms', url);
  await aSource('forms');
  const cache = await aCache();
  const known = await remembers(cache);

  proxy.silenceOpen();
  await cutOff.transaction((trx) => record(trx, changed()));

  expect(await cache.ask()).toBeGreaterThan(known);
  // The other processes still use their caches.
  await remembers(cache);
});

it('another process publishes the signal of a process that died after the commit', async () => {
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

it('without an answering source, values are cached for a moment only', async () => {
  const cache = await aCache();
  const first = await cache.ask();
  expect(await cache.ask()).toBe(first);
  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(first));
});

it('responds a moment later if a signal cannot be published', async () => {
  const { relay, broker } = await aSource('forms');
  await broker.connection.close();
  await expect(relay.transaction((trx) => record(trx, changed()))).resolves.toBeUndefined();
});
