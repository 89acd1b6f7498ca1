import type { DomainEvent } from '../event';
import { EventCache } from './event-cache';
import { leaseMs, type Sight } from './sight';

interface Listener {
  onEvent: (event: DomainEvent) => void;
  onGap: () => void;
}

function setUp() {
  const nothing = () => undefined;
  const sight = { isClear: true, at: 0 };
  const broker = {
    sightOf: () => ({ isClear: () => sight.isClear, now: () => sight.at }) as unknown as Sight,
    listener: { onEvent: nothing, onGap: nothing } as Listener,
    listen(_subject: string, listener: Listener) {
      this.listener = listener;
    },
  };
  const cache = new EventCache<{ n: number; bytes?: number }>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 10,
    maxBytes: 100_000,
    bytesOf: ({ bytes = 10 }) => bytes,
    ttlMs: 60_000,
    tagsOf: (event) => [event.subject],
  });
  let loads = 0;
  const load =
    (...tags: string[]) =>
    () =>
      Promise.resolve({ value: { n: ++loads }, tags });
  const event = (subject: string): DomainEvent => ({
    id: '1',
    type: 'form.changed',
    instanceId: 'i',
    subject,
    occurredAt: new Date(),
    body: '{}',
  });
  return { broker, sight, cache, load, event };
}

it('looks up a value once and caches it', async () => {
  const { cache, load } = setUp();
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
});

it('shares one look-up between concurrent callers', async () => {
  const { cache, load } = setUp();
  expect(await Promise.all([cache.get('a', load('t')), cache.get('a', load('t'))])).toEqual([{ n: 1 }, { n: 1 }]);
});

it('drops only the values that an event is about', async () => {
  const { cache, load, event, broker } = setUp();
  await cache.get('a', load('t', 'u'));
  await cache.get('b', load('v'));

  broker.listener.onEvent(event('u'));

  expect(await cache.get('a', load('t', 'u'))).toEqual({ n: 3 });
  expect(await cache.get('b', load('v'))).toEqual({ n: 2 });
});

it('does not cache the answer to a look-up that began before an event', async () => {
  const { cache, load, event, broker } = setUp();
  const asked = cache.get('a', load('t'));
  broker.listener.onEvent(event('t'));

  expect(await asked).toEqual({ n: 1 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
});

it('forgets all values when events may have been missed', async () => {
  const { cache, load, broker } = setUp();
  await cache.get('a', load('t'));
  broker.listener.onGap();

  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
});

it('returns only fresh values while events may be missed, and older ones once it is certain that none were', async () => {
  const { cache, load, sight } = setUp();
  await cache.get('a', load('t'));
  sight.at = leaseMs;
  sight.isClear = false;
  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
  sight.at = 2 * leaseMs - 1;
  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
  sight.at = 2 * leaseMs;
  expect(await cache.get('a', load('t'))).toEqual({ n: 3 });

  // An event may have been missed before this look-up began.
  sight.isClear = true;
  sight.at = 3 * leaseMs;
  expect(await cache.get('a', load('t'))).toEqual({ n: 4 });
  sight.at = 9 * leaseMs;
  expect(await cache.get('a', load('t'))).toEqual({ n: 4 });
});

it('does not share a slow look-up while events may be missed', async () => {
  const { cache, load, sight } = setUp();
  sight.isClear = false;
  let answer: (found: { value: { n: number }; tags: string[] }) => void = () => undefined;
  const slow = cache.get('a', () => new Promise((resolve) => (answer = resolve)));
  sight.at = leaseMs;
  const later = cache.get('a', load('t'));
  answer({ value: { n: 100 }, tags: ['t'] });
  expect(await Promise.all([slow, later])).toEqual([{ n: 100 }, { n: 1 }]);
});

it('does not cache failures', async () => {
  const { cache, load } = setUp();
  await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
});

it('stays within its size limit, including keys, whatever is looked up', async () => {
  const { cache, load } = setUp();
  const value = (bytes: number) => () => Promise.resolve({ value: { n: 0, bytes }, tags: ['t'] });
  await cache.get('a', value(60_000));
  await cache.get('b', value(60_000));
  expect(await cache.get('b', load('t'))).toEqual({ n: 0, bytes: 60_000 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
  const long = 'x'.repeat(60_000);
  expect(await cache.get(long, load('t'))).toEqual({ n: 2 });
  expect(await cache.get(long, load('t'))).toEqual({ n: 3 });
});
