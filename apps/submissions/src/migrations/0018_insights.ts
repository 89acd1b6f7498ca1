import type { Migration } from '@sheaf/postgres';

export const insights: Migration = {
  name: '0018_insights',
  up: (db) =>
    db.raw(`
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

      create function await_insight() returns trigger language plpgsql as $body$
      begin
        if tg_op = 'DELETE' then
          insert into insight_pending select id, form_id from old_rows;
        else
          insert into insight_pending
          select n.id, n.form_id from new_rows n join old_rows o using (id)
           where (n.status, n.deleted_at is null, n.spam_at is null, n.revision) is distinct from
                 (o.status, o.deleted_at is null, o.spam_at is null, o.revision);
        end if;
        return null;
      end
      $body$;
      create trigger submission_counted_again after update on submission referencing old table as old_rows new table as new_rows
        for each statement execute function await_insight();
      create trigger submission_counted_out after delete on submission referencing old table as old_rows
        for each statement execute function await_insight();
    `),
};
