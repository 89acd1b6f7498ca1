import { Broker, record, startRelay } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { brokerUrl, callAs, eventually, freshDatabase, refused, testProcess } from '@sheaf/testing';
import { deactivateGone } from '../src/subscription/deactivate-gone';
import { migrations } from '../src/migrations';
import {
  aForm,
  announced,
  client,
  clock,
  db,
  deps,
  editor,
  gone,
  instanceId,
  listeners,
  subscribe,
  unsubscribe,
  useService,
} from './stage';

useService();

describe('the list of listeners', () => {
  it('contains the active subscriptions to many topics, each once, and the inactive ones apart', async () => {
    const [a, b] = [aForm(), aForm()];
    const [one, two, inactive] = await Promise.all([
      subscribe({ form_id: a }),
      subscribe({ form_id: b, event: 'submission.deleted' }),
      subscribe({ form_id: a, source: 'make' }),
      subscribe({ form_id: b }),
    ]);
    await deactivateGone(deps, silentLog(), [gone(inactive.id, 1)]);
    const topic = (form_id: string, event: string) => ({ instance_id: instanceId, form_id, event });

    const found = await listeners([
      topic(a, 'submission.created'),
      topic(a, 'submission.created'),
      topic(b, 'submission.deleted'),
      topic(newId(), 'submission.created'),
    ]);

    expect(found.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
    expect(found[0]).toMatchObject({ instance_id: instanceId, url: 'https://hooks.example.org/a', revision: 1 });
    const all = await client.listListeners(callAs({ kind: 'service', id: 'delivery' }), { topics: [topic(a, 'submission.created')] });
    expect(all.inactive).toMatchObject([{ id: inactive.id, form_id: a, revision: 2 }]);
    await expect(listeners([{ ...topic(a, 'submission.created'), instance_id: newId() }])).resolves.toEqual([]);
    await expect(listeners([])).resolves.toEqual([]);
  });

  it('changes only after earlier leases are over, and even a request that changes nothing waits for them', async () => {
    const form_id = aForm();
    const { keep_ms } = await client.listListeners(callAs({ kind: 'service', id: 'delivery' }), { topics: [] });
    expect(keep_ms).toBe(deps.listenerLeaseMs);
    const durationOf = async (change: () => Promise<unknown>) => {
      const start = performance.now();
      await change();
      return performance.now() - start;
    };

    expect(await durationOf(() => subscribe({ form_id }))).toBeGreaterThan(keep_ms);
    expect(await durationOf(() => subscribe({ form_id }))).toBeGreaterThan(keep_ms);
    const { id } = await subscribe({ form_id, source: 'make' });
    expect(await durationOf(() => unsubscribe(id))).toBeGreaterThan(keep_ms);
  });

  it('is refused to all callers except delivery', async () => {
    await expect(listeners([], { kind: 'service', id: 'gateway' })).rejects.toMatchObject({ name: 'Problem' });
    await expect(listeners([], editor)).rejects.toEqual(refused('forbidden'));
  });
});

describe('a 410 response', () => {
  it('deactivates the subscription, unless it has changed since', async () => {
    const { id } = await subscribe({});
    await deactivateGone(deps, silentLog(), [gone(id, 1), gone(id, 1)]);
    await deactivateGone(deps, silentLog(), [gone(id, 1)]);

    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: false, revision: 2 });
    await eventually(() => expect(announced(id)).toMatchObject([{ state: 'active' }, { state: 'inactive', revision: 2 }]));
  });

  it('leaves active a subscription that was requested again before the event arrived', async () => {
    const form_id = aForm();
    const { id } = await subscribe({ form_id });
    await expect(subscribe({ form_id })).resolves.toMatchObject({ id, active: true });

    await deactivateGone(deps, silentLog(), [gone(id, 1)]);

    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: true });
    await deactivateGone(deps, silentLog(), [gone(id, 2)]);
    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: false });
  });

  it('does not block the queue if its event is unreadable', async () => {
    const { id } = await subscribe({});
    const nonsense = ['', '[]', '{"id":"nonsense","revision":1}', '{"id":1}'].map((body) => ({ ...gone(id, 1), body }));

    await deactivateGone(deps, silentLog(), [...nonsense, gone(id, 1)]);
    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: false });
  });

  it('arrives over NATS', async () => {
    const { id } = await subscribe({});
    const sender = testProcess('delivery');
    const broker = await Broker.connect(sender, brokerUrl());
    const deliveryDb = await freshDatabase(migrations);
    const outbox = startRelay(sender, {
      db: deliveryDb.db,
      broker,
      source: 'delivery',
      clock,
      settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
    });

    await outbox.transaction((trx) => record(trx, gone(id, 1)));

    await eventually(async () =>
      expect(await db('subscription').where({ id }).first<{ active: boolean }>()).toMatchObject({ active: false }),
    );
    // Once it is confirmed, no event is left to send again.
    await eventually(async () => expect(await deliveryDb.db('outbox').select()).toEqual([]));
    await sender.stop();
    await deliveryDb.db.destroy();
  });
});
