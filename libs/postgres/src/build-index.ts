import { rowsOf, type Database } from './statement';

/**
 * Builds an index while its table is read and written, in a migration of `transaction: 'none'`. If an earlier build was interrupted, its
 * invalid index is dropped first. `definition` follows the index's name: `on submission (form_id)`.
 */
export async function buildIndex(db: Database, index: string, definition: string, { unique = false } = {}): Promise<void> {
  // A build waits for every earlier transaction but blocks none of them. A statement after it may block them, so the bound is put back.
  const [bound] = await rowsOf<{ lock_timeout: string }>(db, 'show lock_timeout');
  await db.raw('set lock_timeout = 0');
  const [left] = await rowsOf<{ valid: boolean }>(db, 'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)', [
    index,
  ]);
  if (left?.valid === false) await db.raw('drop index concurrently ??', [index]);
  await db.raw(`create ${unique ? 'unique ' : ''}index concurrently if not exists ?? ${definition}`, [index]);
  await db.raw(`select set_config('lock_timeout', ?, false)`, [bound?.lock_timeout ?? '0']);
}
