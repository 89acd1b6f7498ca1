import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { connectTo } from '../src/database';
import { migrate, type Migration } from '../src/migrate';
import type { Database } from '../src/statement';

let db: Database;
let url: string;
beforeEach(async () => {
  ({ db, url } = await freshDatabase([]));
});
afterEach(() => db.destroy());

const table = (name: string): Migration => ({ name, up: (trx) => trx.raw('create table ?? (id int)', [name]) });

it('runs each step once, also when several start at the same moment', async () => {
  const others = [connectTo(url, 'a', 2), connectTo(url, 'b', 2)];
  try {
    await Promise.all([db, ...others].map((each) => migrate(each, [table('0001_a'), table('0002_b')], silentLog())));
  } finally {
    for (const other of others) await other.destroy();
  }
  expect(await db('knex_migrations').pluck<string[]>('name')).toEqual(['0001_a', '0002_b']);
});

it('leaves nothing of a step that fails, and goes on from there the next time', async () => {
  const broken: Migration = { name: '0002_b', up: async (trx) => { await trx.raw('create table half_done (id int)'); await trx.raw('nonsense'); } };
  await expect(migrate(db, [table('0001_a'), broken], silentLog())).rejects.toThrow('nonsense');
  expect(await db.schema.hasTable('half_done')).toBe(false);

  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  expect(await db.schema.hasTable('0002_b')).toBe(true);
});

it('is not held up by a process that was killed in the middle', async () => {
  await migrate(db, [table('0001_a')], silentLog());
  await db('knex_migrations_lock').update({ is_locked: 1 });

  await migrate(db, [table('0001_a'), table('0002_b')], silentLog());
  expect(await db.schema.hasTable('0002_b')).toBe(true);
});
