import type { Socket } from 'node:net';
import { silentLog } from '@sheaf/runtime';
import { eventually, freshDatabase } from '@sheaf/testing';
import knex from 'knex';
import { buildIndex } from '../src/build-index';
import { connectTo } from '../src/database';
import { migrate, type Migration } from '../src/migrate';
import type { Database, Transaction } from '../src/statement';

let db: Database;
let url: string;
beforeEach(async () => {
  ({ db, url } = await freshDatabase([]));
});
afterEach(() => db.destroy());

const table = (name: string): Migration => ({ name, up: (trx) => trx.raw('create table ?? (id int)', [name]) });

it('runs each step once, even if several processes start at the same moment', async () => {
  const others = [connectTo(url, 'a', 2), connectTo(url, 'b', 2)];
  try {
    await Promise.all([db, ...others].map((each) => migrate(each, [table('0001_a'), table('0002_b')], silentLog())));
  } finally {
    for (const other of others) await other.destroy();
  }
  expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_a', '0002_b']);
});

it('rolls back a step that fails, and continues from it at the next run', async () => {
  const broken: Migration = {
    name: '0002_b',
    up: async (trx) => {
      await trx.raw('create table half_done (id int)');
      await trx.raw('nonsense');
    },
  };
  await expect(migrate(db, [table('0001_a'), broken], silentLog())).rejects.toThrow('nonsense');
  expect(await db.schema.hasTable('half_done')).toBe(false);

  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  expect(await db.schema.hasTable('0002_b')).toBe(true);
});

it('continues after a process that was killed in the middle', async () => {
  const killed = connectTo(url, 'killed', 1);
  const cutOff: Migration = { name: '0002_b', up: (trx) => trx.raw('select pg_terminate_backend(pg_backend_pid())') };
  await expect(migrate(killed, [table('0001_a'), cutOff], silentLog())).rejects.toThrow();
  await killed.destroy();

  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  expect(await db.schema.hasTable('0002_b')).toBe(true);
});

it('keeps the steps before one that fails', async () => {
  const broken: Migration = { name: '0002_b', up: (trx) => trx.raw('nonsense') };
  await expect(migrate(db, [table('0001_a'), broken], silentLog())).rejects.toThrow('nonsense');
  expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_a']);
});

describe('a step that stands for earlier ones', () => {
  const initial: Migration = { ...table('0000_initial'), replaces: ['0001_a', '0002_b'] };
  const applied = () => db('knex_migrations').orderBy('id').pluck<string[]>('name');

  it('makes a new schema, to which a process of the version before adds nothing', async () => {
    await migrate(db, [initial, table('0101_c')], silentLog());
    await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
    expect(await applied()).toEqual(['0001_a', '0002_b', '0000_initial', '0101_c']);
    expect(await db.schema.hasTable('0001_a')).toBe(false);
  });

  it('changes nothing where all of them were applied', async () => {
    await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
    await migrate(db, [initial, table('0101_c')], silentLog());
    expect(await applied()).toEqual(['0001_a', '0002_b', '0000_initial', '0101_c']);
    expect(await db.schema.hasTable('0000_initial')).toBe(false);
  });

  it('refuses a database that lacks some of them, and names the version that adds them', async () => {
    await migrate(db, [table('0001_a')], silentLog());
    await expect(migrate(db, [initial], silentLog())).rejects.toThrow(
      /^This database lacks 0002_b\. Upgrade it to the version of Sheaf at commit [0-9a-f]{8} first, and then to this one\.$/,
    );
    expect(await applied()).toEqual(['0001_a']);
  });
});

it('does not change a schema that a newer version has migrated', async () => {
  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  await migrate(db, [table('0001_a')], silentLog());
  expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_a', '0002_b']);
});

it('continues where the migrator of earlier versions stopped', async () => {
  await db.raw('drop table knex_migrations');
  const earlier = {
    getMigrations: () => Promise.resolve(['0001_a']),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => Promise.resolve({ ...table(name), down: () => Promise.resolve() }),
  };
  await db.migrate.latest({ migrationSource: earlier });

  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  expect(await db('knex_migrations').orderBy('id').pluck<string[]>('name')).toEqual(['0001_a', '0002_b']);
});

it('lets a step take longer than a statement of the service may', async () => {
  const long = 'select pg_sleep(0.3)';
  const service = knex({ client: 'pg', connection: { connectionString: url, statement_timeout: 100 }, pool: { min: 0, max: 2 } });
  try {
    await expect(service.raw(long)).rejects.toThrow('statement timeout');

    await migrate(service, [{ name: '0001_long', up: (trx) => trx.raw(long) }], silentLog());

    expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_long']);
  } finally {
    await service.destroy();
  }
});

