import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

/** The person of a preference. */
export interface Whose {
  instanceId: string;
  personId: string;
}

/** `value`: JSON. */
export interface PreferenceRow {
  key: string;
  value: string;
}

export async function preferencesOf(db: Database, { instanceId, personId }: Whose): Promise<PreferenceRow[]> {
  return rowsOf<PreferenceRow>(db, 'select key, value from preference where instance_id = ? and person_id = ? order by key', [
    instanceId,
    personId,
  ]);
}

/** @returns false if it would be one more than the person may have. The person's row must be locked. */
export async function savePreference(
  trx: Transaction,
  { instanceId, personId }: Whose,
  { key, value }: PreferenceRow,
  atMost: number,
): Promise<boolean> {
  const saved = await rowsOf(
    trx,
    `insert into preference (instance_id, person_id, key, value)
     select :instance, :person, :key, :value
      where (select count(*) from preference where instance_id = :instance and person_id = :person and key <> :key) < :atMost
     on conflict (instance_id, person_id, key) do update set value = excluded.value
     returning key`,
    { instance: instanceId, person: personId, key, value, atMost },
  );
  return saved.length > 0;
}

/** @returns whether there was one */
export async function deletePreference(db: Database, { instanceId, personId }: Whose, key: string): Promise<boolean> {
  return (await db('preference').where({ instance_id: instanceId, person_id: personId, key }).delete()) > 0;
}
