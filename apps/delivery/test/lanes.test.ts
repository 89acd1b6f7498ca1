import { OwnFailure } from '@sheaf/egress';
import { newId } from '@sheaf/kernel';
import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const laneOf = async ({ id }: Listener) => (await service.db('turn').where({ subscription_id: id }).first<{ lane: string }>()).lane;
const at = (path: string) => ({ url: `${service.subscriber.url}${path}` });

describe('a subscription that has never answered', () => {
  it('gets one request at a time until it answers, then its full share', async () => {
    const fresh = service.subscription();
    const attempts = new Attempts(service.deps);
    await service.planEvents(fresh, 8);

    await expect(service.run(attempts)).resolves.toBe(1);
    await eventually(async () => expect(await laneOf(fresh)).toBe('quick'));
    await expect(service.run(attempts)).resolves.toBe(3);
  });

  it('cannot fill all slots, even together with many others like it', async () => {
    service.subscriber.answer(({ path }) => (path === '/silent' ? 'hang' : 200));
    const silent = Array.from({ length: 100 }, () => service.subscription(at('/silent')));
    const healthy = Array.from({ length: 5 }, () => service.subscription(at('/healthy')));
    for (const one of silent) await service.planEvents(one);
    for (const one of healthy) await service.planEvents(one, 3);
    await service.markQuick(...healthy);
    const attempts = new Attempts(service.deps);

    // An eighth of the 40 slots for the unproven subscriptions, and all deliveries of the healthy ones.
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 5 + 15 });
    await service.subscriber.waitFor(20);
    expect(service.subscriber.received.filter(({ path }) => path === '/healthy')).toHaveLength(15);
    service.subscriber.hangUp();
    await attempts.idle();
  });
});

describe('a subscription that hangs', () => {
  it('waits in the slow lane from then on, in every process, until it answers fast', async () => {
    const one = service.subscription();
    await service.planEvents(one, 5);
    await service.markQuick(one);
    service.subscriber.answer('hang');
    const within = { DELIVERY_TIMEOUT_MS: 300 };
    await expect(service.run(service.attemptsWith(within))).resolves.toBe(3);
    await eventually(async () => expect(await laneOf(one)).toBe('slow'));

    // Another process, as after a restart.
    await expect(service.run(service.attemptsWith(within))).resolves.toBe(1);
    service.subscriber.answer(200);
    service.clock.advance(60_000);
    await expect(service.run()).resolves.toBe(1);
    await eventually(async () => expect(await laneOf(one)).toBe('quick'));
    await expect(service.run()).resolves.toBe(3);
  });

  it('frees its slots while it hangs', async () => {
    const patient = service.attemptsWith({ DELIVERY_SLOW_MS: 2_000 });
    service.subscriber.answer(({ path }) => (path === '/silent' ? 'hang' : 200));
    // They take all slots of the quick lane.
    const silent = Array.from({ length: 9 }, () => service.subscription(at('/silent')));
    for (const one of silent) await service.planEvents(one, 3);
    await service.markQuick(...silent);
    await expect(patient.runDue()).resolves.toMatchObject({ begun: 25 });
    const healthy = service.subscription(at('/healthy'));
    await service.planEvents(healthy, 3);
    await service.markQuick(healthy);
    await expect(patient.runDue()).resolves.toMatchObject({ begun: 0 });

    await eventually(async () => {
      await patient.runDue();
      expect(service.subscriber.received.filter(({ path }) => path === '/healthy')).toHaveLength(3);
    });
    service.subscriber.hangUp();
    await patient.idle();
  });
});

describe('thousands of dead subscriptions', () => {
  it('cost the healthy ones nothing: a look reads only the turns that have come up', async () => {
    const form = newId();
    await service.db.raw(
      `with made as (
         insert into subscription (id, instance_id, form_id, url, state, revision)
         select gen_random_uuid(), gen_random_uuid(), :form, :url, 'active', 1 from generate_series(1, 5000) returning id
       ),
       waiting as (insert into turn (subscription_id, lane, due_at) select id, 'slow', now() - interval '1 year' from made)
       insert into queue (delivery_id, subscription_id, event_id, attempts, next_attempt_at)
       select cast(substr(cast(first_id(now()) as text), 1, 14) || '7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0') as uuid), id, gen_random_uuid(), 0,
              cast('2026-01-01' as timestamptz) + n * interval '1 second' from made cross join generate_series(1, 10) as n`,
      { form, url: `${service.subscriber.url}/dead` },
    );
    await service.db.raw('analyze');
    const healthy = service.subscription(at('/healthy'));
    await service.planEvents(healthy);
    await service.markQuick(healthy);

    const { rows } = await service.db.raw<{ rows: [{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }] }>(
      `explain (analyze, buffers, format json)
       select t.subscription_id from turn t where t.lane = 'slow' and t.due_at <= now() and t.subscription_id <> all(cast('{}' as uuid[]))
        order by t.due_at limit 10 for no key update skip locked`,
    );
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(50);
    await expect(service.run()).resolves.toBeGreaterThanOrEqual(1);
    expect(service.subscriber.received.filter(({ path }) => path === '/healthy')).toHaveLength(1);
  });
});

describe('a failure on our side', () => {
  it('costs no attempt: the delivery is due again soon, and the log does not show the failure', async () => {
    const one = service.subscription();
    await service.planEvents(one);
    await service.markQuick(one);
    let failing = true;
    const attempts = new Attempts({
      ...service.deps,
      egress: {
        post: (...args) => (failing ? Promise.reject(new OwnFailure('socket', new Error('EMFILE'))) : service.deps.egress.post(...args)),
      },
    });

    for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
      await expect(service.run(attempts)).resolves.toBe(1);
      const [delivery] = await service.deliveries(one);
      expect(delivery).toMatchObject({ state: 'pending', attempts: 0, next_attempt_at: new Date(service.clock.now().getTime() + pauseMs) });
      await expect(service.attempts(delivery?.id ?? '')).resolves.toEqual([]);
      service.clock.advance(pauseMs);
    }
    failing = false;
    await service.run(attempts);

    const [delivery] = await service.deliveries(one);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1 });
    await expect(service.metrics()).resolves.toContain('sheaf_delivery_attempts_total{outcome="own_socket"} 4');
  });

  it('leaves all three attempts to a subscriber that fails afterwards', async () => {
    const one = service.subscription();
    await service.planEvents(one);
    service.subscriber.answer(500);
    const keyless = new Attempts({ ...service.deps, egress: { post: () => Promise.reject(new TypeError('a bug')) } });
    await service.run(keyless);
    for (const pauseMs of [1_000, 4_000, 16_000]) {
      service.clock.advance(pauseMs);
      await service.run();
    }

    expect(service.subscriber.received).toHaveLength(3);
    const [delivery] = await service.deliveries(one);
    expect(delivery).toMatchObject({ state: 'failed', attempts: 3 });
  });
});

it('the metrics report how many deliveries are due, and for how long', async () => {
  const one = service.subscription();
  await service.planEvents(one, 7);
  service.clock.advance(30_000);

  const metrics = await service.metrics();
  expect(metrics).toContain('sheaf_delivery_due 7');
  expect(metrics).toContain('sheaf_delivery_oldest_due_seconds 30');
});
