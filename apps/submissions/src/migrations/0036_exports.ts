import type { Migration } from '@sheaf/postgres';

/** Exports that are made in the background: see docs/decisions/0065-exports-in-the-background.md. */
export const exportsInTheBackground: Migration = {
  name: '0036_exports',
  up: (db) =>
    db.raw(`
      create table form_export (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        form_id uuid not null,
        -- Who asked for it, and may have it.
        caller_kind text not null,
        caller_id uuid not null,
        format text not null,
        name text not null,
        state text not null,
        reason text,
        -- All that the file depends on besides the submissions, with names of people; null once it is made.
        plan json,
        done bigint not null default 0,
        total bigint,
        size bigint,
        -- How many processes have begun it, but for those that gave it back.
        runs integer not null default 0,
        -- The bytes of the process that has it, or had it last. A process that lost it knows by this.
        file_id uuid,
        leased_until timestamptz,
        -- The last erasure of the form before the first submission was read.
        erasures_before bigint not null default 0,
        created_at timestamptz not null,
        finished_at timestamptz,
        expires_at timestamptz not null
      );
      create index form_export_of_caller on form_export (form_id, caller_id, created_at desc, id);
      create index form_export_of_workspace on form_export (workspace_id);
      create index form_export_unfinished on form_export (created_at, id) where state in ('waiting', 'running');
      create index form_export_by_end on form_export (expires_at);

      -- Bytes in the storage, from before the first is written until after the last is removed.
      create table export_file (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- Until when a process may be writing them, unless it says that it has ended.
        written_until timestamptz,
        -- Null while an export has it.
        remove_at timestamptz,
        -- They are removed twice, an hour apart: a process that lost its export and slept may have gone on writing in between.
        removed boolean not null default false
      );
      create index export_file_to_remove on export_file (remove_at) where remove_at is not null;
      create index export_file_of_form on export_file (form_id);

      -- When something of a form was erased. An export that was begun before may have had it.
      create table export_erasure (
        id bigint generated always as identity primary key,
        form_id uuid not null,
        at timestamptz not null default clock_timestamp()
      );
      create index export_erasure_of_form on export_erasure (form_id, id);
      create index export_erasure_by_time on export_erasure (at);

      -- Every erasure opens a row here, in the transaction that deletes. It shares the lock of its form with others, and an export that begins
      -- wants it alone: so it begins before the erasure, which then has a higher number than the export knows of, or after its end.
      create function note_erasure_for_exports() returns trigger language plpgsql as $body$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('export'), hashtext(form_id::text)) from new_rows order by form_id;
        insert into export_erasure (form_id) select distinct form_id from new_rows;
        return null;
      end
      $body$;
      create trigger erasure_ends_exports after insert on erasure referencing new table as new_rows
        for each statement execute function note_erasure_for_exports();
    `),
};
