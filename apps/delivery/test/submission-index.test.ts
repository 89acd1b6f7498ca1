import { newId } from '@sheaf/kernel';
import { migrate, rowsOf } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';

const before = (name: string) =>
  migrations.slice(
    0,
    migrations.findIndex((migration) => migration.name === name),
  );

it('each day of the log gets its index of submissions, also after an interrupted build, and so do new days', async () => {
  const { db } = await freshDatabase(before('0015_submissions'));
  const ids = { subscription: newId(), delivery: newId() };
  await db.raw(
    `insert into subscription (id, instance_id, form_id, url, state, revision) values (?, ?, ?, 'https://example.org', 'active', 1)`,
    [ids.subscription, newId(), newId()],
  );
  const deliver = (id: string) =>
    db('delivery').insert({
      id,
      event_id: newId(),
      subscription_id: ids.subscription,
      form_id: newId(),
      state: 'failed',
      attempts: 1,
      created_at: new Date(),
    });
  await deliver(ids.delivery);
  const days = async () =>
    rowsOf<{ name: string; valid: boolean | null }>(
      db,
      `select c.relname as name,
              (select x.indisvalid from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
                where x.indrelid = c.oid and a.inhparent = cast('delivery_of_submission' as regclass)) as valid
         from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = cast('delivery' as regclass) order by 1`,
    );

  // A process of the earlier version goes on after the first step.
  await migrate(db, before('0016_submissions_index'), silentLog());
  await deliver(newId());
  await db.raw(`select make_log(cast(now() as date), cast(now() + interval '20 days' as date))`);
  const [first, second] = (await days()).filter(({ valid }) => valid === null).map(({ name }) => name);
  const indexOf = (day = '') => `${day}_submission_id_id_idx`;
  for (const day of [first, second])
    await db.raw('create index ?? on ?? (submission_id, id) where submission_id is not null', [indexOf(day), day ?? '']);
  // As a build leaves it that was interrupted.
  await db.raw('update pg_index set indisvalid = false where indexrelid = to_regclass(?)', [indexOf(second)]);

  await migrate(db, migrations, silentLog());
  await db.raw(`select make_log(cast(now() as date), cast(now() + interval '22 days' as date))`);

  const made = await days();
  expect(made.length).toBeGreaterThan(20);
  expect(made.filter(({ valid }) => valid !== true)).toEqual([]);
  expect(await rowsOf(db, `select indisvalid from pg_index where indexrelid = cast('delivery_of_submission' as regclass)`)).toEqual([
    { indisvalid: true },
  ]);
  expect(await db('delivery').pluck('submission_id')).toEqual([null, null]);
  await db.destroy();
});
