import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';

const folder = join(__dirname, '../src/database');

let db: Database;

beforeAll(async () => {
  ({ db } = await freshDatabase(migrations));
});
afterAll(() => db.destroy());

interface Defined {
  name: string;
  definition: string;
  /** Created or replaced by this transaction. */
  isNew: boolean;
}

const functionsOf = (trx: Transaction): Promise<Defined[]> =>
  rowsOf<Defined>(
    trx,
    `select cast(cast(oid as regprocedure) as text) as name, pg_get_functiondef(oid) as definition, xmin = cast(pg_current_xact_id() as xid) as "isNew"
       from pg_proc where pronamespace = cast('public' as regnamespace) order by 1`,
  );

const texts = readdirSync(folder).flatMap((file) => Object.values(jest.requireActual<Record<string, string>>(join(folder, file))));

it('migrations leave each database function exactly as src/database defines it', async () => {
  await db.transaction(async (trx) => {
    const made = await functionsOf(trx);
    for (const text of texts) await trx.raw(text);
    const present = await functionsOf(trx);
    expect(present.map(({ name, definition }) => ({ name, definition }))).toEqual(
      made.map(({ name, definition }) => ({ name, definition })),
    );
    expect(present.filter(({ isNew }) => !isNew).map(({ name }) => name)).toEqual([]);
  });
});
