import { afterFailure, type FailedAttempts } from '@sheaf/kernel';
import { rowsOf, type Database } from '@sheaf/postgres';

/** The counted tries, if they still count. */
export async function triesOf(db: Database, key: Buffer, now: Date): Promise<FailedAttempts | undefined> {
  const [row] = await rowsOf<FailedAttempts>(
    db,
    'select failures, blocked_until, expires_at from access_try where key = ? and expires_at > ?',
    [key, now],
  );
  return row;
}

/** Counts a wrong code, and deletes some tries that count no longer. */
export async function countFailure(
  db: Database,
  key: Buffer,
  { now, limit, windowMs }: { now: Date; limit: number; windowMs: number },
): Promise<void> {
  const none = { failures: 0, blocked_until: null, expires_at: now };
  await db.transaction(async (trx) => {
    await trx('access_try')
      .insert({ key, ...none })
      .onConflict('key')
      .ignore();
    const before = await trx<FailedAttempts & { key: Buffer }>('access_try').where({ key }).forUpdate().first();
    const counted = before && before.expires_at > now ? before : none;
    await trx('access_try')
      .where({ key })
      .update({ ...afterFailure(counted, limit, now, windowMs) });
  });
  await db.raw(
    'delete from access_try where key in (select key from access_try where expires_at <= ? order by expires_at limit 20 for update skip locked)',
    [now],
  );
}

export async function forgetTries(db: Database, key: Buffer): Promise<void> {
  await db('access_try').where({ key }).delete();
}
