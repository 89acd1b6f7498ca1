import { buildIndex, type Migration } from '@sheaf/postgres';

export const searchBlocks: Migration = {
  name: '0027_search_blocks',
  up: (db) =>
    db.raw(`
      -- 1024 consecutive entries of a form, from the oldest on: see apps/submissions/src/search/blocks.queries.ts. Newer entries are in no
      -- block yet. 128 blocks are a section: those whose numbers are equal when divided by 128.
      create table search_block (
        form_id uuid not null,
        id bigint not null,
        -- It has what comes after the block before, in the order of the list, up to this place.
        created_at timestamptz not null,
        submission_id uuid not null,
        -- When it was made. Late ones join it uncounted.
        entries integer not null,
        primary key (form_id, id)
      );
      create unique index search_block_by_place on search_block (form_id, created_at, submission_id);
      create index search_section on search_block (form_id, id) where id % 128 = 0;
      create sequence search_section_number;

      alter table search_entry add column block bigint;

      -- A submission that is indexed late, or again, joins the block of its time. By a trigger, so that a copy of the service that does not
      -- know of blocks cannot forget it.
      create function join_search_block() returns trigger language plpgsql as $body$
      declare
        late record;
      begin
        -- Nearly always, all are newer than every block.
        if not exists (
          select from (select form_id, min(created_at) as created_at from new_rows group by form_id) as oldest
           where created_at <= (select b.created_at from search_block b where b.form_id = oldest.form_id order by id desc limit 1)
        ) then return null; end if;
        -- One after another, as a join could read the whole table.
        for late in
          select n.form_id, n.created_at, n.submission_id, b.id as block
            from new_rows n
           cross join lateral (
             select id from search_block b where b.form_id = n.form_id and (b.created_at, b.submission_id) >= (n.created_at, n.submission_id)
              order by b.created_at, b.submission_id limit 1
           ) as b
        loop
          update search_entry set block = late.block
           where form_id = late.form_id and created_at = late.created_at and submission_id = late.submission_id;
        end loop;
        return null;
      end
      $body$;
      create trigger search_entry_inserted after insert on search_entry referencing new table as new_rows
        for each statement execute function join_search_block();

      -- The terms, each with the section in front of it: what one form has costs searches of another nothing.
      create function terms_in_section(section bigint, terms tsvector) returns tsvector language sql immutable parallel safe
        return array_to_tsvector(array(select cast(section as text) || chr(31) || term from unnest(tsvector_to_array(terms)) as term));
    `),
};

/** The blocks and sections that have all that is sought, and the entries in them. */
export const searchEntryTerms: Migration = {
  name: '0028_search_entry_terms',
  transaction: 'none',
  up: async (db) => {
    await buildIndex(
      db,
      'search_entry_terms',
      'on search_entry using gin (block, terms_in_section(block / 128, terms)) with (fastupdate = off) where block is not null',
    );
    // No plan depends on them, and gathering them takes a second each time.
    await db.raw('alter index search_entry_terms alter column 2 set statistics 0');
  },
};

/** In a step of its own, as the previous version locks these tables before the entries. */
export const noSearchChunks: Migration = {
  name: '0029_no_search_chunks',
  up: (db) =>
    db.raw(`
      -- Blocks replace chunks. Copies of the previous version make no more of them, so nothing that is erased remains there.
      create function make_no_chunk() returns trigger language plpgsql as 'begin return null; end';
      create trigger search_chunk_unused before insert on search_chunk for each row execute function make_no_chunk();
      create trigger search_chunk_terms_unused before insert on search_chunk_terms for each row execute function make_no_chunk();
      truncate search_chunk, search_chunk_terms, stale_chunk;
    `),
};
