import { eventually, startSubscriber } from '@sheaf/testing';
import { startWorker } from '../src/attempts/worker';
import { startService, type Service } from './support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('slots', () => {
  it('go to each subscription once before any subscription gets a second one', async () => {
    const crowd = service.subscription({ url: `${service.subscriber.url}/crowd` });
    await service.planAsQuick(Array.from({ length: 10 }, () => service.event(crowd.form_id)));
    const quiet = Array.from({ length: 3 }, () => service.subscription({ url: `${service.subscriber.url}/quiet` }));
    await service.planAsQuick(quiet.map(({ form_id }) => service.event(form_id)));

    await expect(service.run(service.attemptsWith({ DELIVERY_CONCURRENCY: 6 }))).resolves.toBe(4);
    expect(service.subscriber.received.map(({ path }) => path).sort()).toEqual(['/crowd', '/quiet', '/quiet', '/quiet']);
  });

  it('are limited per subscription, even across several looks, and to one once it has hung', async () => {
    const subscription = service.subscription();
    const attempts = service.attemptsWith({ DELIVERY_SLOW_MS: 300 });
    service.subscriber.answer('hang');
    await service.planAsQuick(Array.from({ length: 8 }, () => service.event(subscription.form_id)));

    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 3 });
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });
    await eventually(async () =>
      expect(await service.db('turn').where({ subscription_id: subscription.id }).first()).toMatchObject({ lane: 'slow' }),
    );
    await service.subscriber.waitFor(3);
    service.subscriber.hangUp();
    await attempts.idle();
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 1 });
    await service.subscriber.waitFor(4);
    service.subscriber.hangUp();
    await attempts.idle();
  });

  it('taken by dead subscribers leave enough for the healthy ones', async () => {
    const worker = service.process('worker');
    const hanging = await startSubscriber();
    hanging.answer('hang');
    // Closing it ends their attempts, and only then can the worker stop.
    service.process('hanging').onStop('subscriber', () => hanging.close());
    const dead = [service.subscription({ url: hanging.url }), service.subscription({ url: hanging.url })];
    const healthy = service.subscription();
    await service.planAsQuick(dead.flatMap(({ form_id }) => Array.from({ length: 50 }, () => service.event(form_id))));
    const attempts = service.attemptsWith({ DELIVERY_TIMEOUT_MS: 60_000 });
    const work = startWorker(worker, attempts);
    await hanging.waitFor(6);

    await service.planAsQuick(Array.from({ length: 20 }, () => service.event(healthy.form_id)));
    work.wake();
    // All of these arrive before any attempt to the hanging subscriber ends.
    await service.subscriber.waitFor(20);
    expect(hanging.received).toHaveLength(6);
    expect(
      await service
        .db('attempt')
        .whereNotNull('duration_ms')
        .whereIn(
          'delivery_id',
          service
            .db('delivery')
            .whereIn(
              'subscription_id',
              dead.map(({ id }) => id),
            )
            .select('id'),
        ),
    ).toEqual([]);
  });
});
