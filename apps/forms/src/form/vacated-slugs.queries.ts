import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** Records that a form has released a slug. */
export async function insertVacated(
  trx: Transaction,
  vacated: { instance_id: string; slug: string; form_id: string; vacated_at: Date },
): Promise<void> {
  await trx('vacated_slug').insert(vacated).onConflict(['instance_id', 'slug']).merge();
}

/** The time at which another form of the instance released the slug, if that was after the given time. */
export async function vacatedByAnother(
  trx: Transaction,
  form: { id: string; instance_id: string; slug: string },
  after: Date,
): Promise<Date | undefined> {
  const [row] = await rowsOf<{ vacated_at: Date }>(
    trx,
    'select vacated_at from vacated_slug where instance_id = ? and slug = ? and form_id <> ? and vacated_at > ?',
    [form.instance_id, form.slug, form.id, after],
  );
  return row?.vacated_at;
}

/** Deletes slugs released at or before the given time. @returns the number of deleted rows, at most the limit. */
export async function deleteVacated(db: Database, until: Date, limit: number): Promise<number> {
  const sql = `delete from vacated_slug
                where (instance_id, slug) in (select instance_id, slug from vacated_slug where vacated_at <= ? limit ? for update skip locked)
               returning slug`;
  return (await rowsOf(db, sql, [until, limit])).length;
}
