import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormRow } from '../rows';

/** Whether forms can be filed in the folder. If so, it cannot be marked as deleted until the end of the transaction. */
export async function holdFolder(trx: Transaction, id: string): Promise<boolean> {
  await rowsOf(trx, 'insert into folder (id, is_deleted) values (?, false) on conflict do nothing', [id]);
  return (await rowsOf(trx, 'select from folder where id = ? and not is_deleted for share', [id])).length > 0;
}

/** Prevents forms from being filed in the folder. Waits for transactions that are filing one. */
export async function markDeleted(db: Database, id: string): Promise<void> {
  await rowsOf(db, 'insert into folder (id, is_deleted) values (?, true) on conflict (id) do update set is_deleted = true', [id]);
}

/** Unfiles forms of a folder, at most the limit. @returns these forms. */
export async function unfileSome(trx: Transaction, id: string, limit: number): Promise<Pick<FormRow, 'id' | 'instance_id' | 'slug'>[]> {
  return rowsOf(
    trx,
    `update form set folder_id = null
      where id in (select id from form where folder_id = ? order by id limit ? for no key update)
     returning id, instance_id, slug`,
    [id, limit],
  );
}
