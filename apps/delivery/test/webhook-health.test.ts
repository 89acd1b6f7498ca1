import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, countRowsRead, refused } from '@sheaf/testing';
import { healthOf } from '../src/log/webhook-health.queries';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

const health = async (wanted: { form_id?: string; id?: string }, as: Caller = service.member('viewer')) =>
  (await service.client.getWebhookHealth(callAs(as), wanted)).webhooks;

/** Plans a delivery and makes all of its attempts. @returns when the first and the last one were made. */
async function aDelivery(to: Listener): Promise<{ first: string; last: string }> {
  const now = () => service.clock.now().toISOString();
  await service.planEvents(to);
  await service.run();
  const first = now();
  for (const pause of service.deps.settings.RETRY_DELAYS_MS) {
    service.clock.advance(pause);
    await service.run();
  }
  return { first, last: now() };
}

describe('a webhook', () => {
  it('that was never sent anything neither fails nor has delivered', async () => {
    const { id, form_id } = service.subscription();
    expect(await health({ form_id })).toEqual([{ id }]);
  });

  it('fails since its first failure, and tells how its newest failed delivery ended', async () => {
    const webhook = service.subscription();
    service.subscriber.answer(500);
    const { first: since } = await aDelivery(webhook);
    service.clock.advance(7_200_000);
    service.subscriber.answer(503);
    await aDelivery(webhook);
    expect(await health({ form_id: webhook.form_id })).toEqual([{ id: webhook.id, failing: { since, last_status: 503 } }]);
  });

  it('tells the error and its code if no answer arrives', async () => {
    const webhook = service.subscription({ url: 'http://127.0.0.1:1/closed' });
    const { first: since } = await aDelivery(webhook);
    expect(await health({ form_id: webhook.form_id })).toEqual([
      { id: webhook.id, failing: { since, last_error: 'connection_refused', last_code: 'ECONNREFUSED' } },
    ]);
  });

  it('fails from its first failed attempt on, before a delivery has failed', async () => {
    const webhook = service.subscription();
    service.subscriber.answer(500);
    await service.planEvents(webhook);
    await service.run();
    expect(await health({ form_id: webhook.form_id })).toEqual([{ id: webhook.id, failing: { since: service.clock.now().toISOString() } }]);
  });

  it('no longer fails once an event has arrived, and an earlier failure is not taken for a later one', async () => {
    const webhook = service.subscription();
    service.subscriber.answer(500);
    await aDelivery(webhook);
    service.clock.advance(3_600_000);
    service.subscriber.answer(200);
    const { first: last_delivered_at } = await aDelivery(webhook);
    expect(await health({ form_id: webhook.form_id })).toEqual([{ id: webhook.id, last_delivered_at }]);

    service.clock.advance(3_600_000);
    service.subscriber.answer(404);
    await service.planEvents(webhook);
    await service.run();
    const since = service.clock.now().toISOString();
    expect(await health({ form_id: webhook.form_id })).toEqual([{ id: webhook.id, failing: { since }, last_delivered_at }]);
  });

  it('is shown only to those to whom hooks shows it', async () => {
    const ofForm = service.subscription();
    const other = service.subscription({ form_id: ofForm.form_id });
    const ofInstance = service.subscription({ wide: true });
    const account = aServiceAccount({ instanceId: service.instanceId, scopes: ['hooks:manage'] });

    expect((await health({ form_id: ofForm.form_id })).map(({ id }) => id).sort()).toEqual([ofForm.id, other.id].sort());
    expect(await health({ form_id: ofForm.form_id, id: ofForm.id }, account)).toEqual([{ id: ofForm.id }]);
    expect(await health({})).toEqual([{ id: ofInstance.id }]);
    await expect(health({ form_id: ofForm.form_id, id: ofInstance.id })).rejects.toEqual(refused('not_found'));
    await expect(health({ form_id: newId(), id: ofForm.id })).rejects.toEqual(refused('not_found'));
    await expect(health({ id: ofForm.id })).rejects.toEqual(refused('not_found'));
  });
});

it('how webhooks fare is read from a few rows of each, however long the log', async () => {
  const webhooks = Array.from({ length: 20 }, () => service.subscription());
  for (const webhook of webhooks) await service.planEvents(webhook);
  const ids = webhooks.map(({ id }) => id);
  await service.db.transaction(async (trx) => {
    await trx('turn')
      .whereIn('subscription_id', ids)
      .update({ failing_since: new Date(0) });
    await trx.raw(
      `with filled as (
         insert into delivery (id, event_id, subscription_id, form_id, state, attempts, created_at, settled_at)
         select cast(substr(u.id, 1, 13) || substr(cast(gen_random_uuid() as text), 14) as uuid), cast(u.id as uuid), s.id, s.id,
                case n % 3 when 0 then 'succeeded' when 1 then 'failed' else 'cancelled' end, 1, now(), now()
           from generate_series(1, 300) as n cross join unnest(cast(:ids as uuid[])) as s (id) cross join (select cast(:recent as text) as id) as u
         returning id
       )
       insert into attempt (delivery_id, number, started_at, status) select id, 1, now(), 500 from filled`,
      { ids, recent: newId() },
    );
    const { rows: days } = await trx.raw<{ rows: { name: string }[] }>(
      `select relname as name from pg_class where relname ~ '^(attempt|delivery)_[0-9]'`,
    );
    let found: Awaited<ReturnType<typeof healthOf>> = [];
    const read = await countRowsRead(trx, ['turn', ...days.map(({ name }) => name)], async () => {
      found = await healthOf(trx, ids);
    });
    expect(found).toHaveLength(20);
    expect(found.every(({ last_status: status, last_delivered_at: at }) => status === 500 && at !== null)).toBe(true);
    expect(read).toBeLessThan(10 * ids.length);
  });
});
