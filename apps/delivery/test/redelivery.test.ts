import { newId, operatorIn, type Caller, type Scope } from '@sheaf/kernel';
import { aServiceAccount, callAs, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import type { Listener } from '../src/planning/remembered-listeners';
import { redeliverAs, redeliverManyAs } from '../src/log/redeliver';
import { startService, type Service } from './support/service';
import { plan } from '../src/planning/plan';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.subscriber.answer(200));
afterAll(() => service.stop());

const redeliver = ({ form_id }: Listener, id: string, as: Caller = service.member('editor')) =>
  service.client.redeliver(callAs(as), { form_id, id });
const day = 24 * 60 * 60 * 1_000;
const anyTime = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + day).toISOString() };
const count = ({ form_id }: Listener, changes: object = {}, as: Caller = service.member('editor')) =>
  service.client.countRedeliverable(callAs(as), { form_id, ...anyTime, ...changes });
const redeliverMany = ({ form_id }: Listener, changes: object = {}, as: Caller = service.member('editor')) =>
  service.client.redeliverMany(callAs(as), { form_id, ...anyTime, ...changes });

async function delivered(changes: Partial<Listener> = {}, times = 1): Promise<{ subscription: Listener; ids: string[] }> {
  const subscription = service.subscription(changes);
  await service.planEvents(subscription, times);
  await service.markQuick(subscription);
  while ((await service.run()) > 0);
  return { subscription, ids: (await service.deliveries(subscription)).map(({ id }) => id) };
}

