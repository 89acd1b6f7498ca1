import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

// Blocks of a form's entries: see `search_block` in migrations/0000_initial.ts.

/** Entries in a block. A search reads those that have what it seeks, and puts them in order. */
export const blockSize = 1_024;
/** Blocks in a section, whose terms are in the index together: a search asks it once for what few of them have. */
export const sectionSize = 128;
/** Entries that one transaction puts into a block: nothing is indexed meanwhile. */
const fillSize = 512;
/** A search reads the newest entries anyway, so fewer than this may stay in no block. */
const mostLoose = 256;

/** Fills the last block of a form with entries older than `before`, or begins the next. @returns whether there may be more of them */
export async function fillBlock(trx: Transaction, formId: string, before: Date, size: number): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `with last as materialized (
       select id, created_at, submission_id, entries from search_block where form_id = :formId order by id desc limit 1
     ), open as materialized (
       select case when last.entries < :size then last.id
                   when (last.id + 1) % ${sectionSize} <> 0 then last.id + 1
                   else nextval('search_section_number') * ${sectionSize} end as id,
              case when last.entries < :size then last.entries else 0 end as entries
         from (values (1)) as one left join last on true
     ), next as materialized (
       select e.ctid as row, e.created_at, e.submission_id from search_entry e
        where e.form_id = :formId and e.created_at < :before and (e.created_at, e.submission_id) > (${endOfLast})
        order by e.created_at, e.submission_id limit least(${fillSize}, :size - (select entries from open))
     ), filled as (
       -- Not by a join, which would read the whole table if the planner expects more rows.
       update search_entry set block = (select id from open) where ctid = any(array(select row from next))
     ), newest as (
       select created_at, submission_id from next order by created_at desc, submission_id desc limit 1
     ), counted as (
       select count(*)::int as entries from next
     )
     insert into search_block as b (form_id, id, created_at, submission_id, entries)
     select :formId, open.id, newest.created_at, newest.submission_id, counted.entries from open, newest, counted
     on conflict (form_id, id) do update
        set created_at = excluded.created_at, submission_id = excluded.submission_id, entries = b.entries + excluded.entries
     returning 1`,
    { formId, before, size },
  );
  return rows.length > 0;
}

/** Whether a form has so many entries in no block that searches would gain. */
export async function hasLooseEntries(db: Database, formId: string, before: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `with last as materialized (select created_at, submission_id from search_block where form_id = :formId order by id desc limit 1)
     select from search_entry
      where form_id = :formId and created_at < :before and (created_at, submission_id) > (${endOfLast})
      order by created_at, submission_id limit 1 offset ${mostLoose - 1}`,
    { formId, before },
  );
  return rows.length > 0;
}

const endOfLast = `coalesce((select created_at from last), '-infinity'), coalesce((select submission_id from last), '00000000-0000-0000-0000-000000000000')`;
