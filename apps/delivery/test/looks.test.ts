import { newId } from '@sheaf/kernel';
import { connectTo, type Database } from '@sheaf/postgres';
import { leaseMs } from '../src/attempts/claims.queries';
import { claimDue } from '../src/attempts/claims.queries';
import { settleAll } from '../src/attempts/settlements.queries';
import { Slots } from '../src/attempts/slots';
import { plan } from '../src/planning/plan';
import { settlementOf } from '../src/attempts/judge';
import { startService, type Service } from './support/service';

// Looks at the queue in the database, in one round trip each.

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const look = (
  db: Database,
  slots = new Slots(service.deps.settings),
  retryDelaysMs: readonly number[] = service.deps.settings.RETRY_DELAYS_MS,
) => claimDue(db, { clock: service.clock, look: slots.look(), leaseMs: leaseMs(service.deps.settings), retryDelaysMs });

/** Deliveries that fall due before their subscription's turn, so that no look would find them in time. */
const stranded = async (db: Database) =>
  (
    await db.raw<{ rows: unknown[] }>(
      `select q.delivery_id from queue q join turn t on t.subscription_id = q.subscription_id
      where q.next_attempt_at is not null and (t.due_at is null or t.due_at > q.next_attempt_at)`,
    )
  ).rows;

it('looks during planning never leave a delivery that no later look would find', async () => {
  const form = newId();
  const [first, ...others] = Array.from({ length: 20 }, () => service.subscription({ form_id: form }));
  if (!first) throw new Error('no subscription');
  await service.planEvents(first);
  await service.markQuick(first, ...others);
  const happen = (deps: Service['deps']) => plan(deps, [service.event(form, { body: '{}' })]);
  const still = { planning: true };
  let [begun, made] = [0, 20];

  const looks = Array.from({ length: 3 }, async () => {
    const { db } = service.otherProcess();
    for (let last = false; !last;) {
      last = !still.planning;
      // Without retries, no turn comes up again with nothing to send.
      const { claims } = await look(db, undefined, []);
      begun += claims.length;
      if (claims.length > 0) last = false;
      await settleAll(
        db,
        service.clock,
        claims.map((claim) => settlementOf(claim, { status: 200, durationMs: 1 }, [], service.clock.now())),
      );
    }
  });
  const watching = (async () => {
    const { db } = service.otherProcess();
    while (still.planning) expect(await stranded(db)).toEqual([]);
  })();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const deps = service.otherProcess();
      for (let n = 0; n < 60; n++) {
        const planned = await happen(deps);
        made += planned.made;
      }
    }),
  ).finally(() => (still.planning = false));
  await Promise.all([...looks, watching]);

  await expect(stranded(service.db)).resolves.toEqual([]);
  await expect(service.db('queue').select()).resolves.toEqual([]);
  expect(begun).toBe(made);
});

it('a look counts attempts in flight, and skips subscriptions at their limit', async () => {
  const [busy, full, dead] = [service.subscription(), service.subscription(), service.subscription()];
  for (const one of [busy, full, dead]) await service.planEvents(one, 4);
  await service.markQuick(busy, full);
  const slots = new Slots(service.deps.settings);
  slots.begin(busy.id, 'quick');
  for (let n = 0; n < 3; n++) slots.begin(full.id, 'quick');

  const { claims, turns, waiting } = await look(service.db, slots);
  expect(claims.map((claim) => claim.subscription_id).sort()).toEqual([busy.id, busy.id, dead.id].sort());
  expect(turns).toHaveLength(2);
  expect(turns).toEqual(
    expect.arrayContaining([
      { id: busy.id, lane: 'quick', behind: true },
      { id: dead.id, lane: 'unproven', behind: true },
    ]),
  );
  expect(waiting.sort()).toEqual(['quick', 'unproven']);
});

it('a look reports when the next attempt is due, whether or not it claimed any', async () => {
  const one = service.subscription();
  const { settings } = service.deps;
  await expect(look(service.db)).resolves.toEqual({ claims: [], turns: [], nextInMs: undefined, waiting: [] });
  await service.planEvents(one);
  await service.markQuick(one);

  await expect(look(service.db)).resolves.toMatchObject({
    claims: [{ subscription_id: one.id, number: 1 }],
    turns: [{ behind: false }],
    nextInMs: leaseMs(settings) + 4_000,
    waiting: [],
  });
  await expect(look(service.db)).resolves.toEqual({ claims: [], turns: [], nextInMs: leaseMs(settings) + 4_000, waiting: [] });

  // A look reports a lane without room too, so that a slot freed there triggers another look.
  await service.planEvents(one);
  const none = new Slots(settings).look(0);
  await expect(
    claimDue(service.db, { clock: service.clock, look: none, leaseMs: leaseMs(settings), retryDelaysMs: settings.RETRY_DELAYS_MS }),
  ).resolves.toEqual({ claims: [], turns: [], nextInMs: undefined, waiting: ['quick'] });
});

it('a look claims no more large events than fit into memory, and the next one claims the rest', async () => {
  const one = service.subscription();
  await service.planEvents(one);
  await service.markQuick(one);
  await service.planEvents(one, 2);
  await service.db.raw(`update event set body = '"' || repeat('x', 9 * 1024 * 1024) || '"'`);

  const first = await look(service.db);
  expect(first.claims).toHaveLength(2);
  expect(first.turns).toEqual([{ id: one.id, lane: 'quick', behind: true }]);
  await expect(look(service.db)).resolves.toMatchObject({ claims: [{ subscription_id: one.id }] });
});

it('a look is one statement', async () => {
  const one = service.subscription();
  await service.planEvents(one, 2);
  // A separate pool, which nothing else uses, such as the relay.
  const db = connectTo(service.databaseUrl, 'look', 1);
  const statements: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  try {
    await look(db);
  } finally {
    await db.destroy();
  }
  expect(statements).toHaveLength(1);
});
