import fc from 'fast-check';
import { leaseMs } from '../src/attempts/claims.queries';
import { Attempts } from '../src/attempts/attempts';
import { connectTo, rowsOf } from '@sheaf/postgres';
import { propertyRuns } from '@sheaf/testing';
import { explain } from '../src/log/explain';
import type { Composed } from '../src/payloads/payloads';
import { plan } from '../src/planning/plan';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';
const batch = { max_events: 3, max_seconds: 5 };
const batches = () =>
  service.subscriber.received.map(({ headers, body }) => ({
    id: String(headers['webhook-id']),
    events: (JSON.parse(body) as { events: { id: string }[] }).events.map(({ id }) => id),
  }));

it('events wait for others until their time or their batch is full, and go out together, in their order', async () => {
  const listener = service.subscription({ options: { batch } });
  await plan(
    service.deps,
    Array.from({ length: 4 }, () => service.event(listener.form_id)),
  );
  while ((await service.run()) > 0);
  const ids = (await service.deliveries(listener)).map(({ id }) => id);
  expect(batches()).toMatchObject([{ events: ids.slice(0, 3) }]);
  service.clock.advance(5_000);
  while ((await service.run()) > 0);
  expect(batches()).toMatchObject([{ events: ids.slice(0, 3) }, { events: ids.slice(3) }]);
  const [first] = batches();
  await expect(explain(service.deps, { id: first?.id ?? '' })).resolves.toMatchObject({
    deliveries: ids
      .slice(0, 3)
      .map((id) => ({ id, attempts: [{ status: 200, batch_id: first?.id }] }))
      .reverse(),
  });
  await expect(service.deliveries(listener)).resolves.toMatchObject(ids.map(() => ({ state: 'succeeded', attempts: 1 })));
});

it('a batch is sent again as it was, under its id, whatever has been planned since', async () => {
  const listener = service.subscription({ options: { batch } });
  service.subscriber.answer(500);
  await plan(service.deps, [service.event(listener.form_id), service.event(listener.form_id)]);
  service.clock.advance(5_000);
  await service.run();
  await plan(service.deps, [service.event(listener.form_id)]);
  service.subscriber.answer(200);
  service.clock.advance(4_000);
  await service.run();
  const [first, second] = service.subscriber.received;
  expect(second).toMatchObject({ body: first?.body, headers: { 'webhook-id': first?.headers['webhook-id'] } });
});

const planSome = (formId: string, count: number) =>
  plan(
    service.deps,
    Array.from({ length: count }, () => service.event(formId)),
  );
const untilAllSent = async () => {
  for (let turn = 0; turn < 12 && (await service.db('queue').first()) !== undefined; turn += 1) {
    service.clock.advance(leaseMs(service.deps.settings) + 60_000);
    while ((await service.run()) > 0);
  }
};

it('a batch whose process died after its POST is sent once more as it was', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 2);
  service.clock.advance(5_000);
  await service.dyingAttempts().runDue();
  await service.subscriber.waitFor(1);
  await planSome(listener.form_id, 1);
  await untilAllSent();
  const [first, ...others] = batches();
  // By when they are due: the one planned later has no attempt to wait for.
  expect(others).toEqual([{ id: expect.any(String) as string, events: [expect.any(String)] }, first]);
});

it('a batch that is answered while the database refuses connections is settled when it is back, and is sent once', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 2);
  service.clock.advance(5_000);
  const name = new URL(service.databaseUrl).pathname.slice(1);
  // From another database: PostgreSQL refuses this for the one that a session is in.
  const server = connectTo(new URL('/postgres', service.databaseUrl).href, 'operator', 1);
  const admit = async (isAdmitted: boolean) => {
    await server.raw('alter database ?? allow_connections ??', [name, String(isAdmitted)]);
  };
  const settling = 'waiting for the database to settle attempts';
  const warned = jest.fn((_: object, message: string) => (message === settling ? admit(true) : undefined));
  const other = service.otherProcess();
  const attempts = new Attempts({
    ...other,
    log: Object.assign(Object.create(other.log) as typeof other.log, { warn: warned }),
    egress: {
      post: async (...args) => {
        const outcome = await service.deps.egress.post(...args);
        await admit(false);
        await server.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sheaf-another' and datname = ?`,
          [name],
        );
        return outcome;
      },
    },
  });
  try {
    await service.run(attempts);
    expect(warned).toHaveBeenCalledWith(expect.anything(), settling);
  } finally {
    await admit(true);
    await server.destroy();
  }
  await untilAllSent();
  expect(batches()).toMatchObject([{ events: [expect.any(String), expect.any(String)] }]);
  await expect(service.deliveries(listener)).resolves.toMatchObject([
    { state: 'succeeded', attempts: 1 },
    { state: 'succeeded', attempts: 1 },
  ]);
});

