import { Health } from '@sheaf/runtime';
import { eventually, startPrimaryAndStandby, testProcess, type PrimaryAndStandby } from '@sheaf/testing';
import { connectTo, openDatabase } from '../src/database';
import { Replication } from '../src/replication';
import { rowsOf, type Database } from '../src/statement';

// A real primary and its standby. Their settings change while processes run, as an operator or a failover changes them.

let servers: PrimaryAndStandby;
let admin: Database;
beforeAll(async () => {
  servers = await startPrimaryAndStandby();
  admin = connectTo(servers.primary.url, 'admin', 1);
});
afterAll(async () => {
  await admin.destroy();
  await servers.stop();
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await standbys('');
});

async function standbys(names: string): Promise<void> {
  await admin.raw(`alter system set synchronous_standby_names = '${names}'`);
  await admin.raw('select pg_reload_conf()');
  await eventually(async () =>
    expect(await rowsOf(admin, 'show synchronous_standby_names')).toEqual([{ synchronous_standby_names: names }]),
  );
}
const isSync = () =>
  eventually(async () =>
    expect(await rowsOf(admin, `select from pg_stat_replication where sync_state in ('sync', 'quorum')`)).toHaveLength(1),
  );

/** A service's view of the server. @param commit the `synchronous_commit` of its sessions */
function aService({ url = servers.primary.url, commit = 'on' } = {}) {
  const { metrics } = testProcess('service');
  const health = new Health();
  const lines: string[] = [];
  const log = { warn: (line: string) => lines.push(line), info: (line: string) => lines.push(line) } as never;
  const db = connectTo(url, 'service', 2, { own: { synchronous_commit: commit } });
  ends.push(() => db.destroy());
  const replication = new Replication({ log, metrics, health }, db);
  return {
    health,
    lines,
    async asks() {
      await replication.ask();
      return /^sheaf_postgres_synchronous (\d)$/m.exec(await metrics.metrics())?.[1];
    },
  };
}

const asynchronous = 'PostgreSQL replicates asynchronously (synchronous_standby_names is empty): a failover loses accepted submissions';

it('a service warns while commits do not wait for a standby, and says when they do again', async () => {
  const service = aService();
  expect(await service.asks()).toBe('0');
  expect(await service.asks()).toBe('0');
  expect(service.health.warnings).toEqual([asynchronous]);
  expect(service.lines).toEqual([asynchronous]);

  await standbys('standby');
  await isSync();
  expect(await service.asks()).toBe('1');
  expect(service.health.warnings).toEqual([]);
  expect(service.lines).toEqual([asynchronous, 'PostgreSQL replicates synchronously again']);
});

it('a quorum of standbys is synchronous, and a good start needs no line in the log', async () => {
  await standbys('ANY 1 (standby, other)');
  await isSync();
  const service = aService();
  expect(await service.asks()).toBe('1');
  expect(service.lines).toEqual([]);
});

it('a named standby that is not connected does not count', async () => {
  await standbys('other');
  const service = aService();
  expect(await service.asks()).toBe('0');
  expect(service.health.warnings).toEqual(['PostgreSQL has no synchronous standby at the moment: nothing can be stored until one is back']);
});

it.each(['off', 'local'])('synchronous_commit = %s of the service’s own sessions is a warning, whatever the server has', async (commit) => {
  await standbys('standby');
  await isSync();
  const service = aService({ commit });
  expect(await service.asks()).toBe('0');
  expect(service.health.warnings[0]).toContain(`synchronous_commit is ${commit}`);
});

it('a role that may not see the standbys judges by the settings alone', async () => {
  await admin.raw(`create role plain login`);
  const url = servers.primary.url.replace('postgres@', 'plain@');
  const service = aService({ url });
  expect(await service.asks()).toBe('0');
  await standbys('standby');
  await eventually(async () => expect(await service.asks()).toBe('1'));
});

it('a server that does not answer, or is a standby itself, has no value, since an old one would look healthy', async () => {
  await standbys('standby');
  await isSync();
  const service = aService({ url: 'postgres://nobody@127.0.0.1:1/none' });
  expect(await service.asks()).toBeUndefined();
  expect(await aService({ url: servers.standby.url }).asks()).toBeUndefined();
  expect(service.lines).toEqual([]);
});

it('a process asks only if it is told that its database is replicated', async () => {
  const replicated = testProcess('replicated');
  const alone = testProcess('alone');
  ends.push(
    () => alone.stop(),
    () => replicated.stop(),
  );
  const settings = { DATABASE_URL: servers.primary.url, DATABASE_POOL: 2 };
  openDatabase(alone, settings);
  openDatabase(replicated, { ...settings, DATABASE_REPLICATED: true });
  await eventually(async () => expect(await replicated.metrics.metrics()).toMatch(/^sheaf_postgres_synchronous 0$/m));
  expect(replicated.health.warnings).toEqual([asynchronous]);
  expect(alone.health.warnings).toEqual([]);
  expect(await alone.metrics.metrics()).not.toContain('sheaf_postgres_synchronous');
});

// The last one: the standby does not come back.
it('even a role that may not see the standbys sees that none is left', async () => {
  await admin.raw(`create role modest login`);
  await standbys('standby');
  await isSync();
  const service = aService({ url: servers.primary.url.replace('postgres@', 'modest@') });
  expect(await service.asks()).toBe('1');
  await servers.standby.stop();
  await eventually(async () => expect(await service.asks()).toBe('0'));
});
