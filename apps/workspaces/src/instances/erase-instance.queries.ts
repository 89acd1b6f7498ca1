import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

const idsOf = async (db: Database, sql: string, instanceId: string, limit: number): Promise<string[]> =>
  (await rowsOf<{ id: string }>(db, sql, [instanceId, limit])).map(({ id }) => id);

export const workspacesOf = (db: Database, instanceId: string, limit: number): Promise<string[]> =>
  idsOf(db, 'select id from workspace where instance_id = ? order by id limit ?', instanceId, limit);

export const peopleOf = (db: Database, instanceId: string, limit: number): Promise<string[]> =>
  idsOf(db, 'select id from person where instance_id = ? order by id limit ?', instanceId, limit);

export const serviceAccountsOf = (db: Database, instanceId: string, limit: number): Promise<string[]> =>
  idsOf(db, 'select id from service_account where instance_id = ? and deleted_at is null order by id limit ?', instanceId, limit);

/** Deletes an instance without workspaces and people. @returns whether there was one */
export async function deleteInstance(trx: Transaction, id: string): Promise<boolean> {
  for (const table of ['api_key', 'service_account']) await trx(table).where({ instance_id: id }).delete();
  return (await trx('instance').where({ id }).delete()) > 0;
}
