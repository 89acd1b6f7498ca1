import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

// A user who narrows the events of a webhook and then changes its address must not get there what it carried before.

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

const created = 'submission.created';
const deleted = 'submission.deleted';
const deliveries = async (subscription: Listener) =>
  (
    await service.db('delivery').where({ subscription_id: subscription.id }).orderBy('id').select<object[]>('state', 'reason', 'attempts')
  ).map((row) => ({ ...row }));
/** Changes the subscription in `hooks` and here. */
async function changed(subscription: Listener, changes: Partial<Listener>): Promise<Listener> {
  const after = service.subscription({ ...subscription, ...changes, revision: subscription.revision + 1 });
  await followSubscriptions(service.deps, [service.changed(after, 'active', after.revision)]);
  return after;
}
const elsewhere = () => `${service.subscriber.url}/elsewhere`;
const eventsReceived = () => service.subscriber.received.map(({ path, headers }) => [path, headers['x-webhook-event']]);
/** Looks until nothing is due any more. */
async function runAll(): Promise<void> {
  for (let looks = 0; looks < 5; looks++) while ((await service.run()) > 0);
}

describe('a pending delivery of an event that its subscription does not listen to any more', () => {
  it('is cancelled instead of being sent or repeated, and others are sent to the new address', async () => {
    const subscription = service.subscription({ events: [created, deleted] });
    service.subscriber.answer(500);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();
    await service.planAsQuick([1, 2, 3, 4, 5].map(() => service.event(subscription.form_id)));
    await service.planAsQuick([service.event(subscription.form_id, { type: deleted, body: '{}' })]);
    service.subscriber.answer(200);
    await changed(subscription, { event: deleted, events: [deleted], url: elsewhere() });
    service.clock.advance(4_000);
    await runAll();

    expect(eventsReceived()).toEqual([
      ['/hook', created],
      ['/elsewhere', deleted],
    ]);
    const cancelled = { state: 'cancelled', reason: 'event_removed' };
    expect(await deliveries(subscription)).toEqual([
      { ...cancelled, attempts: 1 },
      ...[1, 2, 3, 4, 5].map(() => ({ ...cancelled, attempts: 0 })),
      { state: 'succeeded', reason: null, attempts: 1 },
    ]);
    expect(await service.db('queue')).toEqual([]);
  });

  it('is sent if the subscription listens to it again by then', async () => {
    const subscription = service.subscription({ events: [created, deleted] });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await changed(await changed(subscription, { events: [deleted] }), { events: [created] });
    await runAll();
    expect(eventsReceived()).toEqual([['/hook', created]]);
  });
});

describe('an event is not planned for a subscription', () => {
  it('of which our copy is newer than the listeners, and does not listen to it', async () => {
    const subscription = service.subscription();
    await followSubscriptions(service.deps, [service.changed({ ...subscription, events: [deleted], url: elsewhere() }, 'active', 2)]);
    await service.planAsQuick([service.event(subscription.form_id)]);
    expect(await deliveries(subscription)).toEqual([]);
  });
});

describe('a copy whose events are not known', () => {
  it('listens to all of them, and learns them from hooks', async () => {
    const subscription = service.subscription({ events: null });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await runAll();
    expect(await deliveries(subscription)).toMatchObject([{ state: 'succeeded' }]);
    expect(await service.db('subscription').where({ id: subscription.id })).toMatchObject([{ events: null }]);
    await followSubscriptions(service.deps, [service.changed({ ...subscription, events: [created] }, 'active', 1)]);
    expect(await service.db('subscription').where({ id: subscription.id })).toMatchObject([{ events: [created], events_revision: 1 }]);
  });

  it('is one that a process of the version before has changed', async () => {
    const subscription = service.subscription({ events: [deleted], event: deleted });
    await service.planAsQuick([service.event(subscription.form_id, { type: deleted })]);
    await service.db('subscription').where({ id: subscription.id }).update({ revision: 2 });
    service.subscription({ ...subscription, events: [created, deleted], revision: 2 });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await runAll();
    expect(await deliveries(subscription)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
  });

  it('stays switched off after a 410 when it learns them', async () => {
    const subscription = service.subscription({ events: null });
    service.subscriber.answer(410);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await runAll();
    await followSubscriptions(service.deps, [service.changed({ ...subscription, events: [created] }, 'active', 1)]);
    expect(await service.db('subscription').where({ id: subscription.id })).toMatchObject([{ events: [created], state: 'inactive' }]);
  });
});