it('the answer 410 to a batch ends the webhook, and nothing of it is sent again', async () => {
  const listener = service.subscription({ options: { batch } });
  service.subscriber.answer(410);
  await planSome(listener.form_id, 5);
  await untilAllSent();
  expect(batches()).toHaveLength(1);
  expect((await service.deliveries(listener)).filter(({ state }) => state === 'pending')).toEqual([]);
});

it('a batch waits as a whole for as long as Retry-After asks', async () => {
  service.subscription({ form_id: form, retry: 'day', options: { batch } });
  service.subscriber.answer({ status: 503, headers: { 'retry-after': '90' } });
  await planSome(form, 3);
  await service.run();
  service.subscriber.answer(200);
  service.clock.advance(80_000);
  expect(await service.run()).toBe(0);
  service.clock.advance(15_000);
  expect(await service.run()).toBe(1);
  expect(batches()[1]).toEqual(batches()[0]);
});

it('an event that cannot be composed waits for a batch of those that have as many attempts left, and has all of its own', async () => {
  const listener = service.subscription({ options: { batch } });
  service.subscriber.answer(500);
  await planSome(listener.form_id, 3);
  await service.run();
  const left = (await service.deliveries(listener))[1]?.id ?? '';
  const { payloads } = service.deps;
  const bodyOf = (one: Composed & { id?: string }) => (one.id === left ? Promise.reject(new Error('away')) : payloads.bodyOf(one));
  service.clock.advance(4_000);
  await service.run(new Attempts({ ...service.deps, payloads: { bodyOf } }));
  await planSome(listener.form_id, 2);
  await untilAllSent();

  const ids = (await service.deliveries(listener)).map(({ id }) => id);
  const [first, second, ...others] = batches();
  expect(second).toEqual({ id: first?.id, events: ids.filter((id) => id !== left).slice(0, 2) });
  expect(others.filter(({ events }) => events.includes(left))).toMatchObject([{ events: [left] }, { events: [left] }]);
  const sent = batches().flatMap(({ events }) => events);
  expect(ids.map((id) => sent.filter((one) => one === id).length)).toEqual(ids.map(() => 3));
  await expect(service.deliveries(listener)).resolves.toMatchObject(ids.map(() => ({ state: 'failed', attempts: 3 })));
});

/** Composes no body for this delivery. */
const failFor = (id: string) =>
  jest
    .spyOn(service.deps.payloads, 'bodyOf')
    .mockImplementation((one: Composed & { id?: string }) =>
      one.id === id ? Promise.reject(new Error('away')) : Promise.resolve(one.body),
    );

it('an event that could not be composed is in no repeat of its batch, also if the process died after the POST', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 3);
  const ids = (await service.deliveries(listener)).map(({ id }) => id);
  const away = failFor(ids[1] ?? '');
  await service.dyingAttempts().runDue();
  await service.subscriber.waitFor(1);
  away.mockRestore();
  await untilAllSent();
  const [first, ...others] = batches();
  expect(first?.events).toEqual([ids[0], ids[2]]);
  expect(others).toContainEqual(first);
  expect(others.filter(({ id }) => id !== first?.id)).toMatchObject([{ events: [ids[1]] }]);
});

it('an event that could not be composed keeps its pause, whatever is planned meanwhile', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 3);
  const left = (await service.deliveries(listener))[1]?.id ?? '';
  const away = failFor(left);
  await service.run();
  away.mockRestore();
  await planSome(listener.form_id, 3);
  await service.run();
  expect(batches().map(({ events }) => events.length)).toEqual([2, 3]);
  expect(batches().flatMap(({ events }) => events)).not.toContain(left);
  service.clock.advance(1_000);
  await service.run();
  expect(batches()[2]?.events).toEqual([left]);
});

it('a batch whose body would be too large is sent in parts at once, without a further attempt', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 3);
  const large = jest
    .spyOn(service.deps.payloads, 'bodyOf')
    .mockResolvedValue(`{"event":"submission.created","data":"${'☃'.repeat(140_000)}"}`);
  while ((await service.run()) > 0);
  large.mockRestore();
  const ids = (await service.deliveries(listener)).map(({ id }) => id);
  expect(batches().map(({ events }) => events)).toEqual([ids.slice(0, 2), ids.slice(2)]);
  await expect(service.deliveries(listener)).resolves.toMatchObject(ids.map(() => ({ state: 'succeeded', attempts: 1 })));
});

