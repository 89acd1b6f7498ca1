import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

// Chunks of a form's entries: see migration 0014.

/** Entries in a chunk, unless their terms are too many. A search reads all of them if they may have what it seeks. */
export const chunkSize = 256;
/** The bytes of a chunk's terms. A tsvector may have twice as many. */
const maxChunkBytes = 524_288;
/** A chunk that has grown to this many entries, by submissions from copies with slow clocks, is cut again. */
const maxGrown = 512;

/** Makes the next chunk of a form, of entries older than `before`. @returns whether there were enough for one. */
export async function makeChunk(trx: Transaction, formId: string, before: Date): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `with last as materialized (
       select number, created_at, id from search_chunk where form_id = :formId order by number desc limit 1
     ), next as materialized (
       select created_at, submission_id, terms, sum(term_bytes) over ordered as bytes, row_number() over ordered as place
         from (select * from search_entry
                where form_id = :formId and created_at < :before
                  and (created_at, submission_id) > (coalesce((select created_at from last), '-infinity'), coalesce((select id from last), :zero))
                order by created_at, submission_id limit :size) as following
       window ordered as (order by created_at, submission_id)
     ), chosen as materialized (
       select * from next where bytes <= :maxBytes or place = 1
     ), newest as materialized (
       select coalesce((select number from last), 0) + 1 as number, created_at, submission_id from chosen
        where (select count(*) from next) = :size or (select count(*) from chosen) < (select count(*) from next)
        order by place desc limit 1
     ), united as (
       insert into search_chunk_terms (form_id, number, terms) select :formId, number, ${unionOf('chosen')} from newest returning id
     )
     insert into search_chunk (form_id, number, after_created_at, after_id, created_at, id, terms_id)
     select :formId, number, coalesce((select created_at from last), '-infinity'), coalesce((select id from last), :zero),
            created_at, submission_id, (select id from united)
       from newest
     returning number`,
    { formId, before, size: chunkSize, maxBytes: maxChunkBytes, zero },
  );
  return rows.length > 0;
}

/** Chunks that have these entries learn their terms anew. One that has grown too large is cut again, and all after it. */
export async function renewChunks(
  trx: Transaction,
  entries: readonly { form_id: string; created_at: string; id: string }[],
): Promise<void> {
  const chunks = await rowsOf<{ form_id: string; number: number; entries: number; bytes: number }>(
    trx,
    `select c.form_id, c.number, count(*) as entries, sum(e.term_bytes) as bytes
       from (select distinct found.form_id, found.number, found.after_created_at, found.after_id, found.created_at, found.id
               from json_to_recordset(cast(? as json)) as i (form_id uuid, created_at timestamptz, id uuid)
              cross join lateral (
                select * from search_chunk c where c.form_id = i.form_id and (c.created_at, c.id) >= (i.created_at, i.id)
                 order by c.created_at, c.id limit 1
              ) as found) as c
       join search_entry e on ${isIn('e', 'c')}
      group by c.form_id, c.number order by c.form_id, c.number`,
    [JSON.stringify(entries.map(({ form_id, created_at, id }) => ({ form_id, created_at, id })))],
  );
  for (const { form_id: formId, number, entries: count, bytes } of chunks) {
    if (count > maxGrown || bytes > 1.5 * maxChunkBytes) await deleteChunks(trx, formId, number);
    else await renewChunk(trx, formId, number);
  }
}

/** Makes a chunk learn its terms anew from the entries that it has. */
export async function renewChunk(trx: Transaction, formId: string, number: number): Promise<void> {
  await rowsOf(
    trx,
    `update search_chunk_terms t set terms = ${unionOf(`(select e.terms from search_entry e where ${isIn('e', 'c')})`)}
       from search_chunk c where t.id = c.terms_id and c.form_id = ? and c.number = ?`,
    [formId, number],
  );
}

/** Deletes the chunks of a form from this number on. */
export const deleteChunks = (trx: Transaction, formId: string, from = 1): Promise<unknown> =>
  rowsOf(
    trx,
    `with deleted as (delete from search_chunk where form_id = ? and number >= ? returning terms_id)
     delete from search_chunk_terms where id in (select terms_id from deleted)`,
    [formId, from],
  );

/** Whether a form has enough entries in no chunk to make one. */
export async function hasLooseEntries(db: Database, formId: string, before: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `with last as materialized (select created_at, id from search_chunk where form_id = :formId order by number desc limit 1)
     select from search_entry
      where form_id = :formId and created_at < :before
        and (created_at, submission_id) > (coalesce((select created_at from last), '-infinity'), coalesce((select id from last), :zero))
      order by created_at, submission_id limit 1 offset ${chunkSize - 1}`,
    { formId, before, zero },
  );
  return rows.length > 0;
}

const zero = '00000000-0000-0000-0000-000000000000';

const unionOf = (entries: string): string =>
  `array_to_tsvector(array(select distinct term from ${entries} as united, unnest(tsvector_to_array(united.terms)) as term))`;

/** SQL condition: the entry belongs to the chunk. */
export const isIn = (entry: string, chunk: string): string =>
  `${entry}.form_id = ${chunk}.form_id and (${entry}.created_at, ${entry}.submission_id) <= (${chunk}.created_at, ${chunk}.id)
   and (${entry}.created_at, ${entry}.submission_id) > (${chunk}.after_created_at, ${chunk}.after_id)`;
