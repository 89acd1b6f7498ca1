import { Broker, consume, record, startRelay, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { brokerUrl, eventually, freshDatabase } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { migrations } from '../src/migrations';
import { startWorker } from '../src/attempts/worker';
import { startService, type Service } from './support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('an event', () => {
  it('is planned only once, even if somebody subscribes later', async () => {
    const first = service.subscription();
    const event = service.event(first.form_id);
    await expect(service.planAsQuick([event, event])).resolves.toBe(1);
    service.subscription({ form_id: first.form_id });

    await expect(service.planAsQuick([event])).resolves.toBe(0);
    await expect(Promise.all([service.planAsQuick([event]), service.planAsQuick([event])])).resolves.toEqual([0, 0]);
    await expect(service.db('delivery').where({ form_id: first.form_id })).resolves.toHaveLength(1);
  });

  it('is planned once by concurrent processes', async () => {
    const subscription = service.subscription();
    const event = service.event(subscription.form_id);
    const made = await Promise.all(Array.from({ length: 6 }, () => service.planAsQuick([event])));

    expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
    await expect(service.deliveries(subscription)).resolves.toHaveLength(1);
  });

  it('without listeners is recorded all the same', async () => {
    const event = service.event(newId());
    await expect(service.planAsQuick([event])).resolves.toBe(0);
    service.subscription({ form_id: event.formId ?? '' });
    await expect(service.planAsQuick([event])).resolves.toBe(0);
  });

  it('costs one call to hooks for a whole batch', async () => {
    const subscription = service.subscription();
    const batch = [
      service.event(subscription.form_id),
      service.event(subscription.form_id),
      service.event(newId(), { type: 'submission.deleted' }),
    ];
    service.hooksCalls.length = 0;
    await service.planAsQuick(batch);

    expect(service.hooksCalls).toEqual([['submission.created', 'submission.deleted']]);
  });

  it('that is unreadable is skipped, and does not hold up later ones', async () => {
    const subscription = service.subscription();
    const { formId: _, ...withoutForm } = service.event(subscription.form_id);
    const nonsense = [
      withoutForm,
      service.event('nonsense'),
      service.event(subscription.form_id, { id: 'nonsense' }),
      service.event(subscription.form_id, { instanceId: '' }),
      service.event(subscription.form_id, { body: '{"event":' }),
      service.event(subscription.form_id, { body: '"\0"' }),
      service.event(subscription.form_id, { type: 'form.changed' }),
    ];

    await expect(service.planAsQuick([...nonsense, service.event(subscription.form_id)])).resolves.toBe(1);
  });

  it('is sent after all earlier events', async () => {
    const subscription = service.subscription();
    const attempts = service.attemptsWith({ DELIVERY_PER_SUBSCRIPTION: 1 });
    const events = Array.from({ length: 5 }, (_, n) => service.event(subscription.form_id, { body: `{"n":${n}}` }));
    await service.planAsQuick(events.slice(0, 3));
    await service.planAsQuick(events.slice(3));
    while ((await service.run(attempts)) > 0);

    expect(service.subscriber.received.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
  });
});

describe('over NATS', () => {
  it('an event becomes one POST, even if it arrives again, and its source gets a confirmation', async () => {
    const subscription = service.subscription();
    const consuming = service.process();
    const listenerBroker = await Broker.connect(consuming, brokerUrl());
    const worker = startWorker(consuming, new Attempts(service.deps));
    consume(consuming, {
      broker: listenerBroker,
      durable: 'delivery',
      source: 'submissions',
      handle: async (events) => {
        if ((await service.planAsQuick(events)) > 0) worker.wake();
      },
    });
    consume(consuming, {
      broker: listenerBroker,
      durable: 'delivery',
      source: 'hooks',
      handle: (events) => followSubscriptions(service.deps, events),
    });

    const sender = await aSender('submissions');
    const event = service.event(subscription.form_id);
    await sender.send(event);
    await service.subscriber.waitFor(1);
    await sender.confirmed();
    await sender.send(event, { publications: 1 });
    await sender.confirmed();
    await sender.send(service.event(subscription.form_id, { body: '{"last":true}' }));
    await service.subscriber.waitFor(1, ({ body }) => body === '{"last":true}');

    expect(service.subscriber.received).toHaveLength(2);
    await eventually(async () =>
      expect(await service.deliveries(subscription)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]),
    );

    const hooks = await aSender('hooks');
    await hooks.send(service.changed(subscription, 'deleted', 2));
    await hooks.confirmed();
    await expect(service.db('subscription').where({ id: subscription.id }).first()).resolves.toMatchObject({ state: 'deleted' });
  });
});

/** Another service's process, with nothing but its outbox. */
async function aSender(source: 'submissions' | 'hooks') {
  const process = service.process(source);
  const { db: there } = await freshDatabase(migrations);
  process.onStop('database', () => there.destroy());
  const sending = await Broker.connect(process, brokerUrl());
  const relayed = startRelay(process, {
    db: there,
    broker: sending,
    source,
    clock: service.clock,
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
