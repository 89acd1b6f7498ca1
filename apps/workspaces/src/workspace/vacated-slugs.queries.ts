import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** Records that a workspace has released a slug. */
export async function insertVacated(trx: Transaction, vacated: { slug: string; workspace_id: string; vacated_at: Date }): Promise<void> {
  await trx('vacated_slug').insert(vacated).onConflict('slug').merge();
}

/** The time at which another workspace released the slug, if that was after the given time. */
export async function vacatedByAnother(
  trx: Transaction,
  { slug, id }: { slug: string; id: string },
  after: Date,
): Promise<Date | undefined> {
  const [row] = await rowsOf<{ vacated_at: Date }>(
    trx,
    'select vacated_at from vacated_slug where slug = ? and workspace_id <> ? and vacated_at > ?',
    [slug, id, after],
  );
  return row?.vacated_at;
}

/** Deletes slugs released at or before the given time. @returns the number of deleted rows, at most the limit. */
export async function deleteVacated(db: Database, until: Date, limit: number): Promise<number> {
  const sql =
    'delete from vacated_slug where slug in (select slug from vacated_slug where vacated_at <= ? limit ? for update skip locked) returning slug';
  return (await rowsOf(db, sql, [until, limit])).length;
}
