import { rowsOf, type Database } from '@sheaf/postgres';

export async function allInstanceIds(db: Database): Promise<string[]> {
  return (await rowsOf<{ id: string }>(db, 'select id from instance order by id')).map(({ id }) => id);
}
