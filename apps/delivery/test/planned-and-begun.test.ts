import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@sheaf/kernel';
import { connectTo } from '@sheaf/postgres';
import { callAs, connectionsDieAt, eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { leaseMs } from '../src/attempts/claims.queries';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { heldAttempts, isTextEvent, provenSubscription, receivedTexts, textEvents } from './support/planned';
import { startService, type Service } from './support/service';

// Deliveries whose first attempt is claimed by the statement that plans them.

let service: Service;
let proven: Listener;

beforeEach(async () => {
  service = await startService();
  proven = await provenSubscription(service);
});
afterEach(() => service.stop());

it('a delivery begins as soon as it is planned, without a look, and is claimed as by a look', async () => {
  const { attempts, sent, answer } = heldAttempts(service.deps);
  await expect(plan(service.deps, textEvents(service, proven, ['a']), attempts)).resolves.toEqual({ made: 1, waiting: 0 });

  await eventually(() => expect(sent).toEqual(['a']));
  const { settings } = service.deps;
  const [, delivery] = await service.deliveries(proven);
  const lease = service.clock.now().getTime() + leaseMs(settings);
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1, next_attempt_at: new Date(lease + 4_000) });
  await expect(service.db('queue').where({ delivery_id: delivery?.id })).resolves.toMatchObject([
    { busy_until: new Date(lease), attempts_before: 0, own_failures: 0 },
  ]);
  await expect(service.attempts(delivery?.id ?? '')).resolves.toEqual([{ number: 1, status: null, error: 'interrupted' }]);
  // A look is due by then, in case the attempt is lost.
  await expect(service.db('turn').where({ subscription_id: proven.id }).first()).resolves.toMatchObject({
    due_at: new Date(lease + 4_000),
  });

  answer();
  await attempts.idle();
  await expect(service.deliveries(proven)).resolves.toMatchObject([{}, { state: 'succeeded', attempts: 1 }]);
});

it('a delivery that is planned during a look waits for that look, and for no other', async () => {
  const attempts = new Attempts(service.deps);
  await plan(service.deps, textEvents(service, proven, ['first']));
  let asked = false;
  const hooks: Service['deps']['hooks'] = {
    listListeners: (...args) => service.deps.hooks.listListeners(...args).finally(() => (asked = true)),
  };
  const waitsForUs =
    'select count(*) from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database() where not l.granted';

  const [looked, planned] = await service.db
    .transaction(async (trx) => {
      await trx.raw('lock table attempt in exclusive mode');
      const looking = attempts.runDue();
      await eventually(async () => expect((await trx.raw<{ rows: unknown[] }>(waitsForUs)).rows).toEqual([{ count: 1 }]));
      const planning = plan({ ...service.deps, hooks }, textEvents(service, proven, ['second']), attempts);
      await eventually(() => expect(asked).toBe(true));
      return [looking, planning] as const;
    })
    .then((both) => Promise.all(both));

  expect(looked).toMatchObject({ begun: 1 });
  expect(planned).toEqual({ made: 1, waiting: 0 });
  await attempts.idle();
  expect(receivedTexts(service).sort()).toEqual(['first', 'second']);
});

it('deliveries that could not be stored do not begin, and their slots are free again', async () => {
  const attempts = new Attempts(service.deps);
  const batch = textEvents(service, proven, ['a', 'b', 'c']);
  const breaking = await connectionsDieAt(service.db, 'before insert on queue');
  await expect(plan(service.deps, batch, attempts)).rejects.toThrow();
  await breaking.end();
  expect(service.subscriber.received.filter(isTextEvent)).toEqual([]);

  await expect(plan(service.deps, batch, attempts)).resolves.toEqual({ made: 3, waiting: 0 });
  await service.subscriber.waitFor(3, isTextEvent);
  await attempts.idle();
});

it('no delivery begins, and no slot stays taken, for a subscription that was switched off', async () => {
  const [listening, attempts] = [{ ...proven }, new Attempts(service.deps)];
  await service.switchOff(proven);
  // The answer that `hooks` gave before the subscription was switched off.
  const outdated = { ...service.deps, hooks: { listListeners: () => Promise.resolve({ listeners: [listening] }) } };
  await expect(plan(outdated, textEvents(service, proven, ['late']), attempts)).resolves.toEqual({ made: 0, waiting: 0 });

  listening.revision += 2;
  await expect(plan(outdated, textEvents(service, proven, ['a', 'b', 'c']), attempts)).resolves.toEqual({ made: 3, waiting: 0 });
  await service.subscriber.waitFor(3, isTextEvent);
  await attempts.idle();
  expect(receivedTexts(service).sort()).toEqual(['a', 'b', 'c']);
});

