import { newId } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import { countRowsRead } from '@sheaf/testing';
import { leaseMs } from '../src/attempts/claims.queries';
import { claimDue, type Claim } from '../src/attempts/claims.queries';
import { settle } from '../src/attempts/settlements.queries';
import { Slots } from '../src/attempts/slots';
import { measureQueue } from '../src/metrics.queries';
import { settlementOf } from '../src/attempts/judge';
import { startService, type Service } from './support/service';

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const look = (trx: Transaction) =>
  claimDue(trx, {
    clock: service.clock,
    look: new Slots(service.deps.settings).look(),
    leaseMs: leaseMs(service.deps.settings),
    retryDelaysMs: [],
  });
const succeeded = (claims: readonly Claim[]) =>
  claims.map((claim) => settlementOf(claim, { status: 200, durationMs: 1 }, [], service.clock.now()));

// A burst after a quiet minute: PostgreSQL has planned for a queue that was empty at its last vacuum, and it is still nearly empty.
it.each([
  ['empty', 0, 'on'],
  ['empty but not shrunk', 0, 'off'],
  ['nearly empty', 5, 'on'],
])(
  'a look and settling read only their own rows, however full the queue, if it was %s when their plans were made',
  async (_, left, truncate) => {
    const { db } = service.deps;
    const form = newId();
    const [first, ...others] = Array.from({ length: 100 }, () => service.subscription({ form_id: form }));
    if (!first) throw new Error('no subscription');
    await service.planEvents(first);
    await service.markQuick(first, ...others);
    const fill = (trx: Database, count: number) =>
      trx.raw(
        `with filled as (
         insert into queue (delivery_id, subscription_id, event_id, attempts, next_attempt_at)
         select u.id, s.subscription_id, (select id from event limit 1), 0, :now
           from unnest(cast(:ids as uuid[])) with ordinality as u (id, n)
           join (select subscription_id, row_number() over () - 1 as place, count(*) over () as all from turn) as s on s.place = u.n % s.all
       )
       update turn set due_at = :now`,
        { now: service.clock.now(), ids: Array.from({ length: count }, () => newId()) },
      );
    await fill(db, 20_000);
    // Keep the last rows, so that the table cannot shrink.
    await db.raw('delete from queue where ctid not in (select ctid from queue order by ctid desc limit ?)', [left]);
    await db.raw(`vacuum (analyze, truncate ${truncate}) queue`);
    await db.raw(`vacuum (analyze, truncate ${truncate}) turn`);

    await db.transaction(async (trx) => {
      // Repeat until PostgreSQL caches a plan.
      for (let n = 0; n < 10; n += 1) {
        await fill(trx, 100);
        await settle(trx, service.clock, succeeded((await look(trx)).claims));
      }
      await fill(trx, 20_000);

      let begun: Claim[] = [];
      const lookReads = await countRowsRead(trx, ['queue', 'turn'], async () => {
        begun = (await look(trx)).claims;
      });
      expect(begun.length).toBeGreaterThan(10);
      expect(lookReads).toBeLessThan(20 * begun.length);
      expect(await countRowsRead(trx, ['queue', 'turn'], () => settle(trx, service.clock, succeeded(begun)))).toBeLessThan(
        10 * begun.length,
      );
    });
  },
);

it('settling reads only its own rows of the log, however full a day has become since its plan was made', async () => {
  const form = newId();
  const [first, ...others] = Array.from({ length: 30 }, () => service.subscription({ form_id: form }));
  if (!first) throw new Error('no subscription');
  // Separate calls, so that the ids come from several moments.
  for (let n = 0; n < 4; n += 1) await service.planEvents(first, 3);
  await service.markQuick(first, ...others);

  await service.deps.db.transaction(async (trx) => {
    for (let n = 0; n < 10; n += 1) await settle(trx, service.clock, succeeded((await look(trx)).claims));
    const left = [...(await look(trx)).claims, ...(await look(trx)).claims];
    const ids = left.map(({ id }) => id).sort();
    const filling = { moment: ids[Math.floor(ids.length / 2)]?.slice(0, 13), subscription: first.id, form };
    for (const rows of [
      'attempt (delivery_id, number, started_at) select id, 1, now()',
      "delivery (id, event_id, subscription_id, form_id, state, attempts, created_at) select id, id, :subscription, :form, 'succeeded', 1, now()",
    ]) {
      await trx.raw(
        `insert into ${rows} from (select cast(:moment || substr(cast(gen_random_uuid() as text), 14) as uuid) as id from generate_series(1, 20000)) as more`,
        filling,
      );
    }
    const {
      rows: [between],
    } = await trx.raw<{ rows: [{ count: string }] }>('select count(*) from attempt where delivery_id between ? and ?', [
      ids[0] ?? null,
      ids.at(-1) ?? null,
    ]);
    expect(Number(between.count)).toBeGreaterThan(5_000);

    const { rows: days } = await trx.raw<{ rows: { name: string }[] }>(
      `select relname as name from pg_class where relname ~ '^(attempt|delivery)_[0-9]'`,
    );
    expect(
      await countRowsRead(trx, ['queue', ...days.map(({ name }) => name)], () => settle(trx, service.clock, succeeded(left))),
    ).toBeLessThan(10 * left.length);
  });
});

it('measuring the queue reads only what is due', async () => {
  const one = service.subscription();
  await service.planEvents(one, 7);
  service.clock.advance(30_000);
  await service.deps.db.transaction(async (trx) => {
    expect(await countRowsRead(trx, ['queue', 'turn'], () => measureQueue(trx, service.clock))).toBeLessThan(20);
  });
});