it('the later half of a batch that its receiver finds too large leaves it', async () => {
  const listener = service.subscription({ options: { batch } });
  service.subscriber.answer(413);
  await planSome(listener.form_id, 3);
  await service.run();
  service.subscriber.answer(200);
  await untilAllSent();
  const ids = (await service.deliveries(listener)).map(({ id }) => id);
  const [first, ...others] = batches();
  expect(first?.events).toEqual(ids);
  expect(others).toHaveLength(2);
  expect(others).toContainEqual({ id: first?.id, events: ids.slice(0, 2) });
  expect(others.find(({ id }) => id !== first?.id)?.events).toEqual(ids.slice(2));
});

it('a batch that is ready too late for its lease is not sent then, and has used up no attempt', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 3);
  const attempts = service.attemptsWith({ DELIVERY_PER_SUBSCRIPTION: 1 });
  const slow = jest.spyOn(service.deps.payloads, 'bodyOf').mockImplementation(({ body }) => {
    service.clock.advance(3_000);
    return Promise.resolve(body);
  });
  await service.run(attempts);
  slow.mockRestore();
  expect(batches()).toEqual([]);
  service.clock.advance(60_000);
  await service.run(attempts);
  expect(batches()).toHaveLength(1);
  await expect(service.deliveries(listener)).resolves.toMatchObject([1, 2, 3].map(() => ({ state: 'succeeded', attempts: 1 })));
});

it('several processes that look at the same time send each event once', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 12);
  const others = [new Attempts(service.otherProcess()), new Attempts(service.otherProcess())];
  service.clock.advance(5_000);
  for (let turn = 0; turn < 6; turn += 1) await Promise.all(others.map((attempts) => service.run(attempts)));
  const sent = batches().flatMap(({ events }) => events);
  expect(sent.toSorted()).toEqual((await service.deliveries(listener)).map(({ id }) => id));
});

it('a process that knows no options is shown nothing of a batch, also once the webhook has none any more', async () => {
  const listener = service.subscription({ options: { batch } });
  await planSome(listener.form_id, 3);
  await service.db('subscription').where({ id: listener.id }).update({ options: null });
  const lanes = JSON.stringify(['unproven', 'quick', 'slow'].map((lane) => ({ lane, free: 5, most: 5 })));
  const [look] = await rowsOf<{ claims: unknown }>(
    service.db,
    `select claims from look_for_due(cast(? as timestamptz), cast(? as timestamptz), '{4000}', 'interrupted', cast(? as jsonb), '{}', '{}', '{}', '{}', 1000)`,
    [service.clock.now(), service.later(15_000), lanes],
  );
  expect(look).toEqual({ claims: null });
});

it('whatever happens, each event is sent, in one batch only, and a batch never changes', async () => {
  const step = fc.oneof(
    fc.record({ plan: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ waitMs: fc.constantFrom(1_000, 4_000, 5_000, 30_000) }),
    fc.record({ answer: fc.constantFrom(200, 500) }),
    fc.record({ limit: fc.constantFrom(1, 2, 3, undefined) }),
    fc.constant({ dies: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      await service.reset();
      let listener = service.subscription({ options: { batch } });
      const wasSeen = new Map<string, string[]>();
      for (const one of steps) {
        if ('plan' in one) await planSome(listener.form_id, one.plan);
        else if ('waitMs' in one) {
          service.clock.advance(one.waitMs);
          await service.run();
        } else if ('answer' in one) service.subscriber.answer(one.answer);
        else if ('limit' in one) {
          const options = one.limit === undefined ? null : { batch: { max_events: one.limit, max_seconds: 5 } };
          listener = service.subscription({ ...listener, revision: listener.revision + 1, options });
        } else {
          const { begun } = await service.dyingAttempts().runDue();
          if (begun > 0) await service.subscriber.waitFor(1);
        }
      }
      service.subscriber.answer(200);
      await untilAllSent();
      const batchOf = new Map<string, string>();
      for (const { headers, body } of service.subscriber.received) {
        const id = String(headers['webhook-id']);
        const { events = [{ id }] } = JSON.parse(body) as { events?: { id: string }[] };
        const ids = events.map((event) => event.id);
        expect(wasSeen.get(id) ?? ids).toEqual(ids);
        wasSeen.set(id, ids);
        for (const event of ids) {
          expect(batchOf.get(event) ?? id).toBe(id);
          batchOf.set(event, id);
        }
      }
      for (const { id, state, attempts } of await service.deliveries(listener)) {
        expect(['succeeded', 'failed']).toContain(state);
        expect(batchOf.has(id)).toBe(true);
        if (state === 'failed') expect(attempts).toBe(3);
      }
    }),
    propertyRuns(10),
  );
}, 60_000);
