import type { DomainEvent } from '@sheaf/events';
import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempt';
import { followSubscriptions } from '../src/planning/follow-subscriptions';
import {
  anEvent,
  aSubscription,
  attemptsTo,
  broker,
  changed,
  clock,
  db,
  deliveriesTo,
  deps,
  listening,
  onStage,
  plan,
  run,
  settings,
  subscriber,
} from './support/stage';

onStage();

describe('a subscriber that answers 410', () => {
  it('is not called again, neither for this delivery nor for pending ones, and hooks is told', async () => {
    const subscription = aSubscription({ revision: 7 });
    const told: DomainEvent[] = [];
    broker.listen('sheaf.events.delivery.>', { onEvent: (event) => told.push(event), onGap: () => undefined });
    await broker.connection.flush();
    subscriber.answer(410);
    await plan(
      deps,
      Array.from({ length: 3 }, () => anEvent(subscription.form_id)),
    );
    const oneByOne = new Attempts({ ...deps, settings: { ...settings, DELIVERY_PER_SUBSCRIPTION: 1 } });
    await run(oneByOne);
    clock.advance(60_000);
    await expect(run(oneByOne)).resolves.toBe(0);

    expect(subscriber.received).toHaveLength(1);
    const states = (await deliveriesTo(subscription)).map(({ state }) => state);
    expect(states).toEqual(['failed', 'cancelled', 'cancelled']);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ status: 410 }]);
    // Nothing confirms it here, so it may arrive again.
    await eventually(() =>
      expect(told.find(({ subject }) => subject === subscription.id)).toMatchObject({
        type: 'subscription.gone',
        body: JSON.stringify({ id: subscription.id, revision: 7, reason: 'gone' }),
      }),
    );
  });

  it('gets nothing new, even before hooks knows', async () => {
    const subscription = aSubscription();
    subscriber.answer(410);
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(0);
    listening.set(subscription.id, { ...subscription, revision: 3 });
    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(1);
  });

  it('can do so several times at once without harm', async () => {
    const subscription = aSubscription();
    subscriber.answer(410);
    await plan(
      deps,
      Array.from({ length: 5 }, () => anEvent(subscription.form_id)),
    );
    await run();

    const states = (await deliveriesTo(subscription)).map(({ state }) => state);
    expect(states.filter((state) => state === 'pending')).toEqual([]);
    await expect(db('outbox').where({ subject: subscription.id })).resolves.toHaveLength(1);
  });

  it('does not end a subscription that was renewed since the call', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const attempts = new Attempts({
      ...deps,
      egress: {
        post: async () => {
          await followSubscriptions(deps, [changed(subscription, 'active', 3)]);
          return { status: 410, durationMs: 1 };
        },
      },
    });
    await run(attempts);

    await expect(db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'active', revision: 3 });
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed' }]);
    await expect(db('outbox').where({ subject: subscription.id })).resolves.toEqual([]);
  });
});

describe('a change of a subscription', () => {
  it('that removes it or switches it off cancels its pending deliveries', async () => {
    const [removed, off] = [aSubscription(), aSubscription()];
    subscriber.answer(500);
    await plan(deps, [anEvent(removed.form_id), anEvent(off.form_id), anEvent(off.form_id)]);
    await run();

    await followSubscriptions(deps, [changed(removed, 'deleted', 2), changed(off, 'inactive', 2)]);
    clock.advance(60_000);

    await expect(run()).resolves.toBe(0);
    await expect(deliveriesTo(removed)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
    await expect(deliveriesTo(off)).resolves.toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
  });

  it('counts only if it is newer than our copy', async () => {
    const subscription = aSubscription({ revision: 5 });
    await plan(deps, [anEvent(subscription.form_id)]);
    const copy = () => db('subscription').where({ id: subscription.id }).first<object>();

    await followSubscriptions(deps, [changed(subscription, 'deleted', 4), changed(subscription, 'inactive', 5)]);
    await expect(copy()).resolves.toMatchObject({ state: 'active', revision: 5 });
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending' }]);

    await followSubscriptions(deps, [changed(subscription, 'deleted', 7), changed(subscription, 'active', 6)]);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
    // An answer from `hooks` that was in flight when the subscription was removed.
    await expect(plan(deps, [anEvent(subscription.form_id)])).resolves.toBe(0);
    await expect(copy()).resolves.toMatchObject({ state: 'deleted', revision: 7 });
  });

  it('comes too late for a POST in flight: if that succeeds, the delivery has succeeded', async () => {
    const [arrives, fails] = [aSubscription(), aSubscription()];
    await plan(deps, [anEvent(arrives.form_id), anEvent(fails.form_id)]);
    const attempts = new Attempts({
      ...deps,
      egress: {
        post: async (_url, { headers }) => {
          const subscription = headers['X-Webhook-ID'] === arrives.id ? arrives : fails;
          await followSubscriptions(deps, [changed(subscription, 'deleted', 2)]);
          return { status: subscription === arrives ? 200 : 500, durationMs: 1 };
        },
      },
    });
    await run(attempts);

    await expect(deliveriesTo(arrives)).resolves.toMatchObject([{ state: 'succeeded' }]);
    await expect(deliveriesTo(fails)).resolves.toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
  });

  it('that is unreadable does not hold up the others', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const nonsense = ['', '{}', '{"id":"nonsense"}'].map((body) => ({ ...changed(subscription, 'deleted', 2), body }));
    await followSubscriptions(deps, [...nonsense, changed(subscription, 'deleted', 2)]);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'cancelled' }]);
  });
});
