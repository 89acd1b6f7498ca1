import { retrySchedules } from '@sheaf/contracts';
import { pausesOf } from '../src/subscriptions/retry-schedule';
import { plan } from '../src/planning/plan';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { serviceSettings, startService, type Service } from './support/service';

const leaseMs = serviceSettings.DELIVERY_TIMEOUT_MS + 5_000;
const hourMs = 3_600_000;
let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

const pauses = (retry: 'standard' | 'day' | 'three_days') => pausesOf(retry, serviceSettings.RETRY_DELAYS_MS);
const planOne = async (given: Parameters<Service['subscription']>[0]) => {
  const subscription = service.subscription(given);
  await service.planAsQuick([service.event(subscription.form_id)]);
  return subscription;
};

describe('a delivery to a webhook with a retry schedule', () => {
  it.each(retrySchedules)('is attempted at the times of %s, and never again', async (retry) => {
    service.subscriber.answer(500);
    const subscription = await planOne({ retry });
    for (const [index, pause] of pauses(retry).entries()) {
      await expect(service.run()).resolves.toBe(1);
      await expect(service.deliveries(subscription)).resolves.toMatchObject([
        { state: 'pending', attempts: index + 1, next_attempt_at: service.later(pause) },
      ]);
      service.clock.advance(pause - 1);
      await expect(service.run()).resolves.toBe(0);
      service.clock.advance(1);
    }
    await expect(service.run()).resolves.toBe(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: pauses(retry).length + 1 }]);
  });

  it('falls due again at its time if the process dies during any of its attempts', async () => {
    const subscription = await planOne({ retry: 'day' });
    for (const [index, pause] of pauses('day').entries()) {
      await service.dyingAttempts().runDue();
      service.clock.advance(leaseMs + pause - 1);
      await expect(service.run()).resolves.toBe(0);
      service.clock.advance(1);
      await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: index + 1 }]);
    }
    await expect(service.run()).resolves.toBe(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 10 }]);
  });

  it('goes on with the schedule that its webhook has by then', async () => {
    service.subscriber.answer(500);
    const subscription = await planOne({ retry: 'day' });
    for (const pause of pauses('standard')) {
      await service.run();
      service.clock.advance(pause);
    }
    await followSubscriptions(service.deps, [service.changed({ ...subscription, retry: 'standard' }, 'active', 2)]);
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
  });

  it('is attempted as the contract says while an earlier version of hooks names no schedule, and as its own says from then on', async () => {
    service.subscriber.answer({ status: 503, headers: { 'retry-after': '600' } });
    const subscription = await planOne({});
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ next_attempt_at: service.later(4_000) }]);

    service.neighbours.hooks.listeners.set(subscription.id, { ...subscription, retry: 'standard' });
    await plan(service.deps, [service.event(subscription.form_id)]);
    service.clock.advance(4_000);
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject(
      [service.later(600_000), service.later(600_000)].map((next_attempt_at) => ({ next_attempt_at })),
    );
    await expect(service.db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({
      retry: 'standard',
      events: subscription.events,
    });
  });

  it('is not held to a schedule from before a change that a process of the version before has written', async () => {
    service.subscriber.answer(500);
    const subscription = await planOne({ retry: 'day' });
    await service.db('subscription').where({ id: subscription.id }).update({ revision: 2 });
    await expect(service.run()).resolves.toBe(1);
    for (const pause of pauses('standard')) {
      service.clock.advance(pause);
      await service.run();
    }
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
  });
});

describe('a subscriber that asks for a pause', () => {
  it('is called again when it is over, and not before', async () => {
    service.subscriber.answer({ status: 429, headers: { 'retry-after': '90' } });
    const subscription = await planOne({ retry: 'standard' });
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending', next_attempt_at: service.later(90_000) }]);
    service.clock.advance(89_999);
    await expect(service.run()).resolves.toBe(0);
    service.clock.advance(1);
    service.subscriber.answer(200);
    await expect(service.run()).resolves.toBe(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
  });

  it('gets an hour at most', async () => {
    service.subscriber.answer({ status: 503, headers: { 'retry-after': String(10 * 86_400) } });
    const subscription = await planOne({ retry: 'three_days' });
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ next_attempt_at: service.later(hourMs) }]);
  });

  it('gets none as the subscription of a platform, whose attempts are those of the contract', async () => {
    service.subscriber.answer({ status: 429, headers: { 'retry-after': '90' } });
    const subscription = await planOne({});
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ next_attempt_at: service.later(4_000) }]);
  });
});

it('a webhook with a long schedule ends after days of nothing but failures, like any other', async () => {
  service.subscriber.answer(500);
  const subscription = service.subscription({ retry: 'three_days' });
  const isActive = () => service.db('subscription').where({ id: subscription.id, state: 'active' }).first();
  await service.planEvents(subscription);
  let hours = 0;
  for (; hours <= 9 * 24 && (await isActive()); hours += 12) {
    await service.planEvents(subscription);
    while ((await service.run()) > 0);
    service.clock.advance(12 * hourMs);
  }
  // The first delivery that fails for good after five days ends it, and those that were to be tried longer are cancelled.
  expect(hours).toBeGreaterThan(5 * 24);
  await expect(service.db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'inactive' });
  await expect(service.db('delivery').where({ subscription_id: subscription.id, reason: 'failing' }).first()).resolves.toMatchObject({
    state: 'cancelled',
  });
  await expect(service.db('queue').where({ subscription_id: subscription.id })).resolves.toEqual([]);
});
