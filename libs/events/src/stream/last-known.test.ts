import { Problem } from '@sheaf/kernel';
import { TestClock } from '@sheaf/testing';
import type { DomainEvent } from '../event';
import { LastKnown } from './last-known';
import type { Sight } from './sight';

interface Listener {
  onEvent: (event: DomainEvent) => void;
  onGap: () => void;
}

function setUp(staleMs = 600_000) {
  const listeners: Listener[] = [];
  const sight = { isClear: () => true, now: () => performance.now() } as unknown as Sight;
  const clock = new TestClock();
  const broker = { listen: (_: string, listener: Listener) => void listeners.push(listener), sightOf: () => sight };
  // The cached value has expired at the next call.
  const known = new LastKnown<{ n: number }>(broker, {
    listener: 'submissions',
    source: 'forms',
    max: 10,
    maxBytes: 100_000,
    ttlMs: 1,
    tagsOf: (event) => [event.subject],
    staleMs,
    clock,
  });
  const owner = { loads: 0, answer: () => Promise.resolve({ value: { n: owner.loads }, tags: ['t'] }) };
  const get = async (key = 'a') => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return known.get(key, () => {
      owner.loads += 1;
      return owner.answer();
    });
  };
  const fail = (code: 'unavailable' | 'not_found') => (owner.answer = () => Promise.reject(new Problem(code, code)));
  const tell = (subject: string) => {
    const event: DomainEvent = { id: '1', type: 'form.changed', instanceId: 'i', subject, occurredAt: new Date(), body: '{}' };
    listeners.forEach(({ onEvent }) => onEvent(event));
  };
  return { clock, broker, owner, get, fail, tell, miss: () => listeners.forEach(({ onGap }) => onGap()) };
}

it('asks the owner again as long as it is available', async () => {
  const { get } = setUp();
  expect([await get(), await get()]).toEqual([{ n: 1 }, { n: 2 }]);
});

it('returns the last known value while the owner is down, up to its maximum age, and asks once a second', async () => {
  const { clock, owner, get, fail } = setUp();
  await get();
  fail('unavailable');
  for (let n = 0; n < 5; n += 1) expect(await get()).toEqual({ n: 1 });
  expect(owner.loads).toBe(2);
  clock.advance(1_000);
  expect(await get()).toEqual({ n: 1 });
  expect(owner.loads).toBe(3);
  await expect(get('b')).rejects.toMatchObject({ code: 'unavailable' });

  clock.advance(599_001);
  await expect(get()).rejects.toMatchObject({ code: 'unavailable' });
});

it('does not wait for an owner that hangs', async () => {
  const { owner, get } = setUp();
  await get();
  owner.answer = () => new Promise(() => undefined);
  expect(await Promise.all([get(), get()])).toEqual([{ n: 1 }, { n: 1 }]);
});

it('forgets values that an event names or that the owner no longer has, and keeps them while events are missed', async () => {
  const { clock, get, fail, tell, miss } = setUp();
  await get();
  fail('unavailable');
  miss();
  tell('another');
  expect(await get()).toEqual({ n: 1 });
  tell('t');
  await expect(get()).rejects.toMatchObject({ code: 'unavailable' });

  const other = setUp();
  await other.get();
  other.fail('not_found');
  await expect(other.get()).rejects.toMatchObject({ code: 'not_found' });
  other.fail('unavailable');
  clock.advance(1_000);
  await expect(other.get()).rejects.toMatchObject({ code: 'unavailable' });
});

it('returns no last known value if the maximum age is 0', async () => {
  const { get, fail } = setUp(0);
  await get();
  fail('unavailable');
  await expect(get()).rejects.toMatchObject({ code: 'unavailable' });
});
