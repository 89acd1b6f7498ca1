import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

// Creates the blocks of a list. Migration 0006 keeps their counts right; list.queries.ts uses them to find a page.

/** Submissions in a new block. A page skips half of them on average, and adds up the counts of as many blocks as needed. */
export const blockSize = 512;

/** Whether enough submissions from before `before` are in no block yet to fill one. */
export async function hasUncovered(db: Database, formId: string, before: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `with last as materialized (select created_at, id from list_block where form_id = :formId order by number desc limit 1)
     select 1 from submission
      where form_id = :formId and deleted_at is null and spam_at is null and created_at < :before and ${afterLastBlock}
      order by created_at, id limit 1 offset cast(:others as int)`,
    { formId, before, others: blockSize - 1 },
  );
  return rows.length > 0;
}

/** Finds up to a thousand lists of which at least this many submissions are in no block yet. Reads one row for each form and status. */
export async function longUncovered(db: Database, uncovered: number): Promise<string[]> {
  const rows = await rowsOf<{ form_id: string }>(
    db,
    `select form_id from (select form_id, sum(listed) as listed from listed_count group by form_id having sum(listed) >= :uncovered) as long
      where listed - coalesce((select sum(listed) from list_block_count as c where c.form_id = long.form_id and list = 'all' and level = 1), 0) >= :uncovered
      limit 1000`,
    { uncovered },
  );
  return rows.map(({ form_id }) => form_id);
}

/**
 * Waits for transactions that are changing or adding submissions of the form, and blocks new ones until this transaction ends. Statements
 * after this one see their changes. The commit does not wait for the disk: anything that depends on a block comes after it in the log.
 * @returns false if the form has never had a submission.
 */
export async function lockForm(trx: Transaction, formId: string): Promise<boolean> {
  await rowsOf(
    trx,
    `select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(6, hashtext(cast(cast(? as uuid) as text)))`,
    [formId],
  );
  const rows = await rowsOf(trx, 'select form_id from intake where form_id = ? for update', [formId]);
  return rows.length > 0;
}

/**
 * The first of these locks, for imports, which store submissions that may be older than a block. A change of submissions takes it too, counts in
 * blocks and then locks the row in intake, so this comes before that row. The commit waits for the disk.
 */
export const lockList = (trx: Transaction, formId: string): Promise<unknown> =>
  rowsOf(trx, 'select pg_advisory_xact_lock(6, hashtext(cast(cast(? as uuid) as text)))', [formId]);

/** Creates up to `max` blocks from submissions older than `before`. The form must be locked. @returns how many were created. */
export async function addBlocks(trx: Transaction, formId: string, before: Date, max: number): Promise<number> {
  const [row] = await rowsOf<{ added: number }>(
    trx,
    `with last as materialized (
       select number, created_at, id from list_block where form_id = :formId order by number desc limit 1
     ), next as materialized (
       select created_at, id, status, row_number() over (order by created_at, id) - 1 as position
         from (select created_at, id, status from submission
                where form_id = :formId and deleted_at is null and spam_at is null and created_at < :before and ${afterLastBlock}
                order by created_at, id limit cast(:max as int) * cast(:size as int)) as found
     ), placed as materialized (
       select created_at, id, status, position % cast(:size as int) + 1 as place,
              cast(coalesce((select number from last), -1) + 1 + position / cast(:size as int) as int) as number
         from next where position < (select count(*) from next) / cast(:size as int) * cast(:size as int)
     ), made as (
       insert into list_block (form_id, number, created_at, id)
       select cast(:formId as uuid), number, created_at, id from placed where place = cast(:size as int) returning number
     ), counted as (
       insert into list_block_count as c (form_id, list, level, number, listed)
       select cast(:formId as uuid), list, level, counted.number, count(*)
         from placed
        cross join (values (0), (1)) as levels (level)
        cross join lateral (values ('all'), (placed.status)) as lists (list)
        cross join lateral (values (case level when 0 then placed.number else placed.number / 64 end)) as counted (number)
        group by list, level, counted.number
       on conflict (form_id, list, level, number) do update set listed = c.listed + excluded.listed
     )
     select count(*)::int as added from made`,
    { formId, before, max, size: blockSize },
  );
  return row?.added ?? 0;
}

/** Finds lists whose blocks plus newer submissions do not add up to the form's counts, which must never happen. */
export async function inconsistentLists(db: Database, formId: string, maxNewer: number): Promise<string[]> {
  const rows = await rowsOf<{ list: string }>(
    db,
    `with last as materialized (
       select created_at, id from list_block where form_id = :formId order by number desc limit 1
     ), newer as materialized (
       select status from submission where form_id = :formId and deleted_at is null and spam_at is null and ${afterLastBlock}
       limit cast(:max as int) + 1
     )
     select list from (
       select list, listed from listed_count cross join lateral (values ('all'), (status)) as lists (list) where form_id = :formId
       union all select list, -listed from list_block_count where form_id = :formId and level = 1
       union all select list, -1 from newer cross join lateral (values ('all'), (status)) as lists (list)
     ) as counts
      where (select count(*) from newer) <= cast(:max as int)
      group by list having sum(listed) <> 0`,
    { formId, max: maxNewer },
  );
  return rows.map(({ list }) => list);
}

/** The form must be locked. */
export async function deleteBlocks(trx: Transaction, formId: string): Promise<void> {
  await rowsOf(trx, 'delete from list_block_count where form_id = ?', [formId]);
  await rowsOf(trx, 'delete from list_block where form_id = ?', [formId]);
}

const afterLastBlock = `(created_at, id) > (coalesce((select created_at from last), '-infinity'), coalesce((select id from last), '00000000-0000-0000-0000-000000000000'))`;
