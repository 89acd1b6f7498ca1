import { eventually, freshDatabase } from '@sheaf/testing';
import { Registry } from 'prom-client';
import { connectTo } from '../src/database';
import { watchPool, watchSizes } from '../src/pool-metrics';
import { rowsOf, type Database } from '../src/statement';
import { watchStatements } from '../src/statement-metrics';

let db: Database;
let url: string;
let registry: Registry;
let at: number;
beforeEach(async () => {
  const fresh = await freshDatabase([]);
  await fresh.db.destroy();
  url = fresh.url;
  db = connectTo(url, 'test', 2);
  registry = new Registry();
  at = 0;
  watchPool(registry, db, () => at);
});
afterEach(() => db.destroy());

/** @returns the value of each series, by its name and labels. */
async function scrape(): Promise<Record<string, number>> {
  at += 60_000;
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('sheaf_'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

it('shows the connections of the pool, the requests waiting for one, and the connections of the server', async () => {
  const asleep = [1, 2, 3].map(() => rowsOf(db, 'select pg_sleep(60)').catch(() => undefined));
  await eventually(async () =>
    expect(await scrape()).toMatchObject({
      'sheaf_database_connections{state="in_use"}': 2,
      'sheaf_database_connections{state="idle"}': 0,
      sheaf_database_waiting: 1,
      sheaf_database_connections_max: 2,
    }),
  );
  // Requests that wait for a connection must not wait for this query as well.
  expect(await scrape()).not.toHaveProperty('sheaf_postgres_connections');

  const admin = connectTo(url, 'admin', 1);
  await eventually(async () => {
    await rowsOf(
      admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    );
    expect(await scrape()).toMatchObject({ sheaf_database_waiting: 0, 'sheaf_database_connections{state="in_use"}': 0 });
  });
  await Promise.all(asleep);
  const [row] = await rowsOf<{ most: number }>(admin, `select current_setting('max_connections')::int as most`);
  await admin.destroy();

  const calm = await scrape();
  expect(calm.sheaf_postgres_connections_max).toBe(row?.most);
  expect(calm.sheaf_postgres_connections).toBeGreaterThan(0);
});

it('shows how long a transaction has been open', async () => {
  const trx = await db.transaction();
  await trx.raw('select 1');
  const first = (await scrape()).sheaf_postgres_oldest_transaction_seconds ?? 0;
  await eventually(async () => expect((await scrape()).sheaf_postgres_oldest_transaction_seconds).toBeGreaterThan(first));
  await trx.rollback();
});

it('shows how long statements took and waited, by what they do, and what each table takes on disk', async () => {
  watchStatements(registry, (db.client as { config: object }).config);
  watchSizes(registry, db, () => at);
  await db.raw('create table kept (id integer); create table parted (id integer) partition by range (id)');
  await db.raw('create table parted_1 partition of parted default');
  await rowsOf(db, 'insert into parted (id) select * from generate_series(1, ?)', [1_000]);
  await db.transaction((trx) => rowsOf(trx, 'select id from kept'));
  const found = await scrape();
  expect(found).toMatchObject({
    'sheaf_database_statement_seconds_count{statement="insert into parted"}': 1,
    'sheaf_database_statement_seconds_count{statement="select kept"}': 1,
    'sheaf_database_bytes{table="kept"}': 0,
  });
  expect(found['sheaf_database_bytes{table="parted"}']).toBeGreaterThan(8_000);
  expect(found).not.toHaveProperty('sheaf_database_bytes{table="parted_1"}');
  expect(found.sheaf_database_wait_seconds_count).toBeGreaterThan(1);
});

it('omits the metrics of a server that is down, and keeps the others', async () => {
  const unreachable = connectTo('postgres://nobody@127.0.0.1:1/none', 'test', 2);
  const registry = new Registry();
  watchPool(registry, unreachable);
  const text = await registry.metrics();
  await unreachable.destroy();
  expect(text).toContain('sheaf_database_waiting 0');
  expect(text).not.toMatch(/^sheaf_postgres_/m);
});