describe('redelivering a delivery', () => {
  it('sends the same bytes under the same id, as a further attempt', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    await expect(redeliver(subscription, id)).resolves.toMatchObject({ id, state: 'pending', attempt_count: 1 });
    await service.run();

    const sent = service.subscriber.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.body).toBe(sent[0]?.body);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ id, state: 'succeeded', attempts: 2 }]);
    await expect(service.attempts(id)).resolves.toMatchObject([
      { number: 1, status: 200 },
      { number: 2, status: 200 },
    ]);
  });

  it('gives a failed delivery three more attempts on the same schedule, and never a fourth', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription);
    await service.markQuick(subscription);
    service.subscriber.answer(500);
    const threeTimes = async () => {
      await service.run();
      service.clock.advance(4_000);
      await service.run();
      service.clock.advance(15_999);
      await expect(service.run()).resolves.toBe(0);
      service.clock.advance(1);
      await service.run();
      service.clock.advance(day);
      await expect(service.run()).resolves.toBe(0);
    };
    await threeTimes();
    const [failed] = await service.deliveries(subscription);
    expect(failed).toMatchObject({ state: 'failed', attempts: 3 });

    await redeliver(subscription, failed?.id ?? '');
    await threeTimes();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 6 }]);
    expect((await service.attempts(failed?.id ?? '')).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is refused while the delivery is pending, and when its subscription is not active', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    await redeliver(subscription, id);
    await expect(redeliver(subscription, id)).rejects.toEqual(refused('bad_request', 'This delivery is pending.'));
    await service.run();
    await service.switchOff(subscription);
    await expect(redeliver(subscription, id)).rejects.toEqual(refused('bad_request', 'The subscription of this delivery is not active.'));
  });

  it('that was cancelled does not keep the reason if it fails afterwards', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription);
    await service.switchOff(subscription);
    const [cancelled] = await service.deliveries(subscription);
    expect(cancelled).toMatchObject({ state: 'cancelled', reason: 'ended' });
    service.subscription({ ...subscription, revision: subscription.revision + 2 });

    service.subscriber.answer(500);
    await redeliver(subscription, cancelled?.id ?? '');
    for (const pause of [0, ...service.deps.settings.RETRY_DELAYS_MS]) {
      service.clock.advance(pause);
      await service.run();
    }
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', reason: null, attempts: 3 }]);
  });

  it('is open to owners and editors, and does not find deliveries of another form', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    await expect(redeliver(subscription, id, service.member('viewer'))).rejects.toEqual(refused('forbidden'));
    await expect(
      service.client.redeliver(callAs(aServiceAccount({ instanceId: newId() })), { form_id: subscription.form_id, id }),
    ).rejects.toEqual(refused('not_found'));
    await expect(redeliver({ ...subscription, form_id: newId() }, id)).rejects.toEqual(refused('not_found'));
    await expect(redeliver(subscription, 'nonsense')).rejects.toEqual(refused('not_found'));
    await expect(redeliverMany(subscription, {}, service.member('viewer'))).rejects.toEqual(refused('forbidden'));
  });

  it('is not for service accounts that may not read the answers in it, whichever way', async () => {
    const listening = { events: ['submission.created', 'submission.deleted'] };
    const { subscription, ids } = await delivered(listening, 2);
    await plan(service.deps, [service.event(subscription.form_id, { type: 'submission.deleted', body: '{}' })]);
    while ((await service.run()) > 0);
    const deleted = (await service.deliveries(subscription)).at(-1)?.id ?? '';
    const { instanceId } = service;
    const as = (...scopes: Scope[]) => aServiceAccount({ instanceId, scopes: ['hooks:manage', ...scopes] });
    const refusal = refused('insufficient_scope', 'Deliveries that carry answers need the scope submissions:read.');
    for (const id of ids) await expect(redeliver(subscription, id, as())).rejects.toEqual(refusal);
    for (const changes of [{}, { state: 'succeeded', subscription_id: subscription.id }]) {
      await expect(redeliverMany(subscription, changes, as())).rejects.toEqual(refusal);
      await expect(count(subscription, changes, as())).rejects.toEqual(refusal);
    }
    expect(await service.db('queue').where({ subscription_id: subscription.id })).toEqual([]);

    const again = await redeliver(subscription, deleted, as());
    expect(again.state).toBe('pending');
    expect(again.body).toBeUndefined();
    // Pending deliveries are not sent again, and so not in the way.
    await expect(redeliverMany(subscription, { state: 'failed' }, as())).resolves.toEqual({ redelivered: 0 });
    await expect(redeliverMany(subscription, {}, as('submissions:read'))).resolves.toEqual({ redelivered: 2 });
  });

  it('is refused for an event to which its subscription does not listen any more, wherever that sends now', async () => {
    for (const state of ['succeeded', 'skipped']) {
      const {
        subscription,
        ids: [id = ''],
      } = await delivered({ active: state === 'succeeded' });
      expect(await service.deliveries(subscription)).toMatchObject([{ state }]);
      const url = `${service.subscriber.url}/elsewhere`;
      const changed = service.subscription({
        ...subscription,
        active: true,
        events: ['submission.deleted'],
        event: 'submission.deleted',
        url,
        revision: 2,
      });
      await expect(redeliver(subscription, id)).rejects.toEqual(
        refused('bad_request', 'The subscription of this delivery does not listen to submission.created of this form any more.'),
      );
      await expect(count(subscription)).resolves.toEqual({ matching: 0 });
      await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 0 });

      service.subscription({ ...changed, events: ['submission.created', 'submission.deleted'], revision: 3 });
      await expect(redeliver(subscription, id)).resolves.toMatchObject({ state: 'pending' });
    }
  });

  it('is refused for what its subscription does not listen to any more also while hooks is down, and for operators', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    await followSubscriptions(service.deps, [service.changed({ ...subscription, events: ['submission.deleted'] }, 'active', 2)]);
    const deps = { ...service.deps, wake: () => undefined };
    const { form_id: formId, instance_id: instanceId } = subscription;
    const by = { caller: operatorIn(instanceId), call: callAs(operatorIn(instanceId)), workspaceId: undefined };
    await expect(redeliverAs(deps, by, { formId, id })).rejects.toMatchObject({ code: 'bad_request' });
    const range = { formId, from: new Date(anyTime.from), to: new Date(anyTime.to), state: undefined, subscriptionId: undefined };
    await expect(redeliverManyAs(deps, by, range)).resolves.toBe(0);
  });

  it('is refused for a webhook of a workspace that the form has left', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    service.neighbours.hooks.listeners.delete(subscription.id);
    await expect(redeliver(subscription, id)).rejects.toEqual(
      refused('bad_request', /does not listen to submission\.created of this form/),
    );
    await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 0 });
  });

  it('happens once for concurrent requests', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => redeliver(subscription, id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(service.run()).resolves.toBe(1);
  });
});

describe('the audit log', () => {
  it('records each redelivery and its actor, in the same transaction', async () => {
    const {
      subscription,
      ids: [id = ''],
    } = await delivered({}, 2);
    const editor = service.member('editor');
    await redeliver(subscription, id, editor);
    await redeliverMany(subscription, {}, editor);
    const entries = await service
      .db('outbox')
      .where({ type: 'audit.recorded', form_id: subscription.form_id })
      .orderBy('position')
      .select<{ body: string }[]>('body');
    expect(entries.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { action: 'delivery.redelivered', actor: { id: editor.id }, target: { kind: 'delivery', id } },
      {
        action: 'delivery.redelivered',
        actor: { id: editor.id },
        target: { kind: 'form', id: subscription.form_id },
        details: { count: 1 },
      },
    ]);
  });
});

