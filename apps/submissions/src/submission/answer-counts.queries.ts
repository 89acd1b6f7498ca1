import { rowsOf, type Database } from '@sheaf/postgres';

/**
 * The number of listed submissions with an answer under each key, among the newest ones within the limits. `bytes` limits the stored size,
 * which is known without unpacking an answer.
 * @returns no count for a key without answers; `complete` unless the limits left out submissions.
 */
export async function answerCounts(
  db: Database,
  formId: string,
  keys: readonly string[],
  most: { rows: number; bytes: number },
): Promise<{ counts: ReadonlyMap<string, number>; complete: boolean }> {
  const rows = await rowsOf<{ key: string | null; submissions: number; complete: boolean }>(
    db,
    `select key, count(*)::int as submissions, bool_and(fits) as complete
       from (select data, row_number() over (rows unbounded preceding) <= :rows
                          and sum(pg_column_size(data)) over (rows unbounded preceding) <= :bytes as fits
               from (select data from submission where form_id = :formId and deleted_at is null and spam_at is null
                      order by created_at desc, id desc limit cast(:rows as int) + 1) as newest) as measured
       left join lateral (
         select key from json_object_keys(case when fits then data end) as found (key) where key = any(cast(:keys as text[]))
       ) as answered on true
      group by key`,
    { formId, keys: [...keys], ...most },
  );
  return {
    counts: new Map(rows.flatMap(({ key, submissions }) => (key === null ? [] : [[key, submissions] as const]))),
    complete: rows.every(({ complete }) => complete),
  };
}
