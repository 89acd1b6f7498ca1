import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { startService, type Service } from './support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('a subscriber that answers 410', () => {
  it('is not called again for this or any pending delivery, and hooks learns of it', async () => {
    const subscription = service.subscription({ revision: 7 });
    const events = await service.recordEvents();
    service.subscriber.answer(410);
    await service.planAsQuick(Array.from({ length: 3 }, () => service.event(subscription.form_id)));
    const oneByOne = service.attemptsWith({ DELIVERY_PER_SUBSCRIPTION: 1 });
    await service.run(oneByOne);
    service.clock.advance(60_000);
    await expect(service.run(oneByOne)).resolves.toBe(0);

    expect(service.subscriber.received).toHaveLength(1);
    const states = (await service.deliveries(subscription)).map(({ state }) => state);
    expect(states).toEqual(['failed', 'cancelled', 'cancelled']);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([{ status: 410 }]);
    // Nothing confirms it here, so it may arrive again.
    await eventually(() =>
      expect(events.find(({ subject }) => subject === subscription.id)).toMatchObject({
        type: 'subscription.gone',
        body: JSON.stringify({ id: subscription.id, revision: 7, reason: 'gone' }),
      }),
    );
  });

  it('gets nothing new, even before hooks knows', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(410);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();

    await expect(service.planAsQuick([service.event(subscription.form_id)])).resolves.toBe(0);
    service.subscription({ ...subscription, revision: 3 });
    await expect(service.planAsQuick([service.event(subscription.form_id)])).resolves.toBe(1);
  });

  it('can do so several times at once without harm', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(410);
    await service.planAsQuick(Array.from({ length: 5 }, () => service.event(subscription.form_id)));
    await service.run();

    const states = (await service.deliveries(subscription)).map(({ state }) => state);
    expect(states.filter((state) => state === 'pending')).toEqual([]);
    await expect(service.db('outbox').where({ subject: subscription.id })).resolves.toHaveLength(1);
  });

  it('does not end a subscription that was renewed since the call', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    const attempts = new Attempts({
      ...service.deps,
      egress: {
        post: async () => {
          await followSubscriptions(service.deps, [service.changed(subscription, 'active', 3)]);
          return { status: 410, durationMs: 1 };
        },
      },
    });
    await service.run(attempts);

    await expect(service.db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({
      state: 'active',
      revision: 3,
    });
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed' }]);
    await expect(service.db('outbox').where({ subject: subscription.id })).resolves.toEqual([]);
  });
});

describe('a change to a subscription', () => {
  it('that removes it or switches it off cancels its pending deliveries', async () => {
    const [removed, off] = [service.subscription(), service.subscription()];
    service.subscriber.answer(500);
    await service.planAsQuick([service.event(removed.form_id), service.event(off.form_id), service.event(off.form_id)]);
    await service.run();

    await followSubscriptions(service.deps, [service.changed(removed, 'deleted', 2), service.changed(off, 'inactive', 2)]);
    service.clock.advance(60_000);

    await expect(service.run()).resolves.toBe(0);
    await expect(service.deliveries(removed)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
    await expect(service.deliveries(off)).resolves.toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
  });

  it('counts only if it is newer than our copy', async () => {
    const subscription = service.subscription({ revision: 5 });
    await service.planAsQuick([service.event(subscription.form_id)]);
    const copy = () => service.db('subscription').where({ id: subscription.id }).first<object>();

    await followSubscriptions(service.deps, [service.changed(subscription, 'deleted', 4), service.changed(subscription, 'inactive', 5)]);
    await expect(copy()).resolves.toMatchObject({ state: 'active', revision: 5 });
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending' }]);

    await followSubscriptions(service.deps, [service.changed(subscription, 'deleted', 7), service.changed(subscription, 'active', 6)]);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
    // An answer from `hooks` that was in flight when the subscription was removed.
    await expect(service.planAsQuick([service.event(subscription.form_id)])).resolves.toBe(0);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
  });

  it('comes too late for a POST in flight: if that succeeds, the delivery has succeeded', async () => {
    const [arrives, fails] = [service.subscription(), service.subscription()];
    await service.planAsQuick([service.event(arrives.form_id), service.event(fails.form_id)]);
    const attempts = new Attempts({
      ...service.deps,
      egress: {
        post: async (_url, { headers }) => {
          const subscription = headers['X-Webhook-ID'] === arrives.id ? arrives : fails;
          await followSubscriptions(service.deps, [service.changed(subscription, 'deleted', 2)]);
          return { status: subscription === arrives ? 200 : 500, durationMs: 1 };
        },
      },
    });
    await service.run(attempts);

    await expect(service.deliveries(arrives)).resolves.toMatchObject([{ state: 'succeeded' }]);
    await expect(service.deliveries(fails)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
  });

  it('that is unreadable does not hold up the others', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    const nonsense = ['', '{}', '{"id":"nonsense"}'].map((body) => ({ ...service.changed(subscription, 'deleted', 2), body }));
    await followSubscriptions(service.deps, [...nonsense, service.changed(subscription, 'deleted', 2)]);

    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'cancelled' }]);
  });
});
