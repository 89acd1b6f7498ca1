import type { Client } from 'pg';

/** Statements about more rows spill what the triggers see to disk. */
const rowsAtOnce = 1_000_000;

/**
 * Adds copies of a form's newest submission, in the trash or not, with the counts of its list and of intake; each is a second older than the one
 * before. Searches do not find them. Takes a superuser's connection to the database of `submissions`.
 * @param data SQL of the answers of copy `n` of the submission `s`
 */
export async function copySubmissions(db: Client, form: string, copies: number, data = 'cast(s.data as jsonb)'): Promise<void> {
  await db.query('alter table submission disable trigger submission_searched');
  const { rows } = await db.query<{ id: string }>(
    'select id from submission where form_id = $1 order by created_at desc, id desc limit 1',
    [form],
  );
  for (let from = 1; from <= copies; from += rowsAtOnce) {
    await db.query(
      `insert into submission
       select copy.* from submission s, generate_series($2::integer, $3::integer) n,
              lateral jsonb_populate_record(s, jsonb_build_object(
                'id', gen_random_uuid(), 'created_at', s.created_at - n * interval '1 second', 'deleted_at', null, 'data', ${data}
              )) copy
        where s.id = $1`,
      [rows[0]?.id, from, Math.min(from + rowsAtOnce - 1, copies)],
    );
  }
  await db.query('alter table submission enable trigger submission_searched');
  await db.query(
    `insert into listed_count (form_id, status, listed)
     select form_id, status, count(*) from submission where form_id = $1 and deleted_at is null and spam_at is null group by form_id, status
     on conflict (form_id, status) do update set listed = excluded.listed`,
    [form],
  );
  await db.query('update intake set accepted = accepted + $2 where form_id = $1', [form, copies]);
  await db.query('vacuum analyze submission');
}
