import { rowsOf, type Database } from '@sheaf/postgres';

/** Created by the migration and shared by all processes. */
export async function startTokenSecret(db: Database): Promise<string> {
  const [row] = await rowsOf<{ secret: string }>(db, 'select secret from start_token_secret');
  if (!row) throw new Error('the database has no secret for start tokens');
  return row.secret;
}
