import { newId, type Caller } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs, eventually, expectCursorsChecked, forged, freshDatabase, refused } from '@sheaf/testing';
import { leaseMs } from '../src/attempts/claims.queries';
import { listAttempts } from '../src/log/list-attempts';
import { migrations } from '../src/migrations';
import { attemptsByTime } from '../src/migrations/0028_attempts_by_time';
import { serviceSettings, startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

type Wanted = Omit<Parameters<Service['client']['listDeliveryAttempts']>[1], 'form_id' | 'limit'>;
const list = (form_id: string, wanted: Wanted = {}, limit = 25, as: Caller = service.member('editor')) =>
  service.client.listDeliveryAttempts(callAs(as), { form_id, limit, ...wanted });

const planned = async (form: string) => {
  const event = service.event(form);
  await service.planAsQuick([event]);
  return event;
};

describe('the attempts of a form', () => {
  it('are found by the time of their start, later ones to old deliveries too', async () => {
    const subscription = service.subscription();
    const other = service.subscription();
    service.subscriber.answer(503);
    await planned(subscription.form_id);
    await planned(other.form_id);
    await service.run();
    service.clock.advance(4_000);
    await service.run();
    const { attempts, next_cursor: next, as_of: asOf } = await list(subscription.form_id);
    expect(attempts).toMatchObject(
      [1, 2].map((number) => ({
        number,
        status: 503,
        error: 'status',
        in_progress: false,
        subscription_id: subscription.id,
        event: 'submission.created',
      })),
    );
    expect({ next, asOf }).toEqual({ next: undefined, asOf: service.clock.now().toISOString() });
    // Long after its delivery was planned, and without the first two.
    service.clock.advance(16_000);
    await service.run();
    const from = service.clock.now().toISOString();
    expect((await list(subscription.form_id, { from })).attempts).toMatchObject([{ number: 3 }]);
    expect((await list(subscription.form_id, { subscription_id: newId() })).attempts).toEqual([]);
  });

  it('are read in pages that have each once, whatever a request reads at most, and also far from now', async () => {
    const subscription = service.subscription();
    const other = service.subscription();
    const events: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      events.push((await planned(subscription.form_id)).id);
      await planned(other.form_id);
      await service.run();
      service.clock.advance(round === 1 ? 11 * 60_000 : 1);
    }
    const as = service.member('viewer');
    const from = new Date(service.clock.now().getTime() - 12 * 60_000).toISOString();
    const cursors: string[] = [];
    for (const most of [1, 2, 3, 5, 100]) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const search = { formId: subscription.form_id, subscriptionId: undefined, from, cursor, limit: 2 };
        const page = await listAttempts(service.deps, { caller: as, call: callAs(as) }, search, most);
        found.push(...page.rows.map(({ delivery_id: id }) => id));
        expect(page.rows.every(({ url }) => url === new URL(url).origin)).toBe(true);
        cursor = page.nextCursor;
        if (most > 2) cursors.push(Buffer.from(cursor ?? '', 'base64url').toString());
      } while (cursor !== undefined);
      expect(found).toEqual((await service.deliveries(subscription)).map(({ id }) => id).toSorted());
    }
    expect(events).toHaveLength(4);
    // The other form is no matter of the reader.
    for (const { id } of await service.deliveries(other)) expect(cursors.filter((one) => one.includes(id))).toEqual([]);
  });

  it('are read on behind one that has lost its event', async () => {
    const subscription = service.subscription();
    const lost = await planned(subscription.form_id);
    await service.run();
    service.clock.advance(1);
    await planned(subscription.form_id);
    await service.run();
    await service.db('event').where({ id: lost.id }).delete();
    const as = { caller: service.member('viewer'), call: callAs(service.member('viewer')) };
    let cursor: string | undefined;
    const found: number[] = [];
    const from = new Date(service.clock.now().getTime() - 1).toISOString();
    do {
      const search = { formId: subscription.form_id, subscriptionId: undefined, from, cursor, limit: 2 };
      const page = await listAttempts(service.deps, as, search, 1);
      found.push(page.rows.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found.toSorted().at(-1)).toBe(1);
  });

  it('are in progress until they are settled, or lost', async () => {
    const subscription = service.subscription();
    await planned(subscription.form_id);
    service.subscriber.answer('hang');
    const run = service.run();
    await service.subscriber.waitFor(1);
    expect((await list(subscription.form_id)).attempts).toMatchObject([{ number: 1, in_progress: true }]);
    service.clock.advance(leaseMs(serviceSettings));
    expect((await list(subscription.form_id)).attempts).toMatchObject([{ in_progress: false, error: 'interrupted' }]);
    service.subscriber.hangUp();
    await run;
  });

  it('are refused for what is no form, and after a place that cannot exist', async () => {
    const { form_id: form, id } = service.subscription();
    await expect(list('nonsense')).rejects.toEqual(refused('not_found'));
    expect(await list(form, { subscription_id: 'nonsense' })).toMatchObject({ attempts: [] });
    await expectCursorsChecked(
      {
        list: ['attempts', form, {}],
        real: [service.clock.now().toISOString(), id, 1],
        place: [forged.time(), forged.id(), forged.number()],
      },
      (cursor) => list(form, { cursor }),
    );
  });
});

it('the index of a log that is in use is built for each day, and again after it broke off', async () => {
  const { db } = await freshDatabase(migrations.filter(({ name }) => name !== attemptsByTime.name));
  try {
    const indexed = () =>
      rowsOf<{ days: number; of: number }>(
        db,
        `select (select count(*)::int from pg_inherits where inhparent = to_regclass('attempt_by_start')) as days,
                (select count(*)::int from pg_inherits where inhparent = 'attempt'::regclass) as of`,
      );
    await attemptsByTime.up(db);
    const [complete] = await indexed();
    expect(complete?.days).toBe(complete?.of);
    expect(complete?.days).toBeGreaterThan(10);
    await attemptsByTime.up(db);
    expect(await indexed()).toEqual([complete]);
  } finally {
    await db.destroy();
  }
});

it('the index of a log is built without a day that is removed meanwhile', async () => {
  const { db } = await freshDatabase(migrations.filter(({ name }) => name !== attemptsByTime.name));
  try {
    const days = await rowsOf<{ day: string }>(
      db,
      `select cast(inhrelid as regclass)::text as day from pg_inherits where inhparent = 'attempt'::regclass order by 1`,
    );
    const [first = '', removed = ''] = [days[0]?.day, days[1]?.day];
    // The build of the first day waits for this transaction.
    const open = await db.transaction();
    await open.raw('lock table ?? in row exclusive mode', [first]);
    const building = attemptsByTime.up(db);
    building.catch(() => undefined);
    await eventually(async () =>
      expect(await rowsOf(db, 'select to_regclass(?) as is_there', [`${first}_by_start`])).not.toEqual([{ is_there: null }]),
    );
    await db.raw('alter table attempt detach partition ??', [removed]);
    await db.raw('drop table ??', [removed]);
    await open.commit();
    await building;
    expect(await rowsOf(db, `select count(*)::int as days from pg_inherits where inhparent = to_regclass('attempt_by_start')`)).toEqual([
      { days: days.length - 1 },
    ]);
  } finally {
    await db.destroy();
  }
});
