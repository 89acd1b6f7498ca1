import { newId, type Caller, type Scope } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, refused } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { plan } from '../src/planning/plan';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { startService, type Service } from './support/service';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('the delivery log', () => {
  const viewer = () => service.member('viewer');
  const editor = () => service.member('editor');
  const list = (
    form_id: string,
    filter: { state?: string; subscription_id?: string; limit?: number; offset?: number } = {},
    as: Caller = viewer(),
  ) => service.client.listDeliveries(callAs(as), { form_id, limit: 25, offset: 0, ...filter });
  const get = (form_id: string, id: string, as: Caller = viewer()) => service.client.getDelivery(callAs(as), { form_id, id });

  it('lists the newest first, page by page, with the exact total', async () => {
    const subscription = service.subscription();
    const events = Array.from({ length: 5 }, () => service.event(subscription.form_id));
    for (const event of events) await service.planAsQuick([event]);

    const first = await list(subscription.form_id, { limit: 2 });
    const last = await list(subscription.form_id, { limit: 2, offset: 4 });

    expect(first.total).toBe(5);
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([events[4]?.id, events[3]?.id]);
    expect(last).toMatchObject({ total: 5, deliveries: [{ event_id: events[0]?.id }] });
    expect(first.deliveries[0]).toMatchObject({
      event: 'submission.created',
      form_id: subscription.form_id,
      subscription_id: subscription.id,
      url: service.subscriber.url,
      state: 'pending',
      attempt_count: 0,
      next_attempt_at: service.clock.now().toISOString(),
      created_at: service.clock.now().toISOString(),
      attempts: [],
    });
  });

  it('shows how each attempt reached its subscriber, whose connection is kept for the next first attempt', async () => {
    const subscription = service.subscription();
    const seen: object[] = [];
    for (let time = 0; time < 2; time++) {
      await service.planAsQuick([service.event(subscription.form_id)]);
      await service.run();
      const [latest] = (await list(subscription.form_id)).deliveries;
      const { attempts } = await get(subscription.form_id, latest?.id ?? '');
      seen.push(attempts[0]?.connection ?? {});
    }
    // An address is not looked up, and http has no TLS.
    const ms = expect.any(Number) as unknown;
    expect(seen).toEqual([
      { reused: false, connect_ms: ms, first_byte_ms: ms },
      { reused: true, first_byte_ms: ms },
    ]);
  });

  it('has no connection of an attempt in flight, and of those that an earlier version settled', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.dyingAttempts().runDue();
    const [delivery] = (await list(subscription.form_id)).deliveries;
    const { attempts } = await get(subscription.form_id, delivery?.id ?? '');
    expect(attempts).toHaveLength(1);
    expect(attempts[0]?.connection).toBeUndefined();
  });

  it('filters by state and by subscription, and its totals follow every change', async () => {
    const good = service.subscription({ url: `${service.subscriber.url}/good` });
    const bad = service.subscription({ form_id: good.form_id, url: `${service.subscriber.url}/bad` });
    service.subscriber.answer(({ path }) => (path === '/bad' ? 500 : 200));
    await service.planAsQuick([service.event(good.form_id), service.event(good.form_id)]);
    const totals = async () => ({
      all: (await list(good.form_id)).total,
      ...Object.fromEntries(
        await Promise.all(
          ['pending', 'succeeded', 'failed', 'cancelled'].map(
            async (state) => [state, (await list(good.form_id, { state })).total] as const,
          ),
        ),
      ),
    });

    await expect(totals()).resolves.toEqual({ all: 4, pending: 4, succeeded: 0, failed: 0, cancelled: 0 });
    await service.run();
    await expect(totals()).resolves.toEqual({ all: 4, pending: 2, succeeded: 2, failed: 0, cancelled: 0 });
    await followSubscriptions(service.deps, [service.changed(bad, 'inactive', 2)]);
    await expect(totals()).resolves.toEqual({ all: 4, pending: 0, succeeded: 2, failed: 0, cancelled: 2 });

    await expect(list(good.form_id, { subscription_id: bad.id, state: 'cancelled' })).resolves.toMatchObject({
      total: 2,
      deliveries: [{ state: 'cancelled' }, { state: 'cancelled' }],
    });
    await expect(list(good.form_id, { subscription_id: good.id })).resolves.toMatchObject({ total: 2 });
    await expect(list(good.form_id, { subscription_id: 'nonsense' })).resolves.toMatchObject({ total: 0, deliveries: [] });
    await expect(list(newId(), { subscription_id: bad.id })).resolves.toMatchObject({ total: 0, deliveries: [] });
  });

  it('shows one delivery with every attempt and the exact bytes', async () => {
    const subscription = service.subscription();
    const event = service.event(subscription.form_id);
    service.subscriber.answer(500);
    await service.planAsQuick([event]);
    await service.run();
    const [row] = await service.deliveries(subscription);

    const shown = await get(subscription.form_id, String(row?.id));

    expect(shown.body?.toString()).toBe(event.body);
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, next_attempt_at: service.later(4_000).toISOString() });
    expect(shown.attempts).toEqual([
      expect.objectContaining({ number: 1, started_at: service.clock.now().toISOString(), status: 500, error: 'status' }),
    ]);
    expect(shown.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  const refusing = (text: string) => ({ status: 422, headers: { 'content-type': 'text/plain' }, body: text });
  /** A delivery with one attempt. */
  async function attempted(url = `${service.subscriber.url}/hook`) {
    const subscription = service.subscription({ url });
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();
    return { formId: subscription.form_id, id: String((await service.deliveries(subscription))[0]?.id) };
  }

  it('says what a subscriber answered, also if it accepted the event', async () => {
    service.subscriber.answer(refusing('There is no field name.'));
    const { formId, id } = await attempted();
    service.subscriber.answer({ status: 200, body: 'Thank you.' });
    service.clock.advance(4_000);
    await service.run();

    const { attempts } = await get(formId, id, editor());
    expect(attempts).toMatchObject([
      { status: 422, error: 'status', response: { content_type: 'text/plain', body: 'There is no field name.', truncated: false } },
      { status: 200, response: { body: 'Thank you.', truncated: false } },
    ]);
    expect(attempts[1]?.error).toBeUndefined();
  });

  it('has the headers of an answer that help, and no cookies', async () => {
    const told = { 'x-request-id': 'abc-1', 'retry-after': '7' };
    service.subscriber.answer({ status: 200, headers: { ...told, 'set-cookie': 'session=secret', authorization: 'secret' } });
    const { formId, id } = await attempted();
    const { attempts } = await get(formId, id, editor());
    expect(attempts[0]?.response?.headers).toEqual(told);
    expect(JSON.stringify(await service.db('attempt').where({ delivery_id: id }))).not.toContain('secret');
  });

  it('says why no answer arrived, by the code of the failure', async () => {
    const { formId, id } = await attempted(service.subscriber.url.replace('http:', 'https:'));
    const { attempts } = await get(formId, id);
    expect(attempts).toMatchObject([{ error: 'tls', code: expect.stringMatching(/^(EPROTO|ERR_SSL_)/) as string }]);
    expect(attempts[0]?.response).toBeUndefined();
  });

  it('shows what a subscriber answered, and where it redirected, only to callers who may read submissions', async () => {
    service.subscriber.answer({ status: 307, headers: { location: '/zoe' }, body: 'Zoë has moved.' });
    const { formId, id } = await attempted();
    const account = (scopes: Scope[]) => aServiceAccount({ instanceId: service.instanceId, scopes });

    const hidden = await get(formId, id, account(['hooks:manage']));
    expect(hidden.attempts).toMatchObject([{ status: 307, error: 'status' }]);
    expect(hidden.attempts[0]?.response).toBeUndefined();
    const shown = await get(formId, id, account(['hooks:manage', 'submissions:read']));
    expect(shown.attempts).toMatchObject([{ response: { body: 'Zoë has moved.', location: `${service.subscriber.url}/zoe` } }]);
  });

  it('shows what a subscriber answered only to callers who know its address, because it may repeat that too', async () => {
    service.subscriber.answer({ status: 404, body: 'Cannot POST /hook' });
    const { formId, id } = await attempted();
    expect((await get(formId, id, viewer())).attempts[0]?.response).toBeUndefined();
    expect((await get(formId, id, editor())).attempts).toMatchObject([{ response: { body: 'Cannot POST /hook' } }]);

    const wide = service.subscription({ wide: true });
    await service.planAsQuick([service.event(wide.form_id)]);
    await service.run();
    const ofWide = String((await service.deliveries(wide))[0]?.id);
    expect((await get(wide.form_id, ofWide, editor())).attempts[0]?.response).toBeUndefined();
    // From now on, `hooks` says that the caller may change it.
    service.neighbours.hooks.targets.set(wide.id, { events: [wide.event], url: wide.url, payload: wide.payload });
    expect((await get(wide.form_id, ofWide, editor())).attempts).toMatchObject([{ response: { body: 'Cannot POST /hook' } }]);
  });

  it('shows what a subscriber answered to a batch of several forms only to callers who may change its webhook', async () => {
    const wide = service.subscription({ wide: true, options: { batch: { max_events: 2, max_seconds: 5 } } });
    const answer = 'Zoë of one form, Ann of the other';
    service.subscriber.answer({ status: 500, body: answer });
    await plan(service.deps, [service.event(wide.form_id), service.event(newId())]);
    await service.run();
    expect(service.subscriber.received).toHaveLength(1);
    const [ofOne] = await service.deliveries(wide);
    const read = () => get(wide.form_id, ofOne?.id ?? '', editor());
    expect((await read()).attempts).toMatchObject([{ status: 500, batch_id: service.subscriber.received[0]?.headers['webhook-id'] }]);
    expect((await read()).attempts[0]?.response).toBeUndefined();
    service.neighbours.hooks.targets.set(wide.id, { events: [wide.event], url: wide.url, payload: wide.payload });
    expect((await read()).attempts).toMatchObject([{ response: { body: answer } }]);
  });

  it('keeps the url and the headers of each attempt as they were at the time', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    service.subscriber.answer(500);
    await service.run();
    // Meanwhile the address changes, and the signature covers a later second.
    const moved = { ...subscription, url: `${service.subscriber.url}/moved` };
    await followSubscriptions(service.deps, [service.changed(moved, 'active', 2)]);
    service.clock.advance(4_000);
    await service.run();
    const [row] = await service.deliveries(subscription);

    const shown = await get(subscription.form_id, String(row?.id), editor());
    expect(shown.url).toBe(moved.url);
    expect(shown.attempts.map(({ url }) => url)).toEqual([subscription.url, moved.url]);
    for (const [n, { headers }] of shown.attempts.entries()) {
      expect(service.subscriber.received[n]?.headers).toMatchObject(
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      );
    }
    const [first, second] = shown.attempts.map(({ headers }) => headers['webhook-signature']);
    expect(first).toMatch(/^v1a,/);
    expect(second).not.toBe(first);
  });

  it('shows answers only to callers who may read submissions', async () => {
    const subscription = service.subscription();
    const event = service.event(subscription.form_id);
    await service.planAsQuick([event]);
    await service.run();
    const id = String((await service.deliveries(subscription))[0]?.id);
    const account = (scopes: Scope[]) => aServiceAccount({ instanceId: service.instanceId, scopes });

    const shown = await get(subscription.form_id, id, account(['hooks:manage']));
    expect(shown).toMatchObject({ state: 'succeeded', url: subscription.url, attempts: [{ status: 200 }] });
    expect(shown.body).toBeUndefined();
    const read = await get(subscription.form_id, id, account(['hooks:manage', 'submissions:read']));
    expect(read.body?.toString()).toBe(event.body);
  });

  it('shows a viewer the host of a webhook, but not its address', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    await service.run();
    const id = String((await service.deliveries(subscription))[0]?.id);

    await expect(get(subscription.form_id, id)).resolves.toMatchObject({
      url: service.subscriber.url,
      attempts: [{ url: service.subscriber.url }],
    });
    await expect(list(subscription.form_id)).resolves.toMatchObject({ deliveries: [{ url: service.subscriber.url }] });
    await expect(get(subscription.form_id, id, editor())).resolves.toMatchObject({
      url: subscription.url,
      attempts: [{ url: subscription.url }],
    });
    await expect(list(subscription.form_id, {}, editor())).resolves.toMatchObject({ deliveries: [{ url: subscription.url }] });
  });

  it('does not report an outcome for an attempt in flight', async () => {
    const subscription = service.subscription();
    const attempts = new Attempts(service.deps);
    service.subscriber.answer('hang');
    await service.planAsQuick([service.event(subscription.form_id)]);
    await attempts.runDue();
    const [row] = await service.deliveries(subscription);

    const shown = await get(subscription.form_id, String(row?.id));
    expect(shown).toMatchObject({ state: 'pending', attempt_count: 1, attempts: [{ number: 1 }] });
    expect([shown.next_attempt_at, shown.attempts[0]?.error]).toEqual([undefined, undefined]);
    // The address is known already, the headers are not.
    expect(shown.attempts[0]).toMatchObject({ url: service.subscriber.url, headers: {} });
    await service.subscriber.waitFor(1);
    service.subscriber.hangUp();
    await attempts.idle();
  });

  it('is open only to callers with a role on the form', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    const [row] = await service.deliveries(subscription);
    const id = String(row?.id);
    const outsider = aUser({ instanceId: service.instanceId });

    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId: service.instanceId }))).resolves.toMatchObject({ total: 1 });
    await expect(list(subscription.form_id, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(get(subscription.form_id, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(list(subscription.form_id, {}, { kind: 'respondent', instanceId: service.instanceId })).rejects.toEqual(
      refused('forbidden'),
    );
    await expect(list(subscription.form_id, {}, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
    await expect(list('nonsense')).rejects.toEqual(refused('not_found'));
  });

  it('does not find an id that is unknown, malformed or from another form', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    const [row] = await service.deliveries(subscription);

    await expect(get(subscription.form_id, newId())).rejects.toEqual(refused('not_found'));
    await expect(get(subscription.form_id, 'nonsense')).rejects.toEqual(refused('not_found'));
    await expect(get(newId(), String(row?.id))).rejects.toEqual(refused('not_found'));
  });
});
