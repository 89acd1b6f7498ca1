import type { DomainEvent } from './event';
import { EventCache } from './event-cache';

interface Listener {
  onEvent: (event: DomainEvent) => void;
  onGap: () => void;
}

function setUp() {
  const nothing = () => undefined;
  const broker = {
    connected: true,
    told: { onEvent: nothing, onGap: nothing } as Listener,
    listen(_subject: string, listener: Listener) {
      this.told = listener;
    },
  };
  const cache = new EventCache<{ n: number }>(broker, { subject: 'x', max: 10, ttlMs: 60_000, tagsOf: (event) => [event.subject] });
  let loads = 0;
  const load = (...tags: string[]) => () => Promise.resolve({ value: { n: ++loads }, tags });
  const event = (subject: string): DomainEvent => ({ id: '1', type: 'form.changed', instanceId: 'i', subject, occurredAt: new Date(), body: '{}' });
  return { broker, cache, load, event };
}

it('looks up once and remembers', async () => {
  const { cache, load } = setUp();
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
});

it('shares one look-up between those who ask at the same time', async () => {
  const { cache, load } = setUp();
  expect(await Promise.all([cache.get('a', load('t')), cache.get('a', load('t'))])).toEqual([{ n: 1 }, { n: 1 }]);
});

it('drops what an event is about and nothing else', async () => {
  const { cache, load, event, broker } = setUp();
  await cache.get('a', load('t', 'u'));
  await cache.get('b', load('v'));

  broker.told.onEvent(event('u'));

  expect(await cache.get('a', load('t', 'u'))).toEqual({ n: 3 });
  expect(await cache.get('b', load('v'))).toEqual({ n: 2 });
});

it('does not keep an answer that was asked for before an event', async () => {
  const { cache, load, event, broker } = setUp();
  const asked = cache.get('a', load('t'));
  broker.told.onEvent(event('t'));

  expect(await asked).toEqual({ n: 1 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
});

it('forgets everything when events may have been missed, and remembers nothing while they may be', async () => {
  const { cache, load, broker } = setUp();
  await cache.get('a', load('t'));
  broker.connected = false;
  broker.told.onGap();

  expect(await cache.get('a', load('t'))).toEqual({ n: 2 });
  expect(await cache.get('a', load('t'))).toEqual({ n: 3 });
});

it('remembers no failure', async () => {
  const { cache, load } = setUp();
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('a', load('t'))).toEqual({ n: 1 });
});
