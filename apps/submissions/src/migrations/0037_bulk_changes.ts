import type { Migration } from '@sheaf/postgres';

/** Changes of many submissions in the background: see docs/decisions/0068-bulk-changes-in-the-background.md. */
export const bulkChanges: Migration = {
  name: '0037_bulk_changes',
  up: (db) =>
    db.raw(`
      create table bulk_change (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        form_id uuid not null,
        caller_kind text not null,
        caller_id uuid not null,
        -- Who asked, with their roles or scopes as they are now, and by which request. Null once it is over, as the next two.
        doer json,
        -- What their role on the form follows from.
        access json,
        -- Which submissions: a place, and for the list the conditions.
        sought json,
        action text not null,
        new_status text,
        new_assignee uuid,
        -- The bulk change that this one takes back.
        undoes uuid,
        state text not null,
        reason text,
        -- How many submissions it is about; null until all have their row in bulk_change_item.
        total integer,
        -- The last of them that was come to.
        done integer not null default 0,
        changed integer not null default 0,
        -- How many processes have taken it since it last came further, but for those that gave it back.
        runs integer not null default 0,
        -- The process that has it. One that lost it knows by this.
        run_id uuid,
        leased_until timestamptz,
        -- When a process last took it: they take turns.
        turn_at timestamptz not null,
        created_at timestamptz not null,
        finished_at timestamptz,
        expires_at timestamptz not null
      );
      create index bulk_change_of_form on bulk_change (form_id, created_at desc, id);
      create index bulk_change_unfinished on bulk_change (turn_at, id) where state in ('waiting', 'running');
      create index bulk_change_unfinished_of_workspace on bulk_change (workspace_id) where state in ('waiting', 'running');
      create index bulk_change_unfinished_of_caller on bulk_change (caller_id) where state in ('waiting', 'running');
      create index bulk_change_by_end on bulk_change (expires_at);
      create index bulk_change_undoing on bulk_change (undoes) where undoes is not null;

      -- The submissions of a bulk change, in the order in which it comes to them.
      create table bulk_change_item (
        bulk_change_id uuid not null references bulk_change on delete cascade,
        number integer not null,
        submission_id uuid not null,
        -- What it had before, and the moment of the change; null unless it was changed.
        before json,
        changed_at timestamptz,
        primary key (bulk_change_id, number)
      );
      create index bulk_change_item_of_submission on bulk_change_item (submission_id);

      -- A submission that is erased leaves nothing here, whichever version of the service erases it. One after another, as a join could read the
      -- whole table.
      create function drop_bulk_change_items() returns trigger language plpgsql as $body$
      declare
        gone record;
      begin
        for gone in select id from old_rows loop
          delete from bulk_change_item where submission_id = gone.id;
        end loop;
        return null;
      end
      $body$;
      create trigger submission_leaves_bulk_changes after delete on submission referencing old table as old_rows
        for each statement execute function drop_bulk_change_items();

      -- What was heard last of the roles or scopes of somebody, kept for longer than a token is valid that may have earlier ones.
      create table heard_standing (
        principal_id uuid primary key,
        roles json not null,
        scopes json not null,
        at timestamptz not null
      );
    `),
};
