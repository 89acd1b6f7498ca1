import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '@sheaf/egress';
import { newId } from '@sheaf/kernel';
import { connectTo } from '@sheaf/postgres';
import { aUser, callAs, connectionsDieAt, eventually } from '@sheaf/testing';
import { Attempts, leaseMs } from '../src/attempts/attempt';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

// Deliveries whose first attempt is claimed by the statement that plans them.

let service: Service;
let proven: Listener;

beforeEach(async () => {
  service = await startService();
  proven = await aProvenOne();
});
afterEach(() => service.stop());

/** A subscription that has answered before and has nothing queued. */
async function aProvenOne(given: Partial<Listener> = {}): Promise<Listener> {
  const subscription = service.subscription(given);
  await service.happen(subscription);
  await service.prove(subscription);
  await service.run();
  await eventually(async () => expect(await service.deliveries(subscription)).toMatchObject([{ state: 'succeeded' }]));
  // Otherwise its turn would come up when its last attempt could have been lost; now there is nothing to look at.
  await service.db('turn').where({ subscription_id: subscription.id }).update({ due_at: null });
  return subscription;
}

const events = ({ form_id }: Listener, texts: readonly string[]) =>
  texts.map((body) => ({
    id: newId(),
    type: 'submission.created' as const,
    instanceId: service.instanceId,
    subject: newId(),
    formId: form_id,
    occurredAt: service.clock.now(),
    body: JSON.stringify(body),
  }));
/** The POSTs of the test itself, without those that proved its subscriptions. */
const ours = ({ body }: { body: string }) => body.startsWith('"');
const received = () => service.subscriber.received.filter(ours);
const bodies = () => received().map(({ body }) => JSON.parse(body) as string);

/** Attempts whose POSTs end on command. */
function attemptsThatWait(deps = service.deps) {
  const open: ((outcome: Outcome) => void)[] = [];
  const sent: string[] = [];
  const attempts = new Attempts({
    ...deps,
    egress: {
      post: (_url, { body }) => {
        sent.push(JSON.parse(body) as string);
        return new Promise((resolve) => open.push(resolve));
      },
    },
  });
  return { attempts, sent, answer: (status = 200) => open.splice(0).forEach((end) => end({ status, durationMs: 1 })) };
}

it('a delivery begins as soon as it is planned, without a look, and is claimed as by a look', async () => {
  const { attempts, sent, answer } = attemptsThatWait();
  await expect(plan(service.deps, events(proven, ['a']), attempts)).resolves.toEqual({ made: 1, waiting: 0 });

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

it('a delivery overtakes none that already waits', async () => {
  const attempts = new Attempts(service.deps);
  await plan(service.deps, events(proven, ['first']));
  await expect(plan(service.deps, events(proven, ['second']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });

  await expect(service.run(attempts)).resolves.toBe(2);
  await expect(plan(service.deps, events(proven, ['third']), attempts)).resolves.toEqual({ made: 1, waiting: 0 });
  await attempts.idle();
  expect(bodies().sort()).toEqual(['first', 'second', 'third']);
});

it('a delivery that is planned during a look waits for that look, and for no other', async () => {
  const attempts = new Attempts(service.deps);
  await plan(service.deps, events(proven, ['first']));
  let asked = false;
  const hooks: Service['deps']['hooks'] = {
    listListeners: (...given) => service.deps.hooks.listListeners(...given).finally(() => (asked = true)),
  };
  const waitsForUs =
    'select count(*) from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database() where not l.granted';

  const [looked, planned] = await service.db
    .transaction(async (trx) => {
      await trx.raw('lock table attempt in exclusive mode');
      const looking = attempts.runDue();
      await eventually(async () => expect((await trx.raw<{ rows: unknown[] }>(waitsForUs)).rows).toEqual([{ count: 1 }]));
      const planning = plan({ ...service.deps, hooks }, events(proven, ['second']), attempts);
      await eventually(() => expect(asked).toBe(true));
      return [looking, planning] as const;
    })
    .then((both) => Promise.all(both));

  expect(looked).toMatchObject({ begun: 1 });
  expect(planned).toEqual({ made: 1, waiting: 0 });
  await attempts.idle();
  expect(bodies().sort()).toEqual(['first', 'second']);
});

it('a subscription gets no more than its share at once, oldest first, and the rest waits', async () => {
  const { attempts, sent, answer } = attemptsThatWait();
  await expect(plan(service.deps, events(proven, ['a', 'b', 'c', 'd', 'e']), attempts)).resolves.toEqual({ made: 5, waiting: 2 });
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c']));
  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });

  answer();
  await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 2 }));
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c', 'd', 'e']));
  answer();
  await attempts.idle();
});

