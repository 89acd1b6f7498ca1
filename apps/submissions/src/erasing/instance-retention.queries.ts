import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { Days } from './retention.queries';

const forEver: Days = { trash_days: null, submissions_days: null, files_days: null };

export async function daysOf(db: Database, instanceId: string): Promise<Days> {
  const [row] = await rowsOf<Days>(db, 'select trash_days, submissions_days, files_days from instance_keeping where instance_id = ?', [
    instanceId,
  ]);
  return row ?? forEver;
}

/** Locks the days of an instance until this transaction ends. */
export async function lockDaysOf(trx: Transaction, instanceId: string): Promise<Days> {
  const [row] = await rowsOf<Days>(
    trx,
    `insert into instance_keeping (instance_id) values (?)
     on conflict (instance_id) do update set instance_id = excluded.instance_id
     returning trash_days, submissions_days, files_days`,
    [instanceId],
  );
  return row ?? forEver;
}

export async function saveDays(trx: Transaction, instanceId: string, days: Days): Promise<void> {
  await trx('instance_keeping').where({ instance_id: instanceId }).update(days);
}
