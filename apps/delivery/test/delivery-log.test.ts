import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs } from '@sheaf/testing';
import { Attempts } from '../src/attempt';
import { followSubscriptions } from '../src/follow-subscriptions';
import { anEvent, aSubscription, changed, client, clock, deliveriesTo, deps, instanceId, later, onStage, plan, refused, run, subscriber, workspaceId } from './support/stage';

onStage();

describe('the log of deliveries', () => {
  const viewer = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'viewer' } });
  const list = (form_id: string, filter: { state?: string; subscription_id?: string; limit?: number; offset?: number } = {}, as: Caller = viewer) =>
    client.listDeliveries(callAs(as), { form_id, limit: 25, offset: 0, ...filter });
  const get = (form_id: string, id: string, as: Caller = viewer) => client.getDelivery(callAs(as), { form_id, id });

  it('lists the newest first, page by page, with the exact total', async () => {
    const subscription = aSubscription();
    const events = Array.from({ length: 5 }, () => anEvent(subscription.form_id));
    for (const event of events) await plan(deps, [event]);

    const first = await list(subscription.form_id, { limit: 2 });
    const last = await list(subscription.form_id, { limit: 2, offset: 4 });

    expect(first.total).toBe(5);
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([events[4]?.id, events[3]?.id]);
    expect(last).toMatchObject({ total: 5, deliveries: [{ event_id: events[0]?.id }] });
    expect(first.deliveries[0]).toMatchObject({
      event: 'submission.created', form_id: subscription.form_id, subscription_id: subscription.id, url: subscription.url, state: 'pending',
      attempt_count: 0, next_attempt_at: clock.now().toISOString(), created_at: clock.now().toISOString(), attempts: [],
    });
  });

  it('filters by state and by subscription, and its totals follow every change', async () => {
    const good = aSubscription({ url: `${subscriber.url}/good` });
    const bad = aSubscription({ form_id: good.form_id, url: `${subscriber.url}/bad` });
    subscriber.answer(({ path }) => (path === '/bad' ? 500 : 200));
    await plan(deps, [anEvent(good.form_id), anEvent(good.form_id)]);
    const totals = async () => ({
      all: (await list(good.form_id)).total,
      ...Object.fromEntries(await Promise.all(['pending', 'succeeded', 'failed', 'cancelled'].map(async (state) => [state, (await list(good.form_id, { state })).total] as const))),
    });

    await expect(totals()).resolves.toEqual({ all: 4, pending: 4, succeeded: 0, failed: 0, cancelled: 0 });
    await run();
    await expect(totals()).resolves.toEqual({ all: 4, pending: 2, succeeded: 2, failed: 0, cancelled: 0 });
    await followSubscriptions(deps, [changed(bad, 'inactive', 2)]);
    await expect(totals()).resolves.toEqual({ all: 4, pending: 0, succeeded: 2, failed: 0, cancelled: 2 });

    await expect(list(good.form_id, { subscription_id: bad.id, state: 'cancelled' })).resolves.toMatchObject({ total: 2, deliveries: [{ state: 'cancelled' }, { state: 'cancelled' }] });
    await expect(list(good.form_id, { subscription_id: good.id })).resolves.toMatchObject({ total: 2 });
    await expect(list(good.form_id, { subscription_id: 'nonsense' })).resolves.toMatchObject({ total: 0, deliveries: [] });
    await expect(list(newId(), { subscription_id: bad.id })).resolves.toMatchObject({ total: 0, deliveries: [] });
  });

  it('shows one delivery with every attempt and the exact bytes', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    subscriber.answer(500);
    await plan(deps, [event]);
    await run();
    const [row] = await deliveriesTo(subscription);

    const shown = await get(subscription.form_id, String(row?.id));

    expect(shown.body?.toString()).toBe(event.body);
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, next_attempt_at: later(4_000).toISOString() });
    expect(shown.attempts).toEqual([expect.objectContaining({ number: 1, started_at: clock.now().toISOString(), status: 500, error: 'status' })]);
    expect(shown.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it('says nothing of the end of an attempt that is under way', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts(deps);
    subscriber.answer('hang');
    await plan(deps, [anEvent(subscription.form_id)]);
    await attempts.runDue();
    const [row] = await deliveriesTo(subscription);

    const shown = await get(subscription.form_id, String(row?.id));
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, attempts: [{ number: 1 }] });
    expect([shown.next_attempt_at, shown.attempts[0]?.error]).toEqual([undefined, undefined]);
    await subscriber.waitFor(1);
    subscriber.hangUp();
    await attempts.idle();
  });

  it('is for those with a role on the form', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const [row] = await deliveriesTo(subscription);
    const id = String(row?.id);
    const outsider = aUser({ instanceId });

    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId }))).resolves.toMatchObject({ total: 1 });
    await expect(list(subscription.form_id, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(get(subscription.form_id, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(list(subscription.form_id, {}, { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));
    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
    await expect(list('nonsense')).rejects.toEqual(refused('not_found'));
  });

  it('finds no delivery that is unknown, malformed, or of another form', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const [row] = await deliveriesTo(subscription);

    await expect(get(subscription.form_id, newId())).rejects.toEqual(refused('not_found'));
    await expect(get(subscription.form_id, 'nonsense')).rejects.toEqual(refused('not_found'));
    await expect(get(newId(), String(row?.id))).rejects.toEqual(refused('not_found'));
  });
});
