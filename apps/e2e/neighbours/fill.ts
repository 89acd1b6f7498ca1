import type { Cluster } from '../support/cluster';

const rowsAtOnce = 1_000_000;

/** Copies the newest submission, in the trash or not, of a form until it has this many, with the counts of its list and of intake. */
export const fill = (cluster: Cluster, form: string, count: number): Promise<void> =>
  cluster.inDatabase('submissions', async (db) => {
    await db.query('alter table submission disable trigger submission_searched');
    for (let from = 1; from <= count; from += rowsAtOnce) {
      await db.query(
        `insert into submission
         select copy.* from submission s, generate_series($2::integer, $3::integer) n,
                lateral jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'created_at', s.created_at - n * interval '1 second', 'deleted_at', null)) copy
          where s.id = (select id from submission where form_id = $1 order by created_at desc, id desc limit 1)`,
        [form, from, Math.min(from + rowsAtOnce - 1, count)],
      );
    }
    await db.query('alter table submission enable trigger submission_searched');
    await db.query(
      `insert into listed_count (form_id, status, listed)
       select form_id, status, count(*) from submission where form_id = $1 and deleted_at is null and spam_at is null group by form_id, status
       on conflict (form_id, status) do update set listed = excluded.listed`,
      [form],
    );
    await db.query('update intake set accepted = accepted + $2 where form_id = $1', [form, count]);
    await db.query('vacuum analyze submission');
  });
