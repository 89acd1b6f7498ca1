import { newId } from '@sheaf/kernel';
import { eventually, SilentProxy, brokerUrl } from '@sheaf/testing';
import type { DomainEvent } from '../src/event';
import { EventCache } from '../src/stream/event-cache';
import { leaseMs } from '../src/stream/sight';
import { collectRecorded, record } from '../src/outbox/record';
import { aProcess, aSource, clock, db, useOutbox } from './stage';

// A revoked permission is refused within a second, even if the process that checks it or the process that revoked it is cut off from NATS.
// Here a connection falls silent: no data gets through, and neither side notices.

useOutbox();

let proxies: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of proxies) await close();
  proxies = [];
});

async function aSilencingProxy(): Promise<{ proxy: SilentProxy; url: string }> {
  const { proxy, url, close } = await SilentProxy.before(brokerUrl());
  proxies.push(close);
  return { proxy, url };
}

/** A process that caches values for much longer than the test takes. */
async function aCache(natsUrl?: string): Promise<{ ask: () => Promise<number>; lookUps: () => number }> {
  const { broker } = await aProcess('reader', natsUrl);
  const cache = new EventCache<{ n: number }>(broker, {
    listener: 'submissions',
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

/** Resolves once the cache returns a value too old to be returned without an answer from the source. */
async function usesCache({ ask }: Awaited<ReturnType<typeof aCache>>): Promise<number> {
  let last = { n: 0, since: 0 };
  return eventually(async () => {
    const askedAt = performance.now();
    const n = await ask();
    if (n !== last.n) last = { n, since: performance.now() };
    expect(askedAt - last.since).toBeGreaterThan(leaseMs);
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
  const known = await usesCache(cache);

  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('a process whose connection has fallen silent stops relying on its cache', async () => {
  const { proxy, url } = await aSilencingProxy();
  const { relay } = await aSource('forms');
  const cache = await aCache(url);
  const known = await usesCache(cache);

  proxy.silenceOpen();
  await relay.transaction((trx) => record(trx, changed()));

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
});

it('a change by a process whose connection has fallen silent is visible everywhere once it responds', async () => {
  const { proxy, url } = await aSilencingProxy();
  const { relay: cutOff } = await aSource('forms', url);
  await aSource('forms');
  const cache = await aCache();
  const known = await usesCache(cache);

  proxy.silenceOpen();
  await cutOff.transaction((trx) => record(trx, changed()));

  expect(await cache.ask()).toBeGreaterThan(known);
  // The other processes still use their caches.
  await usesCache(cache);
});

it('another process publishes the signal of a process that died after the commit', async () => {
  await aSource('forms');
  const cache = await aCache();
  const known = await usesCache(cache);
  // The clock stands still, so nothing falls due for the relays.
  await db.transaction((trx) => {
    collectRecorded(trx, clock);
    return record(trx, changed());
  });

  await eventually(async () => expect(await cache.ask()).toBeGreaterThan(known));
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([]));
});

it('without an answering source, values are cached only for a moment', async () => {
  const cache = await aCache();
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const first = await cache.ask();
  now += leaseMs - 1;
  expect(await cache.ask()).toBe(first);
  now += 1;
  expect(await cache.ask()).toBeGreaterThan(first);
});

it('responds a moment later if a signal cannot be published', async () => {
  const { relay, broker } = await aSource('forms');
  await broker.connection.close();
  await expect(relay.transaction((trx) => record(trx, changed()))).resolves.toBeUndefined();
});

it('publishes a signal before the caller gets the response', async () => {
  const { relay, broker } = await aSource('forms');
  const heard: string[] = [];
  broker.listen('sheaf.events.forms.>', { onEvent: (event) => heard.push(event.subject), onGap: () => undefined });
  await broker.connection.flush();

  const subject = newId();
  await relay.transaction((trx) => record(trx, { ...changed(), subject }));
  // The broker wrote the signal before its confirmation, so it arrives with this answer at the latest.
  await broker.connection.flush();

  expect(heard).toContain(subject);
});

it('deletes a signal as soon as it is sent, since no consumer confirms it', async () => {
  const { relay } = await aSource('forms');
  await relay.transaction((trx) => record(trx, changed()));
  await eventually(async () => expect(await db('outbox').pluck('id')).toEqual([]));
});