describe('redelivering a time range', () => {
  it('includes all settled deliveries of the form in that range, and returns their number', async () => {
    const { subscription, ids } = await delivered({}, 3);
    await service.planEvents(subscription);
    await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 3 });
    // All of them are pending by now.
    await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 0 });
    while ((await service.run()) > 0);
    for (const id of ids) expect(service.subscriber.received.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(2);
  });

  it('selects deliveries by when they were planned', async () => {
    const { subscription } = await delivered({}, 2);
    await sleep(5);
    const between = new Date().toISOString();
    await sleep(5);
    await service.planEvents(subscription);
    while ((await service.run()) > 0);

    await expect(redeliverMany(subscription, { from: between })).resolves.toEqual({ redelivered: 1 });
    await expect(redeliverMany(subscription, { to: between })).resolves.toEqual({ redelivered: 2 });
  });

  it('is counted first without sending anything', async () => {
    const { subscription } = await delivered({}, 3);
    await service.planEvents(subscription);
    await expect(count(subscription)).resolves.toEqual({ matching: 3 });
    await expect(count(subscription, { state: 'failed' })).resolves.toEqual({ matching: 0 });
    await expect(count(subscription, { subscription_id: 'nonsense' })).resolves.toEqual({ matching: 0 });
    await expect(count(subscription, {}, service.member('viewer'))).rejects.toEqual(refused('forbidden'));
    await expect(service.db('outbox').where({ type: 'audit.recorded', form_id: subscription.form_id })).resolves.toEqual([]);
    await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 3 });
    await expect(count(subscription)).resolves.toEqual({ matching: 0 });
  });

  it('can be narrowed to a state and to a subscription, and skips ended subscriptions', async () => {
    service.subscriber.answer(({ path }) => (path === '/bad' ? 410 : 200));
    const good = service.subscription();
    const bad = service.subscription({ form_id: good.form_id, url: `${service.subscriber.url}/bad` });
    await service.planEvents(good, 2);
    while ((await service.run()) > 0);

    await expect(redeliverMany(good, { subscription_id: bad.id })).resolves.toEqual({ redelivered: 0 });
    await expect(redeliverMany(good, { state: 'failed' })).resolves.toEqual({ redelivered: 0 });
    await expect(redeliverMany(good, { subscription_id: 'nonsense' })).resolves.toEqual({ redelivered: 0 });
    await expect(redeliverMany(good, { subscription_id: good.id, state: 'succeeded' })).resolves.toEqual({ redelivered: 2 });
  });

  it('refuses more than 10,000 before anything is sent', async () => {
    const { subscription } = await delivered();
    await service.db.raw(
      `insert into delivery (id, event_id, subscription_id, form_id, state, attempts, created_at)
       select cast(substr(cast(first_id(now()) as text), 1, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0') as uuid), gen_random_uuid(), :id, :form,
              'succeeded', 1, now() from generate_series(1, 10000) as n`,
      { id: subscription.id, form: subscription.form_id },
    );
    await expect(redeliverMany(subscription)).rejects.toEqual(
      refused('bad_request', 'from, to: cover more than 10000 deliveries, please narrow the range'),
    );
    await expect(count(subscription)).resolves.toEqual({ matching_at_least: 10_001 });
    await expect(service.db('queue').where({ subscription_id: subscription.id })).resolves.toEqual([]);
    await expect(redeliverMany(subscription, { state: 'failed' })).resolves.toEqual({ redelivered: 0 });

    await service
      .db('delivery')
      .where({ id: (await service.deliveries(subscription))[0]?.id })
      .delete();
    await expect(redeliverMany(subscription)).resolves.toEqual({ redelivered: 10_000 });
  });
});

