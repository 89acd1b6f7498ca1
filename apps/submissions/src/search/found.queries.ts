import { readOf, type Database } from '@sheaf/postgres';
import type { ListedRow } from '../list/list.queries';
import { fits, measured } from '../submission/measured';
import type { SubmissionRow } from '../submission/submissions.queries';

/** `data` is null if the page has reached its maximum size in answers. */
export type FoundRow = ListedRow &
  Pick<SubmissionRow, 'changed_at' | 'assignee' | 'revision' | 'notes' | 'language' | 'entered_by_kind' | 'entered_by_id'>;

/** Submissions in the given order. */
export function rowsInOrder(db: Database, formId: string, ids: readonly string[], maxBytes = Number.MAX_SAFE_INTEGER): Promise<FoundRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const found = `select s.*, place from unnest(cast(:ids as uuid[])) with ordinality as found (id, place)
                   join submission s using (id) where s.form_id = :formId order by place`;
  return readOf(
    db,
    `select id, form_id, case when ${fits} then answers end as data, schema_version, status, created_at, changed_at, revision, notes, language, assignee,
            entered_by_kind, entered_by_id
       from (${measured(found, ':maxBytes')}) as measured order by place`,
    { formId, ids: [...ids], maxBytes },
  );
}

/** The number of submissions in the form's list, of all or of some statuses. */
export async function countListed(db: Database, formId: string, statuses: readonly string[] | undefined): Promise<number> {
  const [row] = await readOf<{ total: number }>(
    db,
    `select coalesce(sum(listed), 0)::bigint as total from listed_count
      where form_id = :formId and (cast(:statuses as text[]) is null or status = any(:statuses))`,
    { formId, statuses: statuses === undefined ? null : [...statuses] },
  );
  return row?.total ?? 0;
}
