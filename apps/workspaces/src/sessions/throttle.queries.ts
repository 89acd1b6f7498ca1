import type { FailedAttempts } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface ThrottleRow extends FailedAttempts {
  key: Buffer;
}

/** The rows of these keys, inserted if missing, and locked in the order of the keys, which prevents deadlocks. */
export async function lock(trx: Transaction, keys: readonly Buffer[], now: Date): Promise<ThrottleRow[]> {
  const sorted = [...keys].sort((a, b) => a.compare(b));
  await trx('sign_in_throttle')
    .insert(sorted.map((key) => ({ key, failures: 0, blocked_until: null, expires_at: now })))
    .onConflict('key')
    .ignore();
  return trx<ThrottleRow>('sign_in_throttle').whereIn('key', sorted).orderBy('key').forUpdate();
}

/** The rows must be locked. */
export async function saveRows(trx: Transaction, rows: readonly ThrottleRow[]): Promise<void> {
  await trx('sign_in_throttle').insert(rows).onConflict('key').merge();
}

export async function isKnownPlace(db: Database, key: Buffer, now: Date): Promise<boolean> {
  return (await rowsOf(db, 'select from sign_in_place where key = ? and expires_at > ?', [key, now])).length > 0;
}

export async function rememberPlace(trx: Transaction, place: { key: Buffer; account: Buffer; expires_at: Date }): Promise<void> {
  await trx('sign_in_place').insert(place).onConflict('key').merge();
}

export async function forgetPlaces(trx: Transaction, account: Buffer): Promise<void> {
  await trx('sign_in_place').where({ account }).delete();
}

/** Deletes the places and the counter of an account. The failures that are counted by its places expire within the window. */
export async function forgetAccount(trx: Transaction, account: Buffer): Promise<void> {
  await forgetPlaces(trx, account);
  await trx('sign_in_throttle').where({ key: account }).delete();
}

/** Deletes up to 20 expired rows of each table. An attempt inserts fewer, so they never pile up. */
export async function sweep(db: Database, now: Date): Promise<void> {
  for (const table of ['sign_in_throttle', 'sign_in_place']) {
    await db.raw(
      'delete from ?? where key in (select key from ?? where expires_at <= ? order by expires_at limit 20 for update skip locked)',
      [table, table, now],
    );
  }
}
