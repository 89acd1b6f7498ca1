import type { Migration } from '@sheaf/postgres';

export const erasedPeople: Migration = {
  name: '0010_erased_people',
  up: (db) =>
    db.raw(`
      -- People who were erased: only their ids. Entries of the audit log that arrive later are stored without their IP addresses.
      create table erased_person (
        instance_id uuid not null,
        -- Text, as in audit_entry.
        person_id text not null,
        erasure_id uuid not null,
        erased_at timestamptz not null,
        -- Entries of the audit log that have lost the person's IP address.
        entries integer not null,
        -- Null while there may be more of them.
        finished_at timestamptz,
        primary key (instance_id, person_id)
      );
      create index erased_person_open on erased_person (erased_at) where finished_at is null;

      -- The account that signed in, hashed like the key. Null in rows of earlier versions, which expire.
      alter table sign_in_place add column account bytea;

      -- Removes the IP addresses of people who were erased from some entries of the audit log. A failed sign-in names its person only as the target.
      create function forget_audit_addresses(of_instance uuid, of_person text, most integer) returns integer
        language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        forgotten integer;
      begin
        if not exists (select from public.erased_person where instance_id = of_instance and person_id = of_person) then
          raise exception 'the person was not erased' using errcode = 'restrict_violation';
        end if;
        perform set_config('sheaf.forgets_audit_addresses', 'yes', true);
        update public.audit_entry set address = null where id in (
          (select id from public.audit_entry
            where instance_id = of_instance and actor_id = of_person and actor_kind = 'user' and address is not null limit most)
          union
          (select id from public.audit_entry
            where instance_id = of_instance and target_id = of_person and action = 'session.failed' and address is not null limit most));
        get diagnostics forgotten = row_count;
        perform set_config('sheaf.forgets_audit_addresses', '', true);
        return forgotten;
      end
      $$;

      -- Still, only the owner of the table passes, and nothing but these two functions.
      create or replace function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$
        begin
          if current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) and (
            tg_op = 'DELETE' and current_setting('sheaf.removes_old_audit_entries', true) = 'yes' or
            tg_op = 'UPDATE' and current_setting('sheaf.forgets_audit_addresses', true) = 'yes'
          ) then
            return null;
          end if;
          raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
        end
      $$;
    `),
};
