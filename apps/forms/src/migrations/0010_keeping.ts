import type { Migration } from '@sheaf/postgres';

export const keeping: Migration = {
  name: '0010_keeping',
  up: (db) =>
    db.raw(`
      -- How long a form keeps its submissions. Apart from its other settings, which travel with copies and documents and are shown to respondents.
      create table form_keeping (
        form_id uuid primary key references form,
        -- Nothing of the form may be erased.
        legal_hold boolean not null,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer
      );

      -- Deletes the versions of a form that is erased, as their owner, whom the trigger below asks for.
      create function erase_versions(of_form uuid) returns void
        language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform set_config('sheaf.erases_versions', 'yes', true);
        delete from public.version where form_id = of_form;
        perform set_config('sheaf.erases_versions', '', true);
      end
      $$;

      -- The setting alone could be made by the service's role. Nobody but the owner passes.
      create or replace function refuse_to_change_a_version() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' and current_setting('sheaf.erases_versions', true) = 'yes'
             and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
            return null;
          end if;
          raise exception 'a published version is immutable' using errcode = 'restrict_violation';
        end
      $$;
    `),
};