it('planning triggers a look only if the subscription has a free slot', async () => {
  const { attempts, sent, answer } = attemptsThatWait();
  const looks = jest.fn();
  await attempts.runDue(looks);
  await plan(service.deps, events(proven, ['a', 'b', 'c', 'd']), attempts);
  await plan(service.deps, events(proven, ['e']), attempts);
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c']));
  expect(looks).not.toHaveBeenCalled();

  answer();
  await eventually(() => expect(looks).toHaveBeenCalled());
  await expect(attempts.runDue(looks)).resolves.toMatchObject({ begun: 2 });
  looks.mockClear();

  // There is a free slot for this one, but one of its deliveries already waits.
  const behind = await aProvenOne();
  await plan(service.deps, events(behind, ['f']));
  await plan(service.deps, events(behind, ['g']), attempts);
  expect(looks).toHaveBeenCalled();

  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 2 });
  await eventually(() => expect(sent).toHaveLength(7));
  answer();
  await attempts.idle();
});

it('a subscription waits in its current lane, whatever lane this process remembers', async () => {
  const [slow, unknown] = [await aProvenOne(), service.subscription()];
  await service.db('turn').where({ subscription_id: slow.id }).update({ lane: 'slow' });
  const attempts = new Attempts(service.deps);

  // This process does not know the subscription yet and takes it for quick.
  await expect(plan(service.deps, events(slow, ['x', 'y']), attempts)).resolves.toEqual({ made: 2, waiting: 2 });
  await expect(plan(service.deps, events(unknown, ['x']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
  await expect(service.run(attempts)).resolves.toBe(2);
  await service.run(attempts);
});

it('the first event of a subscription is sent at once, even if its lane was guessed wrong', async () => {
  const [unknown, slow] = [service.subscription(), await aProvenOne()];
  await service.db('turn').where({ subscription_id: slow.id }).update({ lane: 'slow' });
  const attempts = new Attempts(service.deps);
  // Looks only when called, never on its own.
  const looks: Promise<unknown>[] = [];
  const look = () => void looks.push(attempts.runDue(look));
  look();
  await Promise.all(looks);

  for (const [n, one] of [unknown, slow].entries()) {
    await expect(plan(service.deps, events(one, ['first']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
    await service.subscriber.waitFor(n + 1, ours);
  }
  await attempts.idle();
  await Promise.all(looks);
});

it('deliveries that wait in a full lane are not overtaken by a new one of another subscription', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => aProvenOne()));
  const { attempts, sent, answer } = attemptsThatWait({ ...service.deps, settings: { ...service.deps.settings, DELIVERY_CONCURRENCY: 4 } });
  // Two of the four slots are for the quick lane.
  await plan(
    service.deps,
    others.flatMap((one, n) => events(one, [`${n}`])),
  );
  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 2 });
  answer();
  await eventually(() => expect(sent).toHaveLength(2));

  await expect(plan(service.deps, events(proven, ['new']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
  await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 2 }));
  await eventually(() => expect(sent).toEqual(['0', '1', '2', 'new']));
  answer();
  await attempts.idle();
});

it('deliveries that could not be stored do not begin, and their slots are free again', async () => {
  const attempts = new Attempts(service.deps);
  const batch = events(proven, ['a', 'b', 'c']);
  const breaking = await connectionsDieAt(service.db, 'before insert on queue');
  await expect(plan(service.deps, batch, attempts)).rejects.toThrow();
  await breaking.end();
  expect(received()).toEqual([]);

  await expect(plan(service.deps, batch, attempts)).resolves.toEqual({ made: 3, waiting: 0 });
  await service.subscriber.waitFor(3, ours);
  await attempts.idle();
});

it('no delivery begins, and no slot stays taken, for a subscription that was switched off', async () => {
  const [listening, attempts] = [{ ...proven }, new Attempts(service.deps)];
  await service.switchOff(proven);
  // As `hooks` answered before the subscription was switched off.
  const outdated = { ...service.deps, hooks: { listListeners: () => Promise.resolve({ listeners: [listening] }) } };
  await expect(plan(outdated, events(proven, ['late']), attempts)).resolves.toEqual({ made: 0, waiting: 0 });

  listening.revision += 2;
  await expect(plan(outdated, events(proven, ['a', 'b', 'c']), attempts)).resolves.toEqual({ made: 3, waiting: 0 });
  await service.subscriber.waitFor(3, ours);
  await attempts.idle();
  expect(bodies().sort()).toEqual(['a', 'b', 'c']);
});

it('a failing subscriber gets three POSTs in all, even if the process dies after each of them, the one begun by planning included', async () => {
  service.subscriber.answer(500);
  await expect(plan(service.deps, events(proven, ['a']), service.dying())).resolves.toEqual({ made: 1, waiting: 0 });
  await service.subscriber.waitFor(1, ours);
  for (const [n, pause] of service.deps.settings.RETRY_DELAYS_MS.entries()) {
    service.clock.advance(leaseMs(service.deps.settings) + pause);
    await expect(service.dying().runDue()).resolves.toMatchObject({ begun: 1 });
    await service.subscriber.waitFor(n + 2, ours);
  }
  service.clock.advance(24 * 60 * 60 * 1_000);
  await expect(service.run()).resolves.toBe(0);

  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(received()).toHaveLength(3);
  await expect(service.deliveries(proven)).resolves.toMatchObject([{}, { state: 'failed', attempts: 3 }]);
});

it('an event without listeners is recorded, and its body is not kept', async () => {
  const [event] = events({ ...proven, form_id: newId() }, ['nobody hears this']);
  if (!event) throw new Error('no event');
  await plan(service.deps, [event]);
  await expect(service.db('event').where({ id: event.id })).resolves.toMatchObject([{ body: '' }]);
});

describe('an attempt that has ended', () => {
  it('frees its slot before it is settled, up to a bound', async () => {
    const { attempts, answer, sent } = attemptsThatWait({
      ...service.deps,
      settings: { ...service.deps.settings, DELIVERY_CONCURRENCY: 5, DELIVERY_PER_SUBSCRIPTION: 2 },
    });
    await plan(service.deps, events(proven, ['a', 'b', 'c', 'd', 'e', 'f', 'g']));
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
  await service.happen(proven);
  await service.prove(...subscriptions);
  service.subscriber.answer(() => (Math.random() < 0.5 ? 500 : 200));
  const processes = Array.from({ length: 3 }, () => ({ deps: service.another(), attempts: undefined as unknown as Attempts }));
  for (const one of processes) one.attempts = new Attempts(one.deps);
  const editor = callAs(
    aUser({ instanceId: service.instanceId, workspaceId: service.workspaceId, roles: { [service.workspaceId]: 'editor' } }),
  );
  const range = { form_id: proven.form_id, from: new Date(0).toISOString(), to: new Date('2100-01-01').toISOString() };
  for (let n = 0; n < 15; n++) {
    await Promise.all(
      processes.map(async ({ deps, attempts }) => {
        await plan(deps, events(proven, ['a', 'b', 'c']), attempts);
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
