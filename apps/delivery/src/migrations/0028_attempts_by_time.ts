import { buildIndex, rowsOf, type Database, type Migration } from '@sheaf/postgres';

/**
 * Finds the attempts of the last minutes, of old deliveries too. They are written in the order of their start, so that an index of ranges costs an attempt
 * nearly nothing: it has one entry for 32 pages, which is made when they are full.
 */
const definition = 'using brin (started_at) with (pages_per_range = 32, autosummarize = on)';

export const attemptsByTime: Migration = {
  name: '0028_attempts_by_time',
  transaction: 'none',
  async up(db) {
    await db.raw(`create index if not exists attempt_by_start on only attempt ${definition}`);
    // The table of a day that is created from here on has the index by itself.
    const days = await rowsOf<{ day: string }>(
      db,
      `select cast(c.oid as regclass)::text as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'attempt'::regclass
          and not exists (select from pg_index x join pg_inherits p on p.inhrelid = x.indexrelid
                           where x.indrelid = c.oid and p.inhparent = 'attempt_by_start'::regclass)
        order by 1`,
    );
    for (const { day } of days) {
      if (!(await isKept(db, day))) continue;
      await buildIndex(db, `${day}_by_start`, `on ${day} ${definition}`);
      if (await isKept(db, day)) await db.raw('alter index attempt_by_start attach partition ??', [`${day}_by_start`]);
    }
  },
};

/** Builds take long, and meanwhile the service removes old days. */
async function isKept(db: Database, day: string): Promise<boolean> {
  const found = await rowsOf(db, `select from pg_inherits where inhparent = 'attempt'::regclass and inhrelid = to_regclass(?)`, [day]);
  return found.length > 0;
}
