import { eventually, freshDatabase } from '@sheaf/testing';
import { connectTo } from '../src/database';
import { readOf, rowsOf, type Database } from '../src/statement';

// Statements that share a connection.

let db: Database;
let reading: Database;
beforeEach(async () => {
  const fresh = await freshDatabase([]);
  db = fresh.db;
  reading = connectTo(fresh.url, 'reading', 10);
});
afterEach(async () => {
  await reading.destroy();
  await db.destroy();
});

const used = () => (reading.client as { pool: { numUsed(): number } }).pool.numUsed();
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

it('simultaneous reads share connections, and each gets its own rows', async () => {
  const rows = await Promise.all(
    numbers(20).map((n) => readOf<{ n: number; pid: number }>(reading, 'select cast(? as int) as n, pg_backend_pid() as pid', [n])),
  );
  expect(rows.map(([row]) => row?.n)).toEqual(numbers(20));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(3);
  expect(used()).toBe(0);
});

it('a failing read does not affect the others', async () => {
  const ended = await Promise.allSettled([1, 0, 2].map((by) => readOf<{ of: number }>(reading, 'select 2 / cast(? as int) as of', [by])));
  expect(ended).toMatchObject([{ value: [{ of: 2 }] }, { reason: { code: '22012' } }, { value: [{ of: 1 }] }]);
  expect(used()).toBe(0);
});

it('reads fail with a connection that breaks, and later reads use another one', async () => {
  const broken = Promise.allSettled([readOf(reading, 'select pg_sleep(60)'), readOf(reading, 'select 1')]);
  const asleep = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await eventually(async () => expect(await rowsOf(db, asleep)).toHaveLength(1));
  await rowsOf(db, `select pg_terminate_backend(pid) from (${asleep}) as one`);

  expect((await broken).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(readOf(reading, 'select 2 as two')).resolves.toEqual([{ two: 2 }]);
  expect(used()).toBe(0);
});

it('a waiting read does not delay statements on other connections', async () => {
  await rowsOf(db, 'create table thing (id int)');
  const waiting = await db.transaction(async (trx) => {
    await rowsOf(trx, 'lock table thing');
    const read = readOf(reading, 'select * from thing');
    await expect(rowsOf(reading, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
    await expect(reading.transaction((other) => readOf(other, 'select 1 as one'))).resolves.toEqual([{ one: 1 }]);
    return { read };
  });
  await expect(waiting.read).resolves.toEqual([]);
});

it('a read in a transaction sees the changes of that transaction', async () => {
  await rowsOf(db, 'create table thing (id int)');
  await reading.transaction(async (trx) => {
    await rowsOf(trx, 'insert into thing values (7)');
    await expect(readOf(trx, 'select * from thing')).resolves.toEqual([{ id: 7 }]);
    await expect(readOf(reading, 'select * from thing')).resolves.toEqual([]);
  });
});

it('reads continue when a migration changes their table', async () => {
  await rowsOf(db, 'create table thing (id int)');
  const all = () => readOf(reading, 'select * from thing');
  await all();
  await rowsOf(db, 'alter table thing add column name text');
  await expect(Promise.all([all(), all(), all()])).resolves.toEqual([[], [], []]);
});
