import { rowsOf, type Database } from '@sheaf/postgres';
import { lockCounts } from './count.queries';

/** Forgets what is counted of a form, and lets the background count all of its submissions anew. @returns false if nothing was counted of it */
export const recount = (db: Database, formId: string): Promise<boolean> =>
  db.transaction(async (trx) => {
    await lockCounts(trx);
    const rows = await rowsOf(
      trx,
      `with gone as (delete from insight_count where form_id = :formId), gone_too as (delete from insight_quarter where form_id = :formId)
       update insight_form set generation = generation + 1, walk_created_at = 'infinity', walk_id = form_id where form_id = :formId returning form_id`,
      { formId },
    );
    return rows.length > 0;
  });

/** The next forms of which submissions are counted. */
export async function countedForms(db: Database, after: string, max: number): Promise<string[]> {
  const rows = await rowsOf<{ form_id: string }>(db, 'select form_id from insight_form where form_id > ? order by form_id limit ?', [
    after,
    max,
  ]);
  return rows.map(({ form_id: id }) => id);
}
