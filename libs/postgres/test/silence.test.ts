import { eventually, freshDatabase, SilentProxy, testProcess } from '@sheaf/testing';
import { checkWritable, connectTo, openDatabase } from '../src/database';
import { problemOf } from '../src/failure';
import { readOf, rowsOf, type Database } from '../src/statement';

// A database that is reachable, but no longer answers or has become read-only.

let db: Database;
let url: string;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  ({ db, url } = await freshDatabase([]));
  ends.push(() => db.destroy());
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function throughProxy(options: { silentAfterMs?: number } = {}) {
  const { proxy, url: through, close } = await SilentProxy.before(url);
  ends.push(close);
  const far = connectTo(through, 'far', 4, options);
  ends.push(() => far.destroy());
  return { proxy, far, through };
}

const one = (from: Database) => rowsOf<{ one: number }>(from, 'select 1 as one');
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => problemOf(error).code,
  );

describe('a connection that falls silent', () => {
  it.each<[string, (far: Database) => Promise<unknown>]>([
    ['a statement', one],
    ['a read', (far) => readOf(far, 'select 1 as one')],
    ['a query of knex', (far) => far.raw('select 1')],
    ['a transaction', (far) => far.transaction((trx) => rowsOf(trx, 'select 1'))],
  ])('fails %s once: the pool replaces it and all connections that were open at that moment', async (_, ask) => {
    const { proxy, far } = await throughProxy({ silentAfterMs: 300 });
    await Promise.all([1, 2, 3].map(() => rowsOf(far, 'select pg_sleep(0.1)')));
    const before = proxy.accepted;
    expect(before).toBeGreaterThan(1);
    proxy.silenceOpen();

    expect(await codeOf(ask(far))).toBe('unavailable');
    expect(await Promise.all([1, 2, 3, 4].map(() => one(far)))).toEqual([1, 2, 3, 4].map(() => [{ one: 1 }]));
    expect((far.client as { pool: { numUsed(): number } }).pool.numUsed()).toBe(0);
  });

  it('is detected and replaced by the readiness check', async () => {
    const process = testProcess('service');
    const { proxy, through } = await throughProxy();
    openDatabase(process, { DATABASE_URL: through, DATABASE_POOL: 4 });
    ends.push(() => process.stop());
    expect(await process.health.unready()).toEqual([]);

    proxy.silenceOpen();
    expect(await process.health.unready()).toEqual(['postgres']);
    expect(await process.health.unready()).toEqual([]);
  });

  it('fails as unavailable while new connections are silent too', async () => {
    const { proxy, far } = await throughProxy({ silentAfterMs: 300 });
    proxy.silenceAll();
    expect(await codeOf(one(far))).toBe('unavailable');
    proxy.recover();
    await eventually(async () => expect(await one(far)).toEqual([{ one: 1 }]));
  });
});

describe('a statement with a time limit', () => {
  it('changes nothing after its time limit, even if it only waited for a lock', async () => {
    await rowsOf(db, 'create table thing (id int)');
    const near = connectTo(url, 'near', 2);
    ends.push(() => near.destroy());
    await db.transaction(async (trx) => {
      await rowsOf(trx, 'lock table thing');
      expect(await codeOf(rowsOf(near, 'insert into thing values (1)', [], { until: Date.now() + 300 }))).toBe('unavailable');
    });
    // Queues behind the abandoned statement, if that one is still waiting.
    await db.transaction((trx) => rowsOf(trx, 'lock table thing in share mode'));
    expect(await rowsOf(db, 'select * from thing')).toEqual([]);
    await rowsOf(near, 'insert into thing values (2)', [], { until: Date.now() + 10_000 });
    expect(await rowsOf(db, 'select * from thing')).toEqual([{ id: 2 }]);
  });

  it('does not begin after its time limit', async () => {
    await rowsOf(db, 'create table thing (id int)');
    expect(await codeOf(rowsOf(db, 'insert into thing values (1)', [], { until: Date.now() }))).toBe('unavailable');
    expect(await rowsOf(db, 'select * from thing')).toEqual([]);
  });
});

describe('a read-only database', () => {
  const setReadOnly = (value: 'on' | 'off') =>
    rowsOf(db, `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`);

  it('is unavailable and not ready, and its connections are replaced', async () => {
    await rowsOf(db, 'create table thing (id int)');
    await setReadOnly('on');
    const process = testProcess('service');
    const demoted = openDatabase(process, { DATABASE_URL: url, DATABASE_POOL: 2 });
    ends.push(() => process.stop());
    const pid = async () => (await rowsOf<{ pid: number }>(demoted, 'select pg_backend_pid() as pid'))[0]?.pid;

    const first = await pid();
    expect(await codeOf(rowsOf(demoted, 'insert into thing values (1)'))).toBe('unavailable');
    expect(await pid()).not.toBe(first);
    expect(await process.health.unready()).toEqual(['postgres']);

    // Applies to new connections only, like an address that now leads to the new primary.
    await rowsOf(db, 'set default_transaction_read_only = off');
    await setReadOnly('off');
    await eventually(async () => expect(await process.health.unready()).toEqual([]));
    await rowsOf(demoted, 'insert into thing values (2)');
  });

  it('does not count as writable', async () => {
    await setReadOnly('on');
    const reading = connectTo(url, 'reading', 1);
    ends.push(() => reading.destroy());
    await expect(checkWritable(reading)).rejects.toThrow('read-only');
  });
});
