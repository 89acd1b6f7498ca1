import { rowsOf, type Database } from '@sheaf/postgres';

/**
 * For operators who look for what is missing between services: the workspaces among these that do not exist, and whether they were erased. Those of whose
 * erasure another service has not heard are left out.
 */
export const missingWorkspaces = (db: Database, ids: readonly string[]): Promise<{ id: string; erased: boolean }[]> =>
  rowsOf(
    db,
    `select given.id, exists (select from erased_workspace e where e.id = given.id) as erased
       from unnest(cast(? as uuid[])) as given (id)
      where not exists (select from workspace w where w.id = given.id)
        and not exists (select from outbox o where o.subject = cast(given.id as text) and o.type = 'workspace.erased')`,
    [[...ids]],
  );
