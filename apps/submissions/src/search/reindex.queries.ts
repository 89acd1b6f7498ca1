import { readOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { forgetForm } from './forget.queries';

/** Rows of the index that one transaction deletes. */
const rowsAtOnce = 2_000;

/** Whether the index may have submissions of a form, and whether it has all of them. */
export interface IndexState {
  isSearchable: boolean;
  isComplete: boolean;
}

export async function indexStateOf(db: Database, formId: string): Promise<IndexState> {
  const [state] = await readOf<IndexState>(
    db,
    `select coalesce((select searchable from form_keeping where form_id = :formId), true) as "isSearchable",
            not exists (select from search_backfill) and not exists (select from reindex where form_id = :formId) as "isComplete"`,
    { formId },
  );
  return state ?? { isSearchable: true, isComplete: false };
}

/** Those of the forms that are not searchable, or not completely indexed yet, be it for a submission of a moment ago. */
export async function unsearchedOf(db: Database, formIds: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `select id from unnest(cast(:ids as uuid[])) as id
      where exists (select from search_backfill)
         or exists (select from form_keeping where form_id = id and not searchable)
         or exists (select from reindex where form_id = id)
         or id in (select form_id from search_pending)`,
    { ids: [...formIds] },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Makes the index follow the setting of a form, which has just changed. A change in the middle of this begins it anew. */
export const reindex = (trx: Transaction, formId: string): Promise<unknown> =>
  rowsOf(trx, 'insert into reindex (form_id) values (?) on conflict (form_id) do update set after_created_at = null, after_id = null', [
    formId,
  ]);

/**
 * Goes on with a form whose setting has changed; those that are to be forgotten come first. The index must be locked.
 * @returns submissions to be indexed, possibly none; undefined once the index follows all settings
 */
export async function takeReindexed(trx: Transaction, max: number): Promise<string[] | undefined> {
  const [form] = await rowsOf<{ form_id: string; after: string | null; after_id: string | null }>(
    trx,
    `select form_id, cast(after_created_at as text) as after, after_id from reindex
      order by after_created_at is not null, form_id limit 1 for update`,
  );
  if (!form) return undefined;
  const { form_id: formId, after, after_id: afterId } = form;
  if (after !== null) return takeNext(trx, { formId, after, afterId }, max);
  // Blocks are deleted in no order. The index is filled only once it is empty, because entries between two blocks would not be found.
  if (!(await forgetForm(trx, formId, rowsAtOnce))) await fillOrFinish(trx, formId);
  return [];
}

/** Read in a statement of its own: one that had waited for the row of `reindex` would see the setting as it was before. */
async function fillOrFinish(trx: Transaction, formId: string): Promise<void> {
  const { isSearchable } = await indexStateOf(trx, formId);
  await rowsOf(
    trx,
    isSearchable
      ? `update reindex set after_created_at = '-infinity', after_id = '00000000-0000-0000-0000-000000000000' where form_id = ?`
      : 'delete from reindex where form_id = ?',
    [formId],
  );
}

async function takeNext(
  trx: Transaction,
  { formId, after, afterId }: { formId: string; after: string; afterId: string | null },
  max: number,
): Promise<string[]> {
  const following = `form_id = :formId and (created_at, id) > (cast(:after as timestamptz), cast(:afterId as uuid)) order by created_at, id limit :max`;
  const rows = await rowsOf<{ id: string; created: string }>(
    trx,
    // Each part reads an index in its order.
    `select id, cast(created_at as text) as created
       from ((select id, created_at from submission where deleted_at is null and spam_at is null and ${following})
             union all
             (select id, created_at from submission where (deleted_at is not null or spam_at is not null) and ${following})) as next
      order by created_at, id limit :max`,
    { formId, after, afterId, max },
  );
  const last = rows.length === max ? rows.at(-1) : undefined;
  if (last)
    await rowsOf(trx, 'update reindex set after_created_at = cast(? as timestamptz), after_id = ? where form_id = ?', [
      last.created,
      last.id,
      formId,
    ]);
  else await rowsOf(trx, 'delete from reindex where form_id = ?', [formId]);
  return rows.map(({ id }) => id);
}
