import { callAs } from '@sheaf/testing';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

const editor = () => callAs(service.member('editor'));
const states = async (subscription: Listener) => (await service.deliveries(subscription)).map(({ state }) => state);
/** Switches a subscription on or off in `hooks`, of which nothing has arrived here yet. */
const switched = (subscription: Listener, active: boolean) =>
  service.subscription({ ...subscription, active, revision: subscription.revision + 1 });
const health = async ({ form_id, id }: Listener) => (await service.client.getWebhookHealth(editor(), { form_id, id })).webhooks[0];

describe('an event while a subscription is switched off', () => {
  it('is logged as skipped with its body, and not sent', async () => {
    const off = service.subscription({ active: false });
    const on = service.subscription({ form_id: off.form_id, url: `${service.subscriber.url}/on` });
    const event = service.event(off.form_id);
    expect(await service.planAsQuick([event])).toBe(1);
    await service.run();

    expect(service.subscriber.received).toHaveLength(1);
    expect(await states(on)).toEqual(['succeeded']);
    const id = (await service.deliveries(off))[0]?.id ?? '';
    const shown = await service.client.getDelivery(editor(), { form_id: off.form_id, id });
    expect(shown).toMatchObject({ state: 'skipped', attempt_count: 0, attempts: [], body: Buffer.from(event.body) });
    const listed = await service.client.listDeliveries(editor(), { form_id: off.form_id, state: 'skipped', limit: 10, offset: 0 });
    expect(listed).toMatchObject({ total: 1, deliveries: [{ id, subscription_id: off.id }] });
    // The broker brings it again.
    await service.planAsQuick([event]);
    expect(await states(off)).toEqual(['skipped']);
  });

  it('is kept also if nobody else listens, or our copy knew only that it was active', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription);
    await service.run();
    switched(subscription, false);
    await service.planEvents(subscription, 2);
    expect(await states(subscription)).toEqual(['succeeded', 'skipped', 'skipped']);
    expect(await service.run()).toBe(0);
  });

  it('is kept from the 410 on, even before hooks knows of it', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(410);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();
    await service.planEvents(subscription, 2);
    expect(await states(subscription)).toEqual(['failed', 'skipped', 'skipped']);
  });

  it('is not kept for a subscription that is removed', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription);
    await followSubscriptions(service.deps, [service.changed(subscription, 'deleted', 2)]);
    await service.planEvents(subscription);
    expect(await states(subscription)).toEqual(['cancelled']);
  });

  it('takes no place in the backlog of what is to be sent', async () => {
    const subscription = service.subscription({ active: false });
    const deps = { ...service.deps, settings: { ...service.deps.settings, DELIVERY_BACKLOG: 1 } };
    await plan(
      deps,
      [1, 2, 3].map(() => service.event(subscription.form_id)),
    );
    expect(await states(subscription)).toEqual(['skipped', 'skipped', 'skipped']);
  });
});

describe('once it is switched on again', () => {
  it('skipped deliveries can be sent at once, one or a range, in order and with the bodies of then', async () => {
    const off = service.subscription({ active: false });
    const events = [1, 2, 3].map((n) => service.event(off.form_id, { body: `{"event":"submission.created","n":${n}}` }));
    for (const event of events) await service.planAsQuick([event]);
    const id = (await service.deliveries(off))[0]?.id ?? '';
    const { form_id } = off;
    await expect(service.client.redeliver(editor(), { form_id, id })).rejects.toMatchObject({ code: 'bad_request' });

    const { skipped } = (await health(off)) ?? {};
    expect(skipped).toMatchObject({ count: 3 });
    switched(off, true);
    await service.client.redeliver(editor(), { form_id, id });
    await service.markQuick(off);
    while ((await service.run()) > 0);
    const range = {
      form_id,
      from: skipped?.from ?? '',
      to: new Date(Date.now() + 60_000).toISOString(),
      state: 'skipped',
      subscription_id: off.id,
    };
    expect(await service.client.countRedeliverable(editor(), range)).toMatchObject({ matching: 2 });
    expect(await service.client.redeliverMany(editor(), range)).toEqual({ redelivered: 2 });
    while ((await service.run()) > 0);

    expect(service.subscriber.received.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
    expect(await states(off)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await health(off))?.skipped).toBeUndefined();
  });

  it('new events are sent as before', async () => {
    const off = service.subscription({ active: false });
    await service.planEvents(off);
    switched(off, true);
    await service.planEvents(off);
    await service.run();
    expect(await states(off)).toEqual(['skipped', 'succeeded']);
  });
});
