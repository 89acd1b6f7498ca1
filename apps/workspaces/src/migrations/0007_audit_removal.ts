import type { Migration } from '@sheaf/postgres';

export const auditRemoval: Migration = {
  name: '0007_audit_removal',
  up: (db) =>
    db.raw(`
      -- Removes some of the oldest entries, as their owner, whom the trigger below asks for. Nothing of the last day goes, whoever asks: the log cannot
      -- be kept for less than that. (What it reads and locks is in the order of audit-log.queries.ts.)
      create function remove_old_audit_entries(before timestamptz, most integer) returns integer
        language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        until constant timestamptz := least(before, now() - interval '1 day');
        removed integer;
      begin
        perform set_config('sheaf.removes_old_audit_entries', 'yes', true);
        with old as (
          select e.id
            from public.audit_count c cross join lateral (
              select id from public.audit_entry where scope_id = c.scope_id and occurred_at < until order by occurred_at, id limit most) as e
           limit most
        ), gone as (
          delete from public.audit_entry where id in (select id from old) returning scope_id
        ), counted as (
          select scope_id, count(*) as removed from gone group by scope_id
        ), locked as materialized (
          select scope_id from public.audit_count where scope_id in (select scope_id from counted) order by scope_id for no key update
        ), settled as (
          update public.audit_count c set entries = c.entries - counted.removed
            from locked join counted using (scope_id) where c.scope_id = locked.scope_id
        )
        select count(*) into removed from gone;
        perform set_config('sheaf.removes_old_audit_entries', '', true);
        return removed;
      end
      $$;

      -- The setting alone could be made by the service's role. Nobody but the owner passes now.
      create or replace function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' and current_setting('sheaf.removes_old_audit_entries', true) = 'yes'
             and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
            return null;
          end if;
          raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
        end
      $$;
    `),
};
