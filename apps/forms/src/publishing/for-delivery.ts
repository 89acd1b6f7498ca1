import { Problem } from '@sheaf/kernel';
import { rowsOf, type Database } from '@sheaf/postgres';
import type { Deps } from '../deps';

// Facts about forms that `delivery` needs, whatever the roles of people: where a form is, and the fields behind the answers that it sends.

/** The workspaces of the forms that exist. */
export const placesOf = (db: Database, formIds: readonly string[]): Promise<{ form_id: string; workspace_id: string }[]> =>
  rowsOf(db, 'select id as form_id, workspace_id from form where id = any(cast(? as uuid[]))', [[...formIds]]);

/**
 * The fields of a version as JSON text, also of a form in the trash. Without a number, those of the latest version, or of the draft if the
 * form was never published.
 * @returns the number 0 if the form has no such version any more
 * @throws Problem `not_found` if there is no such form
 */
export async function getVersionFields(
  { db }: Pick<Deps, 'db'>,
  { instanceId, formId, version }: { instanceId: string; formId: string; version: number | undefined },
): Promise<{ version: number; id: string | null; publishedAt: Date | null; fields: string }> {
  const [row] = await rowsOf<{ version: number; id: string | null; published_at: Date | null; fields: string | null }>(
    db,
    `select coalesce(v.number, 1) as version, id_of_version(v) as id, v.published_at, coalesce(v.fields, case when f.current_version = 0 then d.fields end) as fields
       from form f left join version v on v.form_id = f.id and v.number = coalesce(cast(:version as integer), f.current_version)
       left join draft d on d.form_id = f.id and cast(:version as integer) is null
      where f.instance_id = :instance and f.id = :form`,
    { instance: instanceId, form: formId, version: version ?? null },
  );
  if (!row) throw Problem.notFound('form');
  if (row.fields === null) return { version: 0, id: null, publishedAt: null, fields: '[]' };
  return { version: row.version, id: row.id, publishedAt: row.published_at, fields: row.fields };
}