describe('redelivering everything in steps', () => {
  /** Takes all steps from a cursor on, and runs what they have queued. @returns how many each has sent */
  async function steps(subscription: Listener, changes: { limit: number; state?: string; cursor?: string }) {
    const sent: number[] = [];
    for (let cursor = changes.cursor; ;) {
      const answer = await redeliverMany(subscription, {
        subscription_id: subscription.id,
        ...changes,
        ...(cursor === undefined ? {} : { cursor }),
      });
      sent.push(answer.redelivered);
      while ((await service.run()) > 0);
      if (answer.next_cursor === undefined) return sent;
      cursor = answer.next_cursor;
    }
  }
  const receivedOf = (ids: readonly string[]) =>
    ids.map((id) => service.subscriber.received.filter(({ headers }) => headers['webhook-id'] === id).length);

  it('sends each once, oldest first, however small the steps and though they succeed meanwhile', async () => {
    const { subscription, ids } = await delivered({}, 7);
    service.clock.advance(1_000);
    expect(await steps(subscription, { limit: 3 })).toEqual([3, 3, 1]);
    expect(receivedOf(ids)).toEqual(ids.map(() => 2));
    service.clock.advance(1_000);
    expect(await steps(subscription, { limit: 7 })).toEqual([7, 0]);
  });

  it('sends nothing twice if a step is repeated because its answer was lost', async () => {
    const { subscription, ids } = await delivered({}, 4);
    service.clock.advance(1_000);
    const first = await redeliverMany(subscription, { subscription_id: subscription.id, limit: 2 });
    const cursor = first.next_cursor ?? '';
    const step = () => redeliverMany(subscription, { subscription_id: subscription.id, limit: 2, cursor });
    expect((await step()).redelivered).toBe(2);
    service.clock.advance(1_000);
    while ((await service.run()) > 0);
    service.clock.advance(1_000);
    expect(await count(subscription, { subscription_id: subscription.id, limit: 2, cursor })).toEqual({ matching: 0 });
    expect((await step()).redelivered).toBe(0);
    while ((await service.run()) > 0);
    expect(receivedOf(ids)).toEqual([2, 2, 2, 2]);
  });

  it('is counted first, can be stopped after a step, and leaves out what did not fail', async () => {
    service.subscriber.answer(400);
    const subscription = service.subscription();
    await service.planEvents(subscription, 3);
    await service.markQuick(subscription);
    for (let n = 0; n < 3; n += 1) {
      while ((await service.run()) > 0);
      service.clock.advance(60_000);
    }
    service.subscriber.answer(200);
    await service.planEvents(subscription, 2);
    while ((await service.run()) > 0);
    service.clock.advance(1_000);
    const chosen = { subscription_id: subscription.id, state: 'failed', limit: 2 };
    expect(await count(subscription, chosen)).toEqual({ matching: 3 });
    const { redelivered, next_cursor: cursor } = await redeliverMany(subscription, chosen);
    expect(redelivered).toBe(2);
    while ((await service.run()) > 0);
    expect((await service.deliveries(subscription)).map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
      'failed',
      'succeeded',
      'succeeded',
    ]);
    expect(await count(subscription, { ...chosen, cursor })).toEqual({ matching: 1 });
  });

  it('waits while thousands are waiting, and keeps its place', async () => {
    const { subscription } = await delivered({}, 2);
    service.clock.advance(1_000);
    const waiting = { subscription_id: subscription.id, form_id: newId(), state: 'pending', count: 5_001 };
    await service.db('delivery_count').insert(waiting);
    const chosen = { subscription_id: subscription.id, limit: 1 };
    const held = await redeliverMany(subscription, chosen);
    expect(held).toEqual({ redelivered: 0, waiting: 5_001, next_cursor: expect.any(String) as string });
    await service.db('delivery_count').where({ form_id: waiting.form_id }).delete();
    expect(await steps(subscription, { limit: 1, cursor: held.next_cursor ?? '' })).toEqual([1, 1, 0]);
  });

  it('is for editors who may read the answers, records each step, and refuses the cursor of another', async () => {
    const { subscription } = await delivered({}, 2);
    service.clock.advance(1_000);
    const chosen = { subscription_id: subscription.id, limit: 1 };
    await expect(redeliverMany(subscription, chosen, service.member('viewer'))).rejects.toEqual(refused('forbidden'));
    const account = (scopes: Scope[]) => aServiceAccount({ instanceId: service.instanceId, scopes });
    for (const act of [redeliverMany, count])
      await expect(act(subscription, chosen, account(['hooks:manage']))).rejects.toEqual(
        refused('insufficient_scope', 'Deliveries that carry answers need the scope submissions:read.'),
      );
    const { next_cursor: cursor = '' } = await redeliverMany(subscription, chosen);
    const entries = await service
      .db('outbox')
      .where({ type: 'audit.recorded', form_id: subscription.form_id })
      .select<{ body: string }[]>('body');
    expect(entries.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { action: 'delivery.redelivered', target: { kind: 'form', id: subscription.form_id }, details: { count: 1 } },
    ]);
    await expect(redeliverMany(subscription, { ...chosen, state: 'failed', cursor })).rejects.toEqual(
      refused('bad_request', 'cursor: must be a next_cursor of this list'),
    );
  });

  it('refuses a cursor to a place that cannot exist, even with the right checksum', async () => {
    const { subscription } = await delivered({}, 1);
    const { form_id: form, id } = subscription;
    const { from, to } = anyTime;
    await expectCursorsChecked(
      {
        list: ['redelivery', form, { from: new Date(from), to: new Date(to), state: undefined, subscriptionId: id }],
        real: [new Date().toISOString(), newId()],
        place: [forged.time(), forged.id()],
      },
      (cursor) => redeliverMany(subscription, { subscription_id: id, limit: 1, cursor }),
    );
  });

  it('sends nothing more once its subscription is switched off', async () => {
    const { subscription } = await delivered({}, 2);
    service.clock.advance(1_000);
    const { next_cursor: cursor = '' } = await redeliverMany(subscription, { subscription_id: subscription.id, limit: 1 });
    await service.switchOff(subscription);
    expect(await redeliverMany(subscription, { subscription_id: subscription.id, limit: 1, cursor })).toEqual({
      redelivered: 0,
      waiting: 0,
    });
  });
});
