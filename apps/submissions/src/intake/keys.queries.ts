import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface KeyRow {
  fingerprint: Buffer;
  submission_id: string;
}

export async function findKey(db: Database, formId: string, key: string): Promise<KeyRow | undefined> {
  const [row] = await rowsOf<KeyRow>(db, 'select fingerprint, submission_id from idempotency_key where form_id = ? and key = ?', [
    formId,
    key,
  ]);
  return row;
}

/** @returns false if the key is taken. Waits for a transaction that is taking it. */
export async function takeKey(trx: Transaction, row: KeyRow & { form_id: string; key: string; created_at: Date }): Promise<boolean> {
  const taken = await rowsOf(
    trx,
    `insert into idempotency_key (form_id, key, fingerprint, submission_id, created_at)
     values (:form_id, :key, :fingerprint, :submission_id, :created_at)
     on conflict do nothing returning key`,
    { ...row },
  );
  return taken.length > 0;
}

/** Deletes keys taken before `before`, oldest first; skips keys that another process is deleting. @returns how many */
export async function deleteKeys(db: Database, before: Date, limit: number): Promise<number> {
  const deleted = await rowsOf(
    db,
    `with old as (
       select form_id, key from idempotency_key where created_at < :before order by created_at limit :limit for update skip locked
     )
     delete from idempotency_key as k using old where k.form_id = old.form_id and k.key = old.key returning k.form_id`,
    { before, limit },
  );
  return deleted.length;
}
