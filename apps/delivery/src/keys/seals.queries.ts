import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface WrappedKey {
  instance_id: string;
  secret_id: string;
  wrapped: Buffer;
  added_at: Date;
}

/** The key of an instance as each secret wraps it. Until the end of the transaction, no other process can make one. */
export async function lockWrapped(trx: Transaction, instanceId: string): Promise<Pick<WrappedKey, 'secret_id' | 'wrapped'>[]> {
  await rowsOf(trx, `select pg_advisory_xact_lock(hashtextextended('sealing_key ' || ?, 0))`, [instanceId]);
  return rowsOf(trx, 'select secret_id, wrapped from sealing_key where instance_id = ?', [instanceId]);
}

export async function insertWrapped(trx: Transaction, row: WrappedKey): Promise<void> {
  await trx<WrappedKey>('sealing_key').insert(row);
}

/** The instances whose key this secret does not wrap, in the order of their ids. */
export const withoutWrapping = (
  db: Database,
  { secretId, after, limit }: { secretId: string; after: string | undefined; limit: number },
): Promise<Pick<WrappedKey, 'instance_id'>[]> =>
  rowsOf(
    db,
    `select distinct k.instance_id from sealing_key k
      where (cast(:after as uuid) is null or k.instance_id > cast(:after as uuid))
        and not exists (select from sealing_key o where o.instance_id = k.instance_id and o.secret_id = :secret)
      order by k.instance_id limit :limit`,
    { secret: secretId, after: after ?? null, limit },
  );

/** Removes what other secrets wrap, if it is older and one of these wraps the same key. */
export async function deleteOthers(db: Database, { secretIds, before }: { secretIds: string[]; before: Date }): Promise<void> {
  await rowsOf(
    db,
    `delete from sealing_key k
      where k.secret_id <> all(cast(:ids as text[])) and k.added_at < :before
        and exists (select from sealing_key o where o.instance_id = k.instance_id and o.secret_id = any(cast(:ids as text[])))`,
    { ids: secretIds, before },
  );
}
