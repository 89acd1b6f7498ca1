import { outboxSignalsIndex, outboxTable } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0000_initial',
  replaces: [
    '0000_outbox',
    '0001_initial',
    '0002_folders',
    '0003_people',
    '0004_audit_log',
    '0005_people_of_instances',
    '0000_outbox_trace',
    '0000_outbox_order',
    '0006_inviters',
    '0000_outbox_signals',
    '0007_audit_removal',
    '0008_vacated_slugs',
    '0009_erasures',
    '0010_erased_people',
    '0011_addresses_of_people',
    '0012_erased_workspaces',
    '0013_sign_in_links',
    '0014_shown_sessions',
    '0015_invitation_ids',
    '0016_preferences',
    '0017_audit_log_of_forms',
  ],
  up: (db) =>
    db.raw(`
      ${outboxTable}
      ${outboxSignalsIndex}

      create table instance (
        id uuid primary key,
        name text not null,
        custom_domain text constraint instance_custom_domain_key unique,
        created_at timestamptz not null
      );

      create table workspace (
        id uuid primary key,
        instance_id uuid not null references instance,
        name text not null,
        -- The company part of a host name, so unique in the whole deployment.
        slug text not null constraint workspace_slug_key unique,
        color text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (id, instance_id)
      );
      create index workspace_of_instance on workspace (instance_id);

      -- A person belongs to one instance: addresses are not verified, so whoever was the first to invite an address could otherwise make themselves
      -- the person that others add to theirs. Somebody in several instances may have the same id in each of them.
      create table person (
        id uuid not null,
        -- In lower case.
        email text not null,
        name text not null,
        avatar_url text not null,
        -- Absent until an invitation is accepted.
        password_hash text,
        created_at timestamptz not null,
        instance_id uuid not null references instance,
        -- Null until they sign in for the first time.
        first_signed_in_at timestamptz,
        primary key (instance_id, id),
        constraint person_email_key unique (instance_id, email)
      );

      create table member (
        workspace_id uuid not null,
        instance_id uuid not null,
        person_id uuid not null,
        role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
        -- The workspace that the person's API keys act in.
        is_default boolean not null,
        created_at timestamptz not null,
        primary key (workspace_id, person_id),
        foreign key (workspace_id, instance_id) references workspace (id, instance_id),
        constraint member_person_fkey foreign key (instance_id, person_id) references person (instance_id, id)
      );
      create index member_of_person on member (person_id, instance_id);
      create unique index member_default on member (person_id, instance_id) where is_default;

      create table invitation (
        token_hash bytea primary key,
        instance_id uuid not null references instance,
        person_id uuid not null,
        expires_at timestamptz not null,
        created_at timestamptz not null,
        -- Null for an old invitation, whose inviter nobody noted.
        inviter_kind text check (inviter_kind in ('user', 'operator')),
        inviter_id uuid,
        -- Names an invitation without its token.
        id uuid not null default gen_random_uuid() constraint invitation_id_key unique,
        constraint invitation_person_fkey foreign key (instance_id, person_id) references person (instance_id, id)
      );
      create index invitation_of_person on invitation (person_id);
      create index invitation_expired on invitation (expires_at);

      create table session (
        id uuid primary key,
        instance_id uuid not null references instance,
        person_id uuid not null,
        active_workspace_id uuid references workspace,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        ended_at timestamptz,
        -- Lets people recognize their sessions. Null in old sessions, and where a client sends no user agent.
        user_agent text,
        address text,
        last_used_at timestamptz,
        constraint session_person_fkey foreign key (instance_id, person_id) references person (instance_id, id)
      );
      create index session_of_person on session (person_id) where ended_at is null;
      create index session_in_workspace on session (active_workspace_id) where active_workspace_id is not null;
      -- For the removal of those that are over.
      create index session_expired on session (expires_at);
      create index session_ended on session (ended_at) where ended_at is not null;

      create table service_account (
        id uuid primary key,
        instance_id uuid not null references instance,
        name text not null,
        scopes text[] not null,
        created_at timestamptz not null,
        deleted_at timestamptz
      );
      create index service_account_of_instance on service_account (instance_id) where deleted_at is null;

      create table api_key (
        id uuid primary key,
        instance_id uuid not null references instance,
        person_id uuid,
        service_account_id uuid references service_account,
        name text not null,
        -- The first characters of the key, to tell several apart; the key itself is nowhere.
        prefix text not null,
        hash bytea not null unique,
        created_at timestamptz not null,
        last_used_at timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz,
        check (num_nonnulls(person_id, service_account_id) = 1),
        constraint api_key_person_fkey foreign key (instance_id, person_id) references person (instance_id, id)
      );
      create index api_key_of_person on api_key (person_id, instance_id) where revoked_at is null;
      create index api_key_of_service_account on api_key (service_account_id) where revoked_at is null;

      create table folder (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        creator_kind text not null check (creator_kind in ('user', 'service_account')),
        creator_id uuid not null,
        label text not null check (char_length(label) between 1 and 100),
        icon text not null check (icon <> ''),
        color text not null,
        parent_id uuid,
        sort_order integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (id, workspace_id),
        foreign key (workspace_id, instance_id) references workspace (id, instance_id),
        -- A tree never reaches into another workspace.
        foreign key (parent_id, workspace_id) references folder (id, workspace_id),
        check (parent_id <> id)
      );
      -- In the order of the list.
      create index folder_of_workspace on folder (workspace_id, sort_order, label, id);
      create index folder_inside on folder (parent_id) where parent_id is not null;

      -- How often signing in failed, by what it is counted for: see sign-in-throttle.ts.
      create table sign_in_throttle (
        key bytea primary key,
        failures integer not null,
        blocked_until timestamptz,
        -- The row counts for nothing from then on.
        expires_at timestamptz not null
      );
      create index sign_in_throttle_expired on sign_in_throttle (expires_at);

      -- The addresses that somebody has signed in from.
      create table sign_in_place (
        key bytea primary key,
        expires_at timestamptz not null,
        -- The account that signed in, hashed like the key.
        account bytea
      );
      create index sign_in_place_expired on sign_in_place (expires_at);
      create index sign_in_place_of_account on sign_in_place (account) where account is not null;

      -- The operator's links, which sign a person in once.
      create table sign_in_link (
        token_hash bytea primary key,
        instance_id uuid not null,
        person_id uuid not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        unique (instance_id, person_id),
        foreign key (instance_id, person_id) references person (instance_id, id) on delete cascade
      );
      create index sign_in_link_expired on sign_in_link (expires_at);

      -- How a person wants the application to look.
      create table preference (
        instance_id uuid not null,
        person_id uuid not null,
        key text not null,
        -- JSON, as text: jsonb takes no NUL.
        value text not null,
        primary key (instance_id, person_id, key),
        foreign key (instance_id, person_id) references person (instance_id, id) on delete cascade
      );

      -- Roles on forms that a person without a password was given. They belong to \`forms\`; kept here is as much as decides who may invite
      -- this person. The rows go when the person has a password.
      create table promised_form (
        instance_id uuid not null,
        person_id uuid not null,
        form_id uuid not null,
        workspace_id uuid not null,
        primary key (instance_id, person_id, form_id),
        foreign key (instance_id, person_id) references person (instance_id, id)
      );
      create index promised_form_of_workspace on promised_form (workspace_id);

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
      create index audit_entry_by_form on audit_entry (scope_id, form_id, occurred_at desc, id desc) where form_id is not null;
      -- Find what belongs to a person who is erased. Entries leave these indexes with their addresses.
      create index audit_entry_with_address on audit_entry (instance_id, actor_id) where address is not null and actor_kind = 'user';
      create index audit_entry_failed_sign_in on audit_entry (instance_id, target_id) where address is not null and action = 'session.failed';

      -- How many entries there are, so that nobody has to count them.
      create table audit_count (
        scope_id uuid primary key,
        entries bigint not null
      );

      -- A log that can be changed proves nothing. What is too old goes, and the addresses of people who were erased, by the two functions below alone:
      -- the settings could be made by the service's role too, but nobody but the owner of the table passes.
      create function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$
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
      create trigger audit_entry_is_append_only before update or delete or truncate on audit_entry
        for each statement execute function refuse_to_change_the_audit_log();

      -- Removes some of the oldest entries. Nothing of the last day goes, whoever asks: the log cannot be kept for less than that. (What it reads and
      -- locks is in the order of audit-log.queries.ts.)
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

      -- What was erased, when and for whom: ids and counts, and nothing of what it was.
      create table erasure (
        id uuid primary key,
        instance_id uuid not null,
        -- Null for what concerns the whole instance.
        workspace_id uuid,
        -- The owners and admins of this workspace, or of all workspaces of this instance, read it.
        scope_id uuid not null generated always as (coalesce(workspace_id, instance_id)) stored,
        kind text not null,
        target_id text not null,
        form_id uuid,
        reason text not null,
        requested_by_kind text not null,
        requested_by_id text,
        requested_at timestamptz not null,
        -- The services that erase their copies.
        awaited text[] not null
      );
      create index erasure_in_order on erasure (scope_id, requested_at desc, id desc);

      -- A service that has erased everything that it had. It may arrive before the erasure itself.
      create table erasure_confirmation (
        erasure_id uuid not null,
        service text not null,
        confirmed_at timestamptz not null,
        counts jsonb not null,
        primary key (erasure_id, service)
      );

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

      -- The ids of erased workspaces, whose audit log stays readable.
      create table erased_workspace (
        id uuid primary key,
        instance_id uuid not null,
        erased_at timestamptz not null
      );
      create index erased_workspace_of_instance on erased_workspace (instance_id, erased_at desc);

      -- The last workspace that gave up a slug: for a while nobody else may take it, or they would receive what still goes to the old host.
      create table vacated_slug (
        slug text primary key,
        workspace_id uuid not null,
        vacated_at timestamptz not null
      );
      create index vacated_slug_by_age on vacated_slug (vacated_at);
    `),
};
