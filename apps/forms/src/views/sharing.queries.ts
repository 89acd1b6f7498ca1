import { rowsOf, type Transaction } from '@sheaf/postgres';

/** The tables of all that people keep of a form, for themselves or for everybody. */
export type KeptTable = 'submission_view' | 'export_preset';

/** Deletes some of the own ones of a person in an instance. @returns their number, at most the limit */
export const deleteOwnOf = async (
  trx: Transaction,
  table: KeptTable,
  { id, instanceId }: { id: string; instanceId: string },
  limit: number,
): Promise<number> =>
  (
    await rowsOf(
      trx,
      `delete from ${table} where id in (
         select k.id from ${table} k join form f on f.id = k.form_id
          where k.owner_id = :id and f.instance_id = :instance order by k.id limit :limit)
       returning id`,
      { id, instance: instanceId, limit },
    )
  ).length;
