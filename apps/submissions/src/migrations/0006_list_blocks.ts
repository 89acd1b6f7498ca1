import type { Migration } from '@sheaf/postgres';

export const listBlocks: Migration = {
  name: '0006_list_blocks',
  up: (db) =>
    db.raw(`
      -- The list of a form, cut into pieces from its oldest submission on: where a page with a large offset begins is found by counts
      -- instead of reading all that comes before it. What is newer than the last block is not counted here yet.
      create table list_block (
        form_id uuid not null,
        -- From 0, the oldest one, without gaps.
        number integer not null,
        -- The newest place in the order of the list that belongs to it; its oldest one follows that of the block before.
        created_at timestamptz not null,
        id uuid not null,
        primary key (form_id, number)
      );
      create unique index list_block_by_place on list_block (form_id, created_at, id);

      -- How many submissions of a list lie in a block (level 0), and in the 64 blocks from number * 64 on (level 1).
      create table list_block_count (
        form_id uuid not null,
        -- The status of its submissions, or 'all'.
        list text not null,
        level smallint not null check (level in (0, 1)),
        number integer not null,
        listed integer not null,
        primary key (form_id, list, level, number)
      );

      -- What a statement took out of the lists (amount -1) or put into them, and where.
      create type list_move as (form_id uuid, created_at timestamptz, id uuid, status text, amount integer);

      -- By triggers, so that no writer can forget it, nor a copy of the service that does not know of blocks yet.
      --
      -- Who counts a new block must see what this transaction does, or this one has to see the block. So each waits for the other before
      -- it looks, by a lock until the end of the transaction; looking is a statement of its own, as one that waited would still see what
      -- was there before. Those who change submissions share theirs, taken before the counts of the form; those who insert have the row
      -- in intake by now, and one lock more would make a circle with the counts that they hold as well.
      create function count_in_list_blocks() returns trigger language plpgsql as $body$
      declare
        moves list_move[];
      begin
        if tg_op = 'INSERT' then
          perform from intake where form_id in (select form_id from new_rows where spam_at is null) for key share;
          -- All but what a copy with a slow clock brings is newer than every block.
          if not exists (
            select from (select form_id, min(created_at) as created_at from new_rows group by form_id) as oldest
             where created_at <= (select b.created_at from list_block b where b.form_id = oldest.form_id order by number desc limit 1)
          ) then return null; end if;
          select array_agg((form_id, created_at, id, status, 1)::list_move) into moves from new_rows where deleted_at is null and spam_at is null;
        else
          select array_agg((form_id, created_at, id, status, amount)::list_move) into moves
            from (select form_id, created_at, id, status, sum(amount)::integer as amount
                    from (select form_id, created_at, id, status, -1 as amount from old_rows where deleted_at is null and spam_at is null
                          union all
                          select form_id, created_at, id, status, 1 from new_rows where deleted_at is null and spam_at is null) as changes
                   group by form_id, created_at, id, status having sum(amount) <> 0) as moved;
          if moves is null then return null; end if;
          perform pg_advisory_xact_lock_shared(6, hashtext(form_id::text)) from (select distinct form_id from unnest(moves) order by form_id) as forms;
        end if;

        -- In one order, so that two who count do not wait for each other.
        insert into list_block_count as c (form_id, list, level, number, listed)
        select move.form_id, list, level, counted.number, sum(amount) as listed
          from unnest(moves) as move
         cross join lateral (
           select b.number from list_block b where b.form_id = move.form_id and (b.created_at, b.id) >= (move.created_at, move.id)
            order by b.created_at, b.id limit 1
         ) as block
         cross join (values (0), (1)) as levels (level)
         cross join lateral (values ('all'), (move.status)) as lists (list)
         cross join lateral (values (case level when 0 then block.number else block.number / 64 end)) as counted (number)
         group by move.form_id, list, level, counted.number having sum(amount) <> 0
         order by move.form_id, list, level, counted.number
        on conflict (form_id, list, level, number) do update set listed = c.listed + excluded.listed;
        return null;
      end
      $body$;

      create trigger submission_inserted after insert on submission referencing new table as new_rows
        for each statement execute function count_in_list_blocks();
      create trigger submission_updated after update on submission referencing old table as old_rows new table as new_rows
        for each statement execute function count_in_list_blocks();
    `),
};
