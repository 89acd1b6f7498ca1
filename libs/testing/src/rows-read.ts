import type { Transaction } from '@sheaf/postgres';

/** Counts the rows of these tables that `work` reads, needed or not. All its statements must run in the transaction. */
export async function countRowsRead(trx: Transaction, tables: readonly string[], work: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(trx, tables);
  await work();
  return (await rowsRead(trx, tables)) - before;
}

async function rowsRead(trx: Transaction, tables: readonly string[]): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ rows_read: string }] }>(
    'select sum(seq_tup_read + idx_tup_fetch) as rows_read from pg_stat_xact_user_tables where relname = any(?)',
    [[...tables]],
  );
  return Number(rows[0].rows_read);
}
