import { outboxTable } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0000_initial',
  replaces: [
    '0000_outbox',
    '0001_initial',
    '0002_announced',
    '0003_lifecycle',
    '0004_files',
    '0005_payments',
    '0000_outbox_trace',
    '0006_list_blocks',
    '0000_outbox_order',
    '0007_file_bytes',
    '0008_file_waiting',
    '0009_return_url',
    '0010_saved_answers',
    '0011_corrections',
    '0012_changed_submissions',
    '0014_search',
    '0015_assigned',
    '0016_notes',
    '0017_entered',
    '0018_insights',
    '0020_erasing',
    '0021_files_of_forms',
    '0022_searchable',
    '0023_submissions_apart',
    '0024_changed_insights',
    '0025_instance_keeping',
    '0026_visits',
    '0027_search_blocks',
    '0028_search_entry_terms',
    '0029_no_search_chunks',
  ],
  up: (db) =>
    db.raw(`
      ${outboxTable}

      -- A trusted extension: the owner of the database may create it.
      create extension if not exists btree_gin;

      create table submission (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- json and not jsonb: kept and given back as the text that was accepted.
        data json not null,
        schema_version integer not null,
        status text not null,
        created_at timestamptz not null,
        deleted_at timestamptz,
        -- When submission.created was recorded. It is told once: spam that is released and payments that complete look here.
        announced_at timestamptz,
        -- Spam is kept apart from the list until a person says that it is none.
        spam_at timestamptz,
        spam_reason text,
        -- Whether it counts towards the limit of its form; the place of what was never paid is given back.
        holds_place boolean not null default true,
        -- When anything about it last changed; null as long as it is as it arrived.
        changed_at timestamptz,
        -- The person who takes care of it.
        assignee uuid,
        -- How often its answers were corrected.
        revision integer not null default 0,
        -- The language tag of the page on which it was filled in, if the client sent one.
        language text,
        -- How many notes it has, so that lists need not count them.
        notes integer not null default 0,
        -- The member who entered it on somebody's behalf; null if a respondent sent it.
        entered_by_kind text,
        entered_by_id uuid
      );
      -- The list is what is neither in the trash nor spam. Each index more is paid by every submission.
      create index submission_in_list on submission (form_id, created_at desc, id desc) where deleted_at is null and spam_at is null;
      create index submission_in_list_by_status on submission (form_id, status, created_at desc, id desc) where deleted_at is null and spam_at is null;
      create index submission_in_trash on submission (form_id, deleted_at desc, id desc) where deleted_at is not null;
      create index submission_in_spam on submission (form_id, spam_at desc, id desc) where spam_at is not null and deleted_at is null;
      -- A submission enters these with its first change, and when somebody is assigned, so storing one costs nothing more.
      create index submission_by_change on submission (form_id, changed_at, id) where changed_at is not null;
      create index submission_of_assignee on submission (form_id, assignee, created_at, id)
        where assignee is not null and deleted_at is null and spam_at is null;
      -- Finds submissions in the trash and spam by their arrival, so that a form can be indexed in steps.
      create index submission_apart on submission (form_id, created_at, id) where deleted_at is not null or spam_at is not null;

      create table status_change (
        submission_id uuid not null references submission,
        position bigint generated always as identity,
        from_status text not null,
        to_status text not null,
        actor_kind text not null,
        actor_id uuid not null,
        changed_at timestamptz not null,
        primary key (submission_id, position)
      );

      -- Answers that a correction replaced, and that correction. Number 0 has the answers as they were accepted.
      create table submission_revision (
        submission_id uuid not null references submission,
        number integer not null,
        data json not null,
        changed_by_kind text not null,
        changed_by_id uuid not null,
        reason text,
        changed_at timestamptz not null,
        primary key (submission_id, number)
      );

      -- What members write about a submission, for one another.
      create table note (
        submission_id uuid not null references submission,
        id uuid not null,
        text text not null,
        author_kind text not null,
        author_id uuid not null,
        created_at timestamptz not null,
        -- Null as long as it is as it was written first.
        edited_at timestamptz,
        primary key (submission_id, id)
      );

      -- How many submissions a form ever accepted; the limit of a form is kept here, under the lock of this row.
      create table intake (
        form_id uuid primary key,
        accepted integer not null
      );

      -- How many submissions the list of a form has, by status: counted when they change, as counting at each request would get
      -- slower with every submission.
      create table listed_count (
        form_id uuid not null,
        status text not null,
        listed bigint not null,
        primary key (form_id, status)
      );

      -- How many submissions of a form are in the trash, and how many are spam outside of it.
      create table apart_count (
        form_id uuid not null,
        place text not null check (place in ('trash', 'spam')),
        submissions bigint not null,
        primary key (form_id, place)
      );

      create table idempotency_key (
        form_id uuid not null,
        key text not null,
        -- SHA-256 of the answers: the same key with others is a mistake of the client.
        fingerprint bytea not null,
        submission_id uuid not null,
        created_at timestamptz not null,
        primary key (form_id, key)
      );
      -- Keys are forgotten by age.
      create index idempotency_key_age on idempotency_key (created_at);

      -- Signs the tokens that tell how long somebody had a form before them. Here, and not one more secret to be configured: whoever
      -- knew it could pretend to type slowly, no more.
      create table start_token_secret (secret text not null);
      insert into start_token_secret select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');

      -- Files that respondents uploaded. A row is there before the first byte of its file is stored and until after the last one is
      -- removed, so that no process that dies leaves bytes which nobody knows of.
      create table file (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        field_key text not null,
        -- uploading: bytes may be there or not. stored: all are there, and a submission may claim it. claimed: belongs to one.
        -- removing: nobody gets it any more, and its bytes may be there or not.
        state text not null check (state in ('uploading', 'stored', 'claimed', 'removing')),
        name text not null,
        content_type text,
        size bigint,
        -- Who uploaded it, kept only while it is unclaimed.
        address inet,
        created_at timestamptz not null,
        -- Claimed before the submission is inserted, in the same transaction.
        submission_id uuid references submission deferrable initially deferred,
        -- An unclaimed file among saved answers is kept as long as they are.
        kept_until timestamptz,
        check ((state = 'claimed') = (submission_id is not null)),
        check (state not in ('stored', 'claimed') or (content_type is not null and size is not null))
      );
      create index file_unclaimed on file (state, created_at) where state <> 'claimed';
      create index file_waiting_by_address on file (address, created_at) where state <> 'claimed';
      create index file_by_submission on file (submission_id) where submission_id is not null;
      -- Finds the files whose time is over. Only files that a submission has enter it, so uploading one costs nothing more.
      create index file_of_form on file (form_id, created_at) where state = 'claimed';

      -- How many bytes the files of a form, and of an instance, take up. A file counts from the moment it is stored whole until its row is
      -- deleted, which happens after its bytes are gone.
      create table file_bytes (
        scope text not null check (scope in ('form', 'instance')),
        id uuid not null,
        bytes bigint not null,
        primary key (scope, id)
      );

      -- A trigger counts, so that no writer can forget it. Everyone locks the row of the form before that of the instance.
      create function count_file_bytes() returns trigger language plpgsql as $body$
      declare
        changed file;
        added bigint;
      begin
        if tg_op = 'DELETE' then
          changed := old;
          added := -old.size;
        elsif tg_op = 'INSERT' then
          changed := new;
          added := new.size;
        else
          changed := new;
          added := coalesce(new.size, 0) - coalesce(old.size, 0);
        end if;
        insert into file_bytes as counted (scope, id, bytes)
        values ('form', changed.form_id, added), ('instance', changed.instance_id, added)
        on conflict (scope, id) do update set bytes = counted.bytes + excluded.bytes;
        return null;
      end
      $body$;

      -- A submission that claims a file leaves its size alone, and waits for no counter.
      create trigger file_inserted after insert on file for each row when (new.size is not null) execute function count_file_bytes();
      create trigger file_sized after update of size on file for each row when (new.size is distinct from old.size) execute function count_file_bytes();
      create trigger file_deleted after delete on file for each row when (old.size is not null) execute function count_file_bytes();

      -- Answers that a respondent saved to send them later. A page has encrypted them with a key derived from the token in the respondent's
      -- link, and named them by the token's SHA-256, so nobody who reads this table can read them.
      create table saved_answers (
        form_id uuid not null,
        name bytea not null check (octet_length(name) = 32),
        -- What is encrypted does not compress.
        sealed bytea storage external not null check (octet_length(sealed) between 1 and 1500000),
        -- The uploaded files among the answers.
        file_ids uuid[] not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        -- What it takes up, roughly.
        bytes integer not null generated always as (200 + octet_length(sealed) + 16 * cardinality(file_ids)) stored,
        primary key (form_id, name)
      );
      create index saved_answers_expiry on saved_answers (expires_at);
      create index saved_answers_by_file on saved_answers using gin (file_ids);

      -- How many bytes the saved answers of a form take up. Every writer locks the row of the form first.
      create table saved_bytes (
        form_id uuid primary key,
        bytes bigint not null
      );

      -- What a respondent owes for one submission. Its id is the idempotency key at the provider, so that a checkout which was made
      -- and not written down here is found again instead of made twice.
      create table payment (
        id uuid primary key,
        submission_id uuid not null unique references submission,
        form_id uuid not null,
        -- In the smallest unit of the currency.
        amount integer not null check (amount > 0),
        currency text not null,
        -- The form's title when it was submitted: the same key at the provider wants the same words.
        description text not null,
        state text not null check (state in ('requires_checkout', 'open', 'processing', 'paid', 'failed', 'expired')),
        session_id text,
        url text,
        -- What the provider calls the money itself.
        reference text,
        created_at timestamptz not null,
        paid_at timestamptz,
        -- Where the respondent goes from the checkout, if they came from a page that wants them back. Kept, because the same key at the
        -- provider wants the same addresses.
        return_url text,
        check ((state = 'paid') = (paid_at is not null)),
        check ((session_id is null) = (url is null))
      );
      create index payment_without_checkout on payment (created_at) where state = 'requires_checkout';

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

      -- By triggers, so that no writer can forget it.
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

      -- Submissions that the search index does not know in their present state. Filled by a trigger, so that no writer can forget it; read and
      -- emptied in the background. Without an index, as it is nearly always empty.
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
        block bigint,
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

      -- A submission that is indexed late, or again, joins the block of its time. By a trigger, so that no writer can forget it.
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

      -- The blocks and sections that have all that is sought, and the entries in them.
      create index search_entry_terms on search_entry using gin (block, terms_in_section(block / 128, terms)) with (fastupdate = off) where block is not null;
      -- No plan depends on them, and gathering them takes a second each time.
      alter index search_entry_terms alter column 2 set statistics 0;

      -- How far the submissions from before there was an index are in it. Absent once all are.
      create table search_backfill (after_id uuid not null, until_id uuid not null);

      -- Forms for which searching was switched off or on. What the index has of them is deleted first; after_created_at is null until then. If
      -- they can be searched, their submissions are indexed next, from the oldest on, and this is how far they are.
      create table reindex (form_id uuid primary key, after_created_at timestamptz, after_id uuid);

      create function await_search() returns trigger language plpgsql as $body$
      begin
        insert into search_pending select id, form_id from new_rows;
        return null;
      end
      $body$;
      create trigger submission_searched after insert on submission referencing new table as new_rows
        for each statement execute function await_search();

      -- Submissions whose present state is not counted yet. Like search_pending: filled by triggers, and nearly always empty.
      create table insight_pending (submission_id uuid not null, form_id uuid not null);

      -- What was counted for a submission, so that exactly this is taken out when the submission changes or goes: see
      -- apps/submissions/src/insights/counters.ts.
      create table insight_counted (
        submission_id uuid primary key,
        form_id uuid not null,
        generation integer not null,
        -- A JSON array of strings.
        counters text not null
      );

      -- How many listed submissions of a form have a status ('s'), have answered a field ('a'), have chosen an option ('o'), or have a whole
      -- number ('w') or any number ('n') in a range.
      create table insight_count (
        form_id uuid not null,
        kind text not null,
        key text not null,
        item text not null,
        submissions bigint not null,
        primary key (form_id, kind, key, item)
      ) with (fillfactor = 70);

      -- How many listed submissions arrived in a quarter of an hour, counted from 1970 on. Days begin at a quarter of an hour in every time
      -- zone, so these add up to the days of any of them.
      create table insight_quarter (
        form_id uuid not null,
        quarter integer not null,
        submissions bigint not null,
        primary key (form_id, quarter)
      ) with (fillfactor = 70);

      create table insight_form (
        form_id uuid primary key,
        -- A recount increases it: what was remembered before no longer counts.
        generation integer not null default 1,
        -- While all submissions of the form are being counted, from the newest on: the last one that was. Otherwise null.
        walk_created_at timestamptz,
        walk_id uuid
      );
      create index insight_form_walking on insight_form (form_id) where walk_created_at is not null;

      -- The fields of a version whose answers are counted by value. A version never changes.
      create table insight_version (
        form_id uuid not null,
        version integer not null,
        options text[] not null,
        whole_numbers text[] not null,
        numbers text[] not null,
        primary key (form_id, version)
      );

      -- Versions that were met in a submission and are not in insight_version yet.
      create table insight_missing_version (form_id uuid not null, version integer not null, primary key (form_id, version));

      -- A new submission passes through search_pending, so that accepting it costs nothing more, whichever copy of the service indexes it.
      create function await_insight_after_search() returns trigger language plpgsql as $body$
      begin
        insert into insight_pending select submission_id, form_id from old_rows;
        return null;
      end
      $body$;
      create trigger search_pending_taken after delete on search_pending referencing old table as old_rows
        for each statement execute function await_insight_after_search();

      -- Without a join: its plan was kept from a change of one submission, and compared each of 500 with each other.
      create function await_insight() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'DELETE' then
          insert into insight_pending select id, form_id from old_rows;
        else
          insert into insight_pending
          select id, form_id
            from (select id, form_id, status, deleted_at is null, spam_at is null, revision from new_rows
                  except
                  select id, form_id, status, deleted_at is null, spam_at is null, revision from old_rows) as changed;
        end if;
        return null;
      end
      $body$;
      create trigger submission_counted_again after update on submission referencing old table as old_rows new table as new_rows
        for each statement execute function await_insight();
      create trigger submission_counted_out after delete on submission referencing old table as old_rows
        for each statement execute function await_insight();

      -- How often a form was opened, begun and completed in a quarter of an hour, counted from 1970 on. Nothing tells respondents apart.
      create table visit_count (
        form_id uuid not null,
        quarter integer not null,
        views bigint not null,
        starts bigint not null,
        completions bigint not null,
        primary key (form_id, quarter)
      ) with (fillfactor = 70);

      -- How long forms keep their submissions, as the service of forms has told. A form without a row keeps all of them.
      create table form_keeping (
        form_id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        -- Nothing of the form is erased.
        legal_hold boolean not null,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer,
        -- Whether the search index may have submissions of the form.
        searchable boolean not null default true
      );

      -- How long the forms of an instance keep their submissions, where they do not say it themselves. Without a row, for ever.
      create table instance_keeping (
        instance_id uuid primary key,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer
      );

      -- Erasures that are not complete here: a file, or a part of the search index, may still have what was erased.
      create table erasure (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- The whole form is erased: as long as it has submissions, more are to be deleted.
        whole_form boolean not null,
        -- What was deleted so far.
        submissions integer not null,
        files integer not null,
        begun_at timestamptz not null,
        -- When everything was gone. That of a form is watched a little longer, for submissions of copies that had not heard of it.
        confirmed_at timestamptz
      );
      create table erased_file (
        erasure_id uuid not null references erasure on delete cascade,
        file_id uuid not null,
        primary key (erasure_id, file_id)
      );
    `),
};
