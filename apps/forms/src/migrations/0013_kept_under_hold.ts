import type { Migration } from '@sheaf/postgres';

export const keptUnderHold: Migration = {
  name: '0013_kept_under_hold',
  up: (db) =>
    db.raw(`
      -- What was overwritten of a form under legal hold: its drafts, its settings, and what respondents see of the form itself.
      create table kept_under_hold (
        form_id uuid not null references form on delete cascade,
        -- In the order in which it was overwritten.
        place bigint generated always as identity,
        table_name text not null,
        -- The row as it was, as JSON.
        contents text not null,
        primary key (form_id, place)
      );

      -- By triggers, so that no change, nor an earlier version of the service, can forget it. A change of a form has locked it, so the hold
      -- does not come in between.
      create function keep_under_hold() returns trigger language plpgsql as $body$
      declare
        of_form constant uuid := cast(row_to_json(old) ->> tg_argv[0] as uuid);
      begin
        if exists (select from form_keeping where form_id = of_form and legal_hold) then
          insert into kept_under_hold (form_id, table_name, contents) values (of_form, tg_table_name, cast(row_to_json(old) as text));
        end if;
        return null;
      end
      $body$;
      create trigger draft_is_kept after update of fields, payment on draft
        for each row when ((old.fields, old.payment) is distinct from (new.fields, new.payment)) execute function keep_under_hold('form_id');
      create trigger settings_are_kept after update on form_settings
        for each row when (old.* is distinct from new.*) execute function keep_under_hold('form_id');
      create trigger form_is_kept after update of title, slug, opens_at, closes_at, max_submissions, closed_message, timezone on form
        for each row when (
          (old.title, old.slug, old.opens_at, old.closes_at, old.max_submissions, old.closed_message, old.timezone)
          is distinct from (new.title, new.slug, new.opens_at, new.closes_at, new.max_submissions, new.closed_message, new.timezone)
        ) execute function keep_under_hold('id');
    `),
};
