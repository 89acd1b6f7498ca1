import { buildIndex, rowsOf, type Database, type Migration } from '@sheaf/postgres';

/** The submission that a delivery is about. */
export const submissions: Migration = {
  name: '0015_submissions',
  up: (db) =>
    db.raw(`
      -- Null for a change of several submissions at once, and for deliveries that an earlier version planned.
      alter table delivery add column submission_id uuid;

      -- Days that are made from now on have it; 0016_submissions_index builds it for the others.
      create index delivery_of_submission on only delivery (submission_id, id) where submission_id is not null;
    `),
};

/** Builds the index of each day and attaches it. A rerun continues with the days that lack it. */
export const submissionsIndex: Migration = {
  name: '0016_submissions_index',
  transaction: 'none',
  up: async (db) => {
    for (let day = await dayWithout(db); day !== undefined; day = await dayWithout(db)) {
      const index = `${day}_submission_id_id_idx`;
      await buildIndex(db, index, `on ${day} (submission_id, id) where submission_id is not null`);
      // Unlike a build, it blocks who plans statements on this day, so it must not wait long behind others.
      await db.raw(`set lock_timeout = '2s'`);
      await db.raw('alter index delivery_of_submission attach partition ??', [index]);
    }
  },
};

async function dayWithout(db: Database): Promise<string | undefined> {
  const [day] = await rowsOf<{ name: string }>(
    db,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = cast('delivery' as regclass)
        and not exists (select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
                         where x.indrelid = c.oid and a.inhparent = cast('delivery_of_submission' as regclass))
      order by 1 limit 1`,
  );
  return day?.name;
}