it('a failing subscriber gets three POSTs in all, even if the process dies after each of them, including the one begun by planning', async () => {
  service.subscriber.answer(500);
  await expect(plan(service.deps, textEvents(service, proven, ['a']), service.dyingAttempts())).resolves.toEqual({ made: 1, waiting: 0 });
  await service.subscriber.waitFor(1, isTextEvent);
  for (const [n, pause] of service.deps.settings.RETRY_DELAYS_MS.entries()) {
    service.clock.advance(leaseMs(service.deps.settings) + pause);
    await expect(service.dyingAttempts().runDue()).resolves.toMatchObject({ begun: 1 });
    await service.subscriber.waitFor(n + 2, isTextEvent);
  }
  service.clock.advance(24 * 60 * 60 * 1_000);
  await expect(service.run()).resolves.toBe(0);

  expect(new Set(service.subscriber.received.filter(isTextEvent).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(service.subscriber.received.filter(isTextEvent)).toHaveLength(3);
  await expect(service.deliveries(proven)).resolves.toMatchObject([{}, { state: 'failed', attempts: 3 }]);
});

it('an event without listeners is recorded, and its body is not kept', async () => {
  const [event] = textEvents(service, { ...proven, form_id: newId() }, ['without listeners']);
  if (!event) throw new Error('no event');
  await plan(service.deps, [event]);
  await expect(service.db('event').where({ id: event.id })).resolves.toMatchObject([{ body: '' }]);
});

describe('an attempt that has ended', () => {
  it('frees its slot before it is settled, up to a bound', async () => {
    const { attempts, answer, sent } = heldAttempts({
      ...service.deps,
      settings: { ...service.deps.settings, DELIVERY_CONCURRENCY: 5, DELIVERY_PER_SUBSCRIPTION: 2 },
    });
    await plan(service.deps, textEvents(service, proven, ['a', 'b', 'c', 'd', 'e', 'f', 'g']));
    const holder = connectTo(service.databaseUrl, 'holder', 1);
    // Everything can be claimed, but nothing can be settled.
    await holder.transaction(async (trx) => {
      await trx.raw('lock table delivery in exclusive mode');
      for (const sentByThen of [2, 4, 6]) {
        await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 2 }));
        await eventually(() => expect(sent).toHaveLength(sentByThen));
        answer();
        await sleep(20);
      }
      await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });
    });
    await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 1 }));
    answer();
    await attempts.idle();
    await holder.destroy();
    expect(sent).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});

it('planning, failing and redelivering at the same time never deadlock', async () => {
  const subscriptions = [proven, ...Array.from({ length: 4 }, () => service.subscription({ form_id: proven.form_id }))];
  await service.planEvents(proven);
  await service.markQuick(...subscriptions);
  service.subscriber.answer(() => (Math.random() < 0.5 ? 500 : 200));
  const processes = Array.from({ length: 3 }, () => ({ deps: service.otherProcess(), attempts: undefined as unknown as Attempts }));
  for (const one of processes) one.attempts = new Attempts(one.deps);
  const editor = callAs(service.member('editor'));
  const at = (days: number) => new Date(service.clock.now().getTime() + days * 24 * 60 * 60_000).toISOString();
  const range = { form_id: proven.form_id, from: at(-1), to: at(1) };
  for (let n = 0; n < 15; n++) {
    await Promise.all(
      processes.map(async ({ deps, attempts }) => {
        await plan(deps, textEvents(service, proven, ['a', 'b', 'c']), attempts);
        await attempts.runDue();
        if (n % 5 === 4) await service.client.redeliverMany(editor, range);
      }),
    );
    service.clock.advance(2_000);
  }
  await Promise.all(processes.map(({ attempts }) => attempts.idle()));

  const { rows } = await service.db.raw<{ rows: [{ deadlocks: number }] }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(rows[0].deadlocks).toBe(0);
});
