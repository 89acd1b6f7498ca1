import type { Migration } from '@sheaf/postgres';

export const auditLog: Migration = {
  name: '0004_audit_log',
  up: (db) =>
    db.raw(`
      create table audit_entry (
        -- Of the event that brought it: one that comes twice is one entry.
        id uuid primary key,
        instance_id uuid not null,
        -- Null for what concerns the whole instance.
        workspace_id uuid,
        -- Who reads it: the owners and admins of this workspace, or of all workspaces of this instance.
        scope_id uuid not null generated always as (coalesce(workspace_id, instance_id)) stored,
        action text not null,
        actor_kind text not null,
        -- Of a process of ours it is a name; absent for somebody unknown.
        actor_id text,
        via text,
        credential_id text,
        target_kind text not null,
        target_id text not null,
        form_id uuid,
        address text,
        request_id text not null,
        details jsonb,
        occurred_at timestamptz not null
      );
      -- In the order of the list, without a filter and with each of them.
      create index audit_entry_in_order on audit_entry (scope_id, occurred_at desc, id desc);
      create index audit_entry_by_actor on audit_entry (scope_id, actor_id, occurred_at desc, id desc);
      create index audit_entry_by_action on audit_entry (scope_id, action, occurred_at desc, id desc);
      create index audit_entry_by_target on audit_entry (scope_id, target_id, occurred_at desc, id desc);

      -- How many entries there are, so that nobody has to count them.
      create table audit_count (
        scope_id uuid primary key,
        entries bigint not null
      );

      -- A log that can be changed proves nothing. What is too old goes, and only where the removal says that it is one.
      create function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$
        begin
          if tg_op = 'DELETE' and current_setting('sheaf.removes_old_audit_entries', true) = 'yes' then
            return null;
          end if;
          raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
        end
      $$;
      create trigger audit_entry_is_append_only before update or delete or truncate on audit_entry
        for each statement execute function refuse_to_change_the_audit_log();
    `),
};
