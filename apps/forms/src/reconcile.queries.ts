import { rowsOf, type Database } from '@sheaf/postgres';

// For operators who look for what is missing between services: see `npm run sheaf -- reconcile`.

/** A version that submissions were made against. */
export interface WantedVersion {
  form_id: string;
  version: number;
  /** Null if submissions do not have it. */
  version_id: string | null;
  /** When the first of the submissions was made. */
  oldest: string;
}

/**
 * Which of the versions do not exist, by their places in the list, and whether their forms do. Without an id, a version can only be meant if it was published
 * before the submission was made, give or take a minute for clocks that differ. Forms whose erasure other services have not confirmed are left out.
 */
export const missingVersions = (db: Database, wanted: readonly WantedVersion[]): Promise<{ place: number; has_form: boolean }[]> =>
  rowsOf(
    db,
    `select w.place - 1 as place, f.id is not null as has_form
       from rows from (json_to_recordset(cast(? as json)) as (form_id uuid, version integer, version_id uuid, oldest timestamptz))
              with ordinality as w (form_id, version, version_id, oldest, place)
       left join form f on f.id = w.form_id
      where not exists (
              select from version v
               where v.form_id = w.form_id and v.number = w.version
                 and case when w.version_id is null then v.published_at <= w.oldest + interval '1 minute' else id_of_version(v) = w.version_id end)
        and not exists (select from outbox o where o.subject = cast(w.form_id as text) and o.type = 'form.erased')
      order by w.place`,
    [JSON.stringify(wanted)],
  );

/** The forms among these that do not exist, without those whose erasure other services have not confirmed. */
export const missingForms = (db: Database, ids: readonly string[]): Promise<{ id: string }[]> =>
  rowsOf(
    db,
    `select given.id from unnest(cast(? as uuid[])) as given (id)
      where not exists (select from form f where f.id = given.id)
        and not exists (select from outbox o where o.subject = cast(given.id as text) and o.type = 'form.erased')`,
    [[...ids]],
  );

export interface UsedWorkspace {
  id: string;
  forms: number;
}

/** Workspaces that have forms, in the order of their ids, without those that are being erased. */
export const usedWorkspaces = (db: Database, after: string, limit: number): Promise<UsedWorkspace[]> =>
  rowsOf(
    db,
    `select workspace_id as id, count(*) as forms from form
      where workspace_id > cast(:after as uuid) and workspace_id not in (select e.workspace_id from erased_workspace e)
      group by workspace_id order by workspace_id limit :limit`,
    { after, limit },
  );

/** The same for some of them. */
export const usedAmong = (db: Database, ids: readonly string[]): Promise<UsedWorkspace[]> =>
  rowsOf(
    db,
    `select workspace_id as id, count(*) as forms from form
      where workspace_id = any(cast(? as uuid[])) and workspace_id not in (select e.workspace_id from erased_workspace e)
      group by workspace_id order by workspace_id`,
    [[...ids]],
  );
