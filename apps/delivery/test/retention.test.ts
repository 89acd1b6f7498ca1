import { newId } from '@sheaf/kernel';
import { connectTo } from '@sheaf/postgres';
import { callAs } from '@sheaf/testing';
import { maintainLog } from '../src/log/maintain-log';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

const dayMs = 24 * 60 * 60 * 1_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** An id created at that time. */
function idOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
}

let service: Service;

beforeEach(async () => {
  service = await startService();
  // The log goes by the time in the ids, which is real time.
  service.clock.set(new Date().toISOString());
});
afterEach(() => service.stop());

const keep = () => maintainLog(service.deps);
const tables = async () => {
  const { rows } = await service.db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and relname ~ '^(event|delivery|attempt)_'`,
  );
  return rows.map(({ name }) => name);
};
const tableOf = (log: string, at: Date) => `${log}_${dayOf(at).replaceAll('-', '')}`;
const list = ({ form_id }: Listener, state?: string) =>
  service.client.listDeliveries(callAs(service.member('viewer')), {
    form_id,
    limit: 25,
    offset: 0,
    ...(state === undefined ? {} : { state }),
  });

/** A delivery from that time, with its event and an attempt. */
async function delivered(subscription: Listener, at: Date, state: 'succeeded' | 'pending' = 'succeeded'): Promise<string> {
  const [event, delivery] = [idOf(at), idOf(at)];
  const { id: subscription_id, instance_id, form_id } = subscription;
  await service.db.raw('select make_log(cast(? as date), cast(? as date))', [dayOf(at), dayOf(at)]);
  await service.db('event').insert({ id: event, type: 'submission.created', instance_id, form_id, occurred_at: at, body: '{"old":true}' });
  await service.db('delivery').insert({ id: delivery, event_id: event, subscription_id, form_id, state, attempts: 1, created_at: at });
  await service.db('attempt').insert({ delivery_id: delivery, number: 1, started_at: at, status: 200 });
  if (state === 'pending')
    await service.db('queue').insert({ delivery_id: delivery, subscription_id, event_id: event, attempts: 1, next_attempt_at: at });
  return delivery;
}

async function known(): Promise<Listener> {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.run();
  return subscription;
}

describe('a day of the log', () => {
  it('is dropped as a whole once it has expired, and is no longer counted', async () => {
    const subscription = await known();
    const old = daysAgo(32);
    for (let n = 0; n < 3; n++) await delivered(subscription, old);
    await delivered(subscription, daysAgo(29));
    await expect(list(subscription)).resolves.toMatchObject({ total: 5 });

    await expect(keep()).resolves.toContain(dayOf(old));

    await expect(list(subscription)).resolves.toMatchObject({ total: 2, deliveries: [{}, {}] });
    await expect(list(subscription, 'succeeded')).resolves.toMatchObject({ total: 2 });
    for (const log of ['event', 'delivery', 'attempt']) await expect(tables()).resolves.not.toContain(tableOf(log, old));
    await expect(tables()).resolves.toContain(tableOf('delivery', daysAgo(29)));
  });

  it('stays while any of its deliveries is pending', async () => {
    const subscription = await known();
    const old = daysAgo(40);
    const waiting = await delivered(subscription, old, 'pending');
    await expect(keep()).resolves.not.toContain(dayOf(old));

    await service.db.raw(`update turn set due_at = now() - interval '1 day'`);
    await service.run();
    expect(service.subscriber.received.map(({ headers }) => headers['webhook-id'])).toContain(waiting);
    await expect(keep()).resolves.toContain(dayOf(old));
  });

  it('keeps the events that a later delivery refers to', async () => {
    const subscription = await known();
    const old = daysAgo(33);
    const delivery = await delivered(subscription, daysAgo(5));
    await service.db.raw('select make_log(cast(? as date), cast(? as date))', [dayOf(old), dayOf(old)]);
    const event = idOf(old);
    await service
      .db('event')
      .insert({ id: event, type: 'submission.created', instance_id: newId(), form_id: newId(), occurred_at: old, body: '{}' });
    await service.db('delivery').where({ id: delivery }).update({ event_id: event });
    await keep();
    await expect(tables()).resolves.toContain(tableOf('event', old));
    await expect(tables()).resolves.not.toContain(tableOf('delivery', old));
  });

  it('is dropped once by several processes, and completely even if one dies midway', async () => {
    const subscription = await known();
    const old = daysAgo(35);
    await delivered(subscription, old);
    await service.db.raw('select detach_deliveries(cast(? as date))', [dayOf(old)]);
    await Promise.all([keep(), maintainLog(service.otherProcess()), maintainLog(service.otherProcess())]);

    await expect(tables()).resolves.not.toContain(tableOf('delivery', old));
    await expect(list(subscription)).resolves.toMatchObject({ total: 1 });
  });

  it('is created and dropped by a role that may only read and write rows', async () => {
    const subscription = await known();
    const old = daysAgo(31.5);
    await delivered(subscription, old);
    const role = `service_${newId().replaceAll('-', '')}`;
    await service.db.raw('create role ?? login', [role]);
    await service.db.raw('grant select, insert, update, delete on all tables in schema public to ??', [role]);
    const url = Object.assign(new URL(service.databaseUrl), { username: role });
    const db = connectTo(url.href, 'delivery', 2);
    try {
      await expect(db.raw('drop table attempt')).rejects.toThrow('must be owner');
      await expect(maintainLog({ ...service.deps, db })).resolves.toContain(dayOf(old));
    } finally {
      await db.destroy();
      await service.db.raw('drop owned by ??', [role]);
      await service.db.raw('drop role ??', [role]);
    }
  });

  it('is created two weeks ahead', async () => {
    service.clock.advance(10 * dayMs);
    await keep();
    await expect(tables()).resolves.toEqual(
      expect.arrayContaining(['event', 'delivery', 'attempt'].map((log) => tableOf(log, new Date(Date.now() + 24 * dayMs)))),
    );
  });
});

it('an event older than the log is still planned, once, and is deleted with the log', async () => {
  const subscription = service.subscription();
  const event = service.event(subscription.form_id, { id: idOf(daysAgo(300)), occurredAt: daysAgo(300), body: '{"late":true}' });
  await expect(plan(service.deps, [event])).resolves.toMatchObject({ made: 1 });
  await expect(plan(service.deps, [event])).resolves.toMatchObject({ made: 0 });
  await service.run();
  expect(service.subscriber.received.map(({ body }) => body)).toEqual(['{"late":true}']);

  await service.db('event_other').update({ planned_at: daysAgo(31) });
  await keep();
  await expect(service.db('event_other')).resolves.toHaveLength(1);
  await service.db('delivery').delete();
  await keep();
  await expect(service.db('event_other')).resolves.toEqual([]);
});
