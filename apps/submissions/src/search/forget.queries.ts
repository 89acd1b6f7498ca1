import { rowsOf, type Transaction } from '@sheaf/postgres';

/**
 * Deletes what the index has of these submissions, whose rows must still be there. The index must be locked.
 * @returns the chunks that still have their terms
 */
export async function forget(trx: Transaction, ids: readonly string[]): Promise<{ form_id: string; number: number }[]> {
  return rowsOf(
    trx,
    `with erased as materialized (
       select form_id, created_at, id from submission where id = any(cast(:ids as uuid[]))
     ), gone as (
       delete from search_entry e using erased s
        where (e.form_id, e.created_at, e.submission_id) = (s.form_id, s.created_at, s.id) returning e.*
     ), ordered as (
       delete from search_number n using gone, unnest(gone.keys, gone.numbers) as old (key, number)
        where (n.form_id, n.key, n.number, n.created_at, n.submission_id) = (gone.form_id, old.key, old.number, gone.created_at, gone.submission_id)
     ), waiting as (
       delete from search_pending where submission_id = any(cast(:ids as uuid[]))
     )
     select distinct erased.form_id, chunk.number
       from erased cross join lateral (
         select number from search_chunk c where c.form_id = erased.form_id and (c.created_at, c.id) >= (erased.created_at, erased.id)
          order by c.created_at, c.id limit 1
       ) as chunk`,
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
     ), chunks as (
       delete from search_chunk where ctid = any(array(select ctid from search_chunk where form_id = :formId limit :limit)) returning terms_id
     ), terms as (
       delete from search_chunk_terms where id in (select terms_id from chunks)
     )
     select (select count(*) from entries) + (select count(*) from numbers) + (select count(*) from chunks) as rows`,
    { formId, limit },
  );
  return (deleted[0]?.rows ?? 0) > 0;
}
