import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormRow } from './rows';

/** Whether forms can be put into the folder; if so, it is not marked as deleted before the transaction is over. */
export async function holdFolder(trx: Transaction, id: string): Promise<boolean> {
  await rowsOf(trx, 'insert into folder (id, is_deleted) values (?, false) on conflict do nothing', [id]);
  return (await rowsOf(trx, 'select from folder where id = ? and not is_deleted for share', [id])).length > 0;
}

/** From now on no form comes into the folder. Waits for those that are on their way. */
export async function markDeleted(db: Database, id: string): Promise<void> {
  await rowsOf(db, 'insert into folder (id, is_deleted) values (?, true) on conflict (id) do update set is_deleted = true', [id]);
}

/** Unfiles some of the forms of a folder. @returns those. */
export async function unfileSome(trx: Transaction, id: string, limit: number): Promise<Pick<FormRow, 'id' | 'instance_id' | 'slug'>[]> {
  return rowsOf(
    trx,
    `update form set folder_id = null
      where id in (select id from form where folder_id = ? order by id limit ? for no key update)
     returning id, instance_id, slug`,
    [id, limit],
  );
}
