import { Broker, consume, record, startRelay, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { brokerUrl, eventually, freshDatabase } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempt';
import { followSubscriptions } from '../src/planning/follow-subscriptions';
import { migrations } from '../src/migrations';
import { startWorker } from '../src/attempts/worker';
import {
  anEvent,
  another,
  asked,
  aSubscription,
  changed,
  clock,
  db,
  deliveriesTo,
  deps,
  onStage,
  plan,
  run,
  settings,
  subscriber,
} from './support/stage';

onStage();

describe('an event', () => {
  it('is planned only once, even if somebody subscribes later', async () => {
    const first = aSubscription();
    const event = anEvent(first.form_id);
    await expect(plan(deps, [event, event])).resolves.toBe(1);
    aSubscription({ form_id: first.form_id });

    await expect(plan(deps, [event])).resolves.toBe(0);
    await expect(Promise.all([plan(deps, [event]), plan(deps, [event])])).resolves.toEqual([0, 0]);
    await expect(db('delivery').where({ form_id: first.form_id })).resolves.toHaveLength(1);
  });

  it('is planned once by concurrent processes', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    const made = await Promise.all(Array.from({ length: 6 }, () => plan(deps, [event])));

    expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toHaveLength(1);
  });

  it('without listeners is recorded all the same', async () => {
    const event = anEvent(newId());
    await expect(plan(deps, [event])).resolves.toBe(0);
    aSubscription({ form_id: event.formId ?? '' });
    await expect(plan(deps, [event])).resolves.toBe(0);
  });

  it('costs one call to hooks for a whole batch', async () => {
    const subscription = aSubscription();
    const batch = [anEvent(subscription.form_id), anEvent(subscription.form_id), anEvent(newId(), { type: 'submission.deleted' })];
    asked.length = 0;
    await plan(deps, batch);

    expect(asked).toEqual([['submission.created', 'submission.deleted']]);
  });

  it('that is unreadable is skipped, and does not hold up later ones', async () => {
    const subscription = aSubscription();
    const { formId: _, ...withoutForm } = anEvent(subscription.form_id);
    const nonsense = [
      withoutForm,
      anEvent('nonsense'),
      anEvent(subscription.form_id, { id: 'nonsense' }),
      anEvent(subscription.form_id, { instanceId: '' }),
      anEvent(subscription.form_id, { body: '{"event":' }),
      anEvent(subscription.form_id, { body: '"\0"' }),
      anEvent(subscription.form_id, { type: 'form.changed' }),
    ];

    await expect(plan(deps, [...nonsense, anEvent(subscription.form_id)])).resolves.toBe(1);
  });

  it('is sent after all earlier events', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts({ ...deps, settings: { ...settings, DELIVERY_PER_SUBSCRIPTION: 1 } });
    const events = Array.from({ length: 5 }, (_, n) => anEvent(subscription.form_id, { body: `{"n":${n}}` }));
    await plan(deps, events.slice(0, 3));
    await plan(deps, events.slice(3));
    while ((await run(attempts)) > 0);

    expect(subscriber.received.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
  });
});

describe('over NATS', () => {
  it('an event becomes one POST, even if it arrives again, and its source gets a confirmation', async () => {
    const subscription = aSubscription();
    const consuming = another('delivery');
    const listenerBroker = await Broker.connect(consuming, brokerUrl());
    const worker = startWorker(consuming, new Attempts(deps));
    consume(consuming, {
      broker: listenerBroker,
      durable: 'delivery',
      source: 'submissions',
      handle: async (events) => {
        if ((await plan(deps, events)) > 0) worker.wake();
      },
    });
    consume(consuming, {
      broker: listenerBroker,
      durable: 'delivery',
      source: 'hooks',
      handle: (events) => followSubscriptions(deps, events),
    });

    const sender = await aSender('submissions');
    const event = anEvent(subscription.form_id);
    await sender.send(event);
    await subscriber.waitFor(1);
    await sender.confirmed();
    await sender.send(event, { publications: 1 });
    await sender.confirmed();
    await sender.send(anEvent(subscription.form_id, { body: '{"last":true}' }));
    await subscriber.waitFor(1, ({ body }) => body === '{"last":true}');

    expect(subscriber.received).toHaveLength(2);
    await eventually(async () => expect(await deliveriesTo(subscription)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]));

    const hooks = await aSender('hooks');
    await hooks.send(changed(subscription, 'deleted', 2));
    await hooks.confirmed();
    await expect(db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'deleted' });
  });
});

/** Another service's process, with nothing but its outbox. */
async function aSender(source: 'submissions' | 'hooks') {
  const process = another(source);
  const { db: there } = await freshDatabase(migrations);
  process.onStop('database', () => there.destroy());
  const sending = await Broker.connect(process, brokerUrl());
  const relayed = startRelay(process, {
    db: there,
    broker: sending,
    source,
    clock,
    settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
  });
  return {
    /** `publications` is the number of earlier publications, so that the broker does not take this one for a duplicate. */
    send: (event: DomainEvent, { publications } = { publications: 0 }) =>
      relayed.transaction(async (trx) => {
        await record(trx, event);
        await trx('outbox').where({ id: event.id }).update({ publications });
      }),
    confirmed: () => eventually(async () => expect(await there('outbox').select()).toEqual([])),
  };
}
