import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** Notes that a form has given up a slug. */
export async function insertVacated(trx: Transaction, vacated: { instance_id: string; slug: string; form_id: string; vacated_at: Date }): Promise<void> {
  await trx('vacated_slug').insert(vacated).onConflict(['instance_id', 'slug']).merge();
}

/** When another form of the instance gave up the slug, if that was after the given time. */
export async function vacatedByAnother(trx: Transaction, form: { id: string; instance_id: string; slug: string }, after: Date): Promise<Date | undefined> {
  const [row] = await rowsOf<{ vacated_at: Date }>(
    trx,
    'select vacated_at from vacated_slug where instance_id = ? and slug = ? and form_id <> ? and vacated_at > ?',
    [form.instance_id, form.slug, form.id, after],
  );
  return row?.vacated_at;
}

/** Those given up at the given time or before. @returns how many, at most the limit */
export async function deleteVacated(db: Database, until: Date, limit: number): Promise<number> {
  const sql = `delete from vacated_slug
                where (instance_id, slug) in (select instance_id, slug from vacated_slug where vacated_at <= ? limit ? for update skip locked)
               returning slug`;
  return (await rowsOf(db, sql, [until, limit])).length;
}
