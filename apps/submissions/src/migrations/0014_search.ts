import type { Migration } from '@sheaf/postgres';

export const search: Migration = {
  name: '0014_search',
  up: (db) =>
    db.raw(`
      -- A trusted extension, like pg_trgm: the owner of the database may create it.
      create extension if not exists btree_gin;

      -- Submissions that the search index does not know in their present state. Filled by a trigger, so that no writer can forget it, nor a
      -- copy of the service that does not know of it; read and emptied in the background. Without an index, as it is nearly always empty.
      create table search_pending (submission_id uuid not null, form_id uuid not null);

      -- A submission as it is searched: see apps/submissions/src/search/terms.ts. Apart from the submission, so that storing it stays cheap.
      create table search_entry (
        form_id uuid not null,
        created_at timestamptz not null,
        submission_id uuid not null,
        terms tsvector not null,
        -- The length of the terms in bytes.
        term_bytes integer not null,
        keys text[] not null,
        numbers double precision[] not null,
        primary key (form_id, created_at, submission_id)
      );

      -- The answers of those entries that have an order, for ranges and sorting.
      create table search_number (
        form_id uuid not null,
        key text not null,
        number double precision not null,
        created_at timestamptz not null,
        submission_id uuid not null,
        primary key (form_id, key, number, created_at, submission_id)
      );

      -- Consecutive entries of a form, from the oldest on. A search finds the chunks that may have what it seeks, the newest first, and reads
      -- their entries: with one index over all entries, it would have to find all hits before it knew the newest.
      -- Newer entries are in no chunk yet.
      create table search_chunk (
        form_id uuid not null,
        number integer not null,
        -- It has what comes after this place in the order of the list,
        after_created_at timestamptz not null,
        after_id uuid not null,
        -- up to this one.
        created_at timestamptz not null,
        id uuid not null,
        terms_id bigint not null,
        primary key (form_id, number)
      );
      create unique index search_chunk_by_place on search_chunk (form_id, created_at, id);

      -- The union of the terms of a chunk. Apart from it, and without another index that a search could use, so that no plan reads the terms,
      -- which are large.
      create table search_chunk_terms (
        id bigint generated always as identity primary key,
        form_id uuid not null,
        number integer not null,
        terms tsvector not null
      );
      create index search_chunk_with_terms on search_chunk_terms using gin (form_id, (number / 1024), terms);

      -- The chunks, from a place on, that have all that is sought, in order. It looks at 1024 chunks at a time, until it has enough: a word
      -- that most chunks have would otherwise cost more the more chunks there are.
      create function search_chunks_with(of_form uuid, sought tsquery, is_descending boolean, from_created_at timestamptz, from_id uuid, enough integer)
      returns setof integer language plpgsql stable rows 64 set enable_seqscan = off as $body$
      declare
        newest integer := (select number from search_chunk where form_id = of_form order by number desc limit 1);
        start integer := coalesce((select number from search_chunk where form_id = of_form and (created_at, id) >= (from_created_at, from_id)
                                    order by created_at, id limit 1), newest);
        section integer := start / 1024;
        found_here integer;
        missing integer := enough;
      begin
        while missing > 0 and section between 0 and newest / 1024 loop
          return query select number from search_chunk_terms
                        where form_id = of_form and number / 1024 = section and terms @@ sought
                          and case when is_descending then number <= start else number >= start end
                        order by case when is_descending then -number else number end limit missing;
          get diagnostics found_here = row_count;
          missing := missing - found_here;
          section := section + case when is_descending then -1 else 1 end;
        end loop;
      end
      $body$;

      -- How far the submissions from before this migration are in the index. Absent once all are.
      create table search_backfill (after_id uuid not null, until_id uuid not null);

      create function await_search() returns trigger language plpgsql as $body$
      begin
        insert into search_pending select id, form_id from new_rows;
        return null;
      end
      $body$;
      create trigger submission_searched after insert on submission referencing new table as new_rows
        for each statement execute function await_search();
      insert into search_backfill
      select '00000000-0000-0000-0000-000000000000', id from (select id from submission order by id desc limit 1) as newest;
    `),
};
