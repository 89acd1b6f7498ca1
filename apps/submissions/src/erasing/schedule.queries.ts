import type { RetentionKind } from '@sheaf/contracts';
import { rowsOf, type Database } from '@sheaf/postgres';

/** The condition for being over its time, by kind, as `retention.queries` finds it, in a form `f`. */
const expired: Record<RetentionKind, string> = {
  trash_days: `select from submission where form_id = f.id and deleted_at is not null and deleted_at >= :from and deleted_at < :until`,
  submissions_days: `
    (select from submission where form_id = f.id and deleted_at is not null and deleted_at >= :from and deleted_at < :until)
    union all
    (select from submission where form_id = f.id and deleted_at is null and spam_at is null and created_at >= :from and created_at < :until)
    union all
    (select from submission where form_id = f.id and deleted_at is null and spam_at is not null and spam_at >= :from and spam_at < :until)`,
  files_days: `select from file where form_id = f.id and state = 'claimed' and created_at >= :from and created_at < :until`,
};

/** How much of the forms, which are not under legal hold, is of this time, up to a limit. */
export async function countOfTime(
  db: Database,
  kind: RetentionKind,
  { formIds, from, until, limit }: { formIds: readonly string[]; from: Date; until: Date; limit: number },
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `select count(*) as count from (
       select from unnest(cast(:formIds as uuid[])) f(id) cross join lateral (${expired[kind]}) e
        where not exists (select from form_keeping k where k.form_id = f.id and k.legal_hold)
        limit :limit) c`,
    { formIds: [...formIds], from, until, limit },
  );
  return row?.count ?? 0;
}

/** Those of the forms that leave these days to their instance. */
export async function leavingToInstance(db: Database, kind: RetentionKind, formIds: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `select id from unnest(cast(:formIds as uuid[])) f(id)
      where not exists (select from form_keeping k where k.form_id = f.id and k.${kind} is not null)`,
    { formIds: [...formIds] },
  );
  return rows.map(({ id }) => id);
}
