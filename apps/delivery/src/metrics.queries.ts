import { rowsOf, type Database } from '@sheaf/postgres';

const countedAtMost = 100_000;

/** What waits. */
export async function queueAt(db: Database, now: Date): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await rowsOf<{ due: number; oldest: Date | null }>(
    db,
    `select (select count(*) from (select from queue where next_attempt_at <= :now limit :bound) as bounded) as due,
            (select min(next_attempt_at) from queue where next_attempt_at <= :now) as oldest`,
    { now, bound: countedAtMost },
  );
  return { due: row?.due ?? 0, oldestSeconds: row?.oldest ? (now.getTime() - row.oldest.getTime()) / 1_000 : 0 };
}
