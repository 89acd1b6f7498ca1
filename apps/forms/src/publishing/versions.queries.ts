import { rowsOf, type Database } from '@sheaf/postgres';
import type { VersionRow } from '../rows';

const columns = 'form_id, number, published_by_kind, published_by_id, published_at';

/** The version with this number and earlier ones, without their content, which can be large. */
export async function versionsUpTo(
  db: Database,
  formId: string,
  number: number,
  limit: number,
): Promise<Omit<VersionRow, 'fields' | 'payment'>[]> {
  return rowsOf(db, `select ${columns} from version where form_id = ? and number <= ? order by number desc limit ?`, [
    formId,
    number,
    limit,
  ]);
}

export async function version(db: Database, formId: string, number: number): Promise<VersionRow | undefined> {
  const [row] = await rowsOf<VersionRow>(db, `select ${columns}, fields, payment from version where form_id = ? and number = ?`, [
    formId,
    number,
  ]);
  return row;
}