it('ends a statement whose process was killed', async () => {
  const killed: Migration = {
    name: '0001_long',
    up: async (trx) => {
      const { connection } = await (
        trx.client as { acquireConnection: () => Promise<{ connection: { stream: Socket } }> }
      ).acquireConnection();
      setImmediate(() => connection.stream.destroy());
      await trx.raw('select pg_sleep(600)');
    },
  };
  await expect(migrate(db, [killed], silentLog())).rejects.toThrow();

  await migrate(db, [table('0001_a')], silentLog());
  expect(await db.schema.hasTable('0001_a')).toBe(true);
});

describe('an index built without blocking its table', () => {
  const indexed: Migration = { name: '0001_index', transaction: 'none', up: (own) => buildIndex(own, 'rows_n', 'on rows (n)') };
  const indexes = async () =>
    (await db.raw<{ rows: unknown[] }>(`select indisvalid as valid from pg_index where indexrelid = to_regclass('rows_n')`)).rows;
  // The build waits for this transaction, which began earlier.
  let open: Transaction;
  let building: Promise<void>;
  beforeEach(async () => {
    await db.raw('create table rows as select n from generate_series(1, 1000) n');
    open = await db.transaction();
    await open.raw('insert into rows values (0)');
    building = migrate(db, [indexed], silentLog());
    building.catch(() => undefined);
    await eventually(async () => expect(await indexes()).toEqual([{ valid: false }]));
  });

  it('leaves the bound of the waits for a lock to the statements after it', async () => {
    await open.commit();
    await building;
    const bounds: unknown[] = [];
    const step: Migration = {
      name: '0002_more',
      transaction: 'none',
      up: async (own) => {
        await buildIndex(own, 'rows_m', 'on rows (n)');
        bounds.push((await own.raw<{ rows: unknown[] }>('show lock_timeout')).rows[0]);
      },
    };
    await migrate(db, [step], silentLog(), { lockMs: 1_500, pausesMs: [] });
    expect(bounds).toEqual([{ lock_timeout: '1500ms' }]);
  });

  it('does not block concurrent writes', async () => {
    await db.raw('insert into rows values (-1)');
    await open.commit();
    await building;

    expect(await indexes()).toEqual([{ valid: true }]);
  });

  it('does not wait for another copy that is waiting to migrate', async () => {
    const other = connectTo(url, 'other', 2);
    try {
      const turn = migrate(other, [indexed], silentLog());
      await eventually(async () => expect(await db('pg_stat_activity').where({ application_name: 'sheaf-other' })).toHaveLength(1));
      await open.commit();
      await Promise.all([building, turn]);
    } finally {
      await other.destroy();
    }
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  it('is dropped and rebuilt after an interrupted build', async () => {
    await db.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create index%'`,
    );
    await expect(building).rejects.toThrow();
    await open.commit();
    expect(await indexes()).toEqual([{ valid: false }]);

    await migrate(db, [indexed], silentLog());
    expect(await indexes()).toEqual([{ valid: true }]);
  });
});

describe('while a reader locks the table', () => {
  const limits = { lockMs: 200, pausesMs: [50, 50] };
  const widened: Migration = { name: '0002_wider', up: (trx) => trx.raw('alter table "0001_a" add column more int') };
  let reader: Transaction;
  beforeEach(async () => {
    await migrate(db, [table('0001_a')], silentLog());
    reader = await db.transaction();
    await reader('0001_a').select();
  });
  afterEach(() => reader.rollback());

  it('a step gives up its place in the lock queue, so others can read', async () => {
    const migrating = migrate(db, [table('0001_a'), widened], silentLog(), limits);
    const failing = expect(migrating).rejects.toThrow('lock timeout');
    await eventually(async () => expect(await waiting()).toBe(1));
    await expect(db('0001_a').select()).resolves.toEqual([]);
    await failing;
    expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_a']);
  });

  it('a step is retried until the reader has ended', async () => {
    const tries: unknown[] = [];
    const log = Object.assign(silentLog(), { warn: (about: unknown) => tries.push(about) });
    const migrating = migrate(db, [table('0001_a'), widened], log, { ...limits, pausesMs: Array<number>(100).fill(50) });
    await eventually(() => expect(tries).toContainEqual({ migration: '0002_wider', code: '55P03' }));
    await reader.commit();
    await migrating;

    await expect(db.schema.hasColumn('0001_a', 'more')).resolves.toBe(true);
  });

  const waiting = async () =>
    Number((await db.raw<{ rows: { count: number }[] }>('select count(*) from pg_locks where not granted')).rows[0]?.count);
});
