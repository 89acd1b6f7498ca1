import { rowsOf, type Transaction } from '@sheaf/postgres';

/** Deletes what the index has of these submissions, whose rows must still be there. The index must be locked. */
export async function forget(trx: Transaction, ids: readonly string[]): Promise<void> {
  await rowsOf(
    trx,
    `with erased as materialized (
       select form_id, created_at, id from submission where id = any(cast(:ids as uuid[]))
     ), gone as (
       delete from search_entry e using erased s
        where (e.form_id, e.created_at, e.submission_id) = (s.form_id, s.created_at, s.id) returning e.*
     ), ordered as (
       delete from search_number n using gone, unnest(gone.keys, gone.numbers) as old (key, number)
        where (n.form_id, n.key, n.number, n.created_at, n.submission_id) = (gone.form_id, old.key, old.number, gone.created_at, gone.submission_id)
     )
     delete from search_pending where submission_id = any(cast(:ids as uuid[]))`,
    { ids: [...ids] },
  );
}

/** Deletes some of what the index has of a form that is erased. The index must be locked. @returns false once nothing is left */
export async function forgetForm(trx: Transaction, formId: string, limit: number): Promise<boolean> {
  const deleted = await rowsOf<{ rows: number }>(
    trx,
    `with entries as (
       delete from search_entry where ctid = any(array(select ctid from search_entry where form_id = :formId limit :limit)) returning 1
     ), numbers as (
       delete from search_number where ctid = any(array(select ctid from search_number where form_id = :formId limit :limit)) returning 1
     ), blocks as (
       -- Last: entries beyond the last block are read as if they were in none.
       delete from search_block where ctid = any(array(
         select ctid from search_block where form_id = :formId and not exists (select from search_entry where form_id = :formId) limit :limit
       )) returning 1
     ), sorted as (
       -- Their keys go with the entries, by a trigger that looks here.
       delete from sort_column where form_id = :formId and not exists (select from search_entry where form_id = :formId) returning 1
     )
     select (select count(*) from entries) + (select count(*) from numbers) + (select count(*) from blocks) + (select count(*) from sorted) as rows`,
    { formId, limit },
  );
  return (deleted[0]?.rows ?? 0) > 0;
}
