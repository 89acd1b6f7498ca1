import { rowsOf, type Database } from '@sheaf/postgres';
import { byIds, fits, measured } from '../submission/measured';

/** A submission in the list, the trash or spam. */
export interface AnywhereRow {
  id: string;
  form_id: string;
  /** JSON text. */
  data: string;
  schema_version: number;
  status: string;
  created_at: Date;
  deleted_at: Date | null;
  spam_at: Date | null;
}

/** The first of these submissions, in this order, until their answers exceed `maxBytes`; always at least one. */
export const readAnywhere = (db: Database, formId: string, ids: readonly string[], maxBytes: number): Promise<AnywhereRow[]> =>
  rowsOf<AnywhereRow>(
    db,
    `select id, form_id, answers as data, schema_version, status, created_at, deleted_at, spam_at
       from (${measured(`select s.* from ${byIds} where s.form_id = :formId order by place`, ':maxBytes')}) as measured
      where ${fits}`,
    { formId, ids: [...ids], maxBytes },
  );

/** The forms among these of which the search index has anything. */
export async function formsWithEntries(db: Database, formIds: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    db,
    'select id from unnest(cast(? as uuid[])) as form (id) where exists (select from search_entry e where e.form_id = form.id)',
    [[...formIds]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Notes on submissions that somebody got their answers as the data of a person, unless that was noted since. One that is erased meanwhile has no note. */
export async function noteLookUps(
  db: Database,
  ids: readonly string[],
  by: { kind: string; id: string },
  at: Date,
  since: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await rowsOf(
    db,
    `with found as (select id from submission where id = any(?::uuid[]) order by id for key share)
     insert into submission_deed (submission_id, kind, actor_kind, actor_id, done_at)
     select id, 'looked_up', ?, ?, ?::timestamptz from found
      where not exists (
        select from submission_deed noted
         where noted.submission_id = found.id and noted.kind = 'looked_up' and noted.actor_id = ? and noted.done_at > ?::timestamptz
      )`,
    [[...ids], by.kind, by.id, at, by.id, since],
  );
}
