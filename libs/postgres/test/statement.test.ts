import { freshDatabase } from '@sheaf/testing';
import { connectTo } from '../src/database';
import { rowsOf, type Database } from '../src/statement';

let db: Database;
let url: string;
beforeEach(async () => {
  ({ db, url } = await freshDatabase([]));
});
afterEach(() => db.destroy());

describe('a statement', () => {
  it('takes values by position and by name, alongside casts', async () => {
    expect(await rowsOf(db, 'select ?::int as a, ?::text[] as b', [1, ['x', 'y']])).toEqual([{ a: 1, b: ['x', 'y'] }]);
    expect(await rowsOf(db, 'select :a::int as a, cast(:b as text) as b, :a::text as c', { a: '1', b: 'x' })).toEqual([
      { a: 1, b: 'x', c: '1' },
    ]);
    expect(await rowsOf(db, 'select cast(:a as text) as a', { a: null })).toEqual([{ a: null }]);
  });

  it('is prepared once per connection, without its values', async () => {
    const one = connectTo(url, 'one', 1);
    try {
      for (const value of ["it's", ':other', '$1'])
        expect(await rowsOf(one, 'select cast(:value as text) as value', { value })).toEqual([{ value }]);
      expect(await rowsOf(one, `select statement from pg_prepared_statements where statement like 'select cast%'`)).toEqual([
        { statement: 'select cast($1 as text) as value' },
      ]);
    } finally {
      await one.destroy();
    }
  });

  it('belongs to its transaction, and fails once that is over', async () => {
    await rowsOf(db, 'create table thing (id int)');
    let over: Database | undefined;
    const work = db.transaction(async (trx) => {
      over = trx;
      await rowsOf(trx, 'insert into thing values (?)', [1]);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await rowsOf(db, 'select * from thing')).toEqual([]);
    await expect(rowsOf(over ?? db, 'select 1')).rejects.toThrow('is over');
  });

  it('may contain a knex query', async () => {
    await rowsOf(db, 'create table thing (id int)');
    await rowsOf(db, 'insert into thing values (1), (2)');
    expect(await rowsOf(db, 'select * from (?) as big', [db('thing').where('id', '>', 1)])).toEqual([{ id: 2 }]);
  });

  it('still works when a migration changes its table', async () => {
    const one = connectTo(url, 'one', 1);
    try {
      await rowsOf(one, 'create table thing (id int)');
      const all = () => rowsOf(one, 'select * from thing');
      await all();
      await rowsOf(db, 'alter table thing add column name text');
      expect(await all()).toEqual([]);
    } finally {
      await one.destroy();
    }
  });

  it('does not fail its transaction when a migration changes its table, and is still done once', async () => {
    const one = connectTo(url, 'one', 1);
    try {
      await rowsOf(one, 'create table thing (id int)');
      const addOne = () =>
        one.transaction(async (trx) => {
          await rowsOf(trx, 'insert into thing (id) values (1)');
          await rowsOf(trx, 'select * from thing where id > 0');
          return rowsOf(trx, 'select * from thing');
        });
      await addOne();

      await rowsOf(db, 'alter table thing add column name text');
      expect(await addOne()).toEqual([
        { id: 1, name: null },
        { id: 1, name: null },
      ]);
    } finally {
      await one.destroy();
    }
  });
});
