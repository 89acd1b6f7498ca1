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

/** A transaction that keeps something for a person, and the one that notes their erasure, wait for each other. */
const lockOf = "hashtext('own of'), hashtext(cast(:id as text))";

/** Notes that a person was erased: what is kept for them before is there to be deleted by the end of this transaction, and nothing is kept after. */
export async function noteErased(trx: Transaction, { id, instanceId }: { id: string; instanceId: string }): Promise<void> {
  await rowsOf(trx, `select pg_advisory_xact_lock(${lockOf})`, { id });
  await rowsOf(trx, 'insert into erased_person (instance_id, id) values (:instance, :id) on conflict do nothing', {
    instance: instanceId,
    id,
  });
}

/** Whether a person was erased, which they will not be before this transaction ends. */
export async function isErased(trx: Transaction, { id, instanceId }: { id: string; instanceId: string }): Promise<boolean> {
  await rowsOf(trx, `select pg_advisory_xact_lock_shared(${lockOf})`, { id });
  return (
    (await rowsOf(trx, 'select from erased_person where instance_id = :instance and id = :id', { instance: instanceId, id })).length > 0
  );
}
