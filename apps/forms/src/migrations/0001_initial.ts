import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0001_initial',
  up: (db) =>
    db.raw(`
      -- A trusted extension: the owner of the database may create it and need not be a superuser.
      create extension if not exists pg_trgm;

      create table form (
        id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        creator_kind text not null check (creator_kind in ('user', 'service_account')),
        creator_id uuid not null,
        title text not null check (char_length(title) between 1 and 200),
        slug text,
        status text not null check (status in ('active', 'archived', 'disabled', 'trashed')),
        -- Where a restore leads back to.
        status_before_trash text check (status_before_trash in ('active', 'archived', 'disabled')),
        current_version integer not null check (current_version >= 0),
        publish_mode text not null check (publish_mode in ('draft', 'auto')),
        opens_at timestamptz,
        closes_at timestamptz,
        max_submissions integer check (max_submissions >= 0),
        closed_message text,
        timezone text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        constraint form_slug_key unique (instance_id, slug),
        check (closes_at > opens_at),
        check ((status = 'trashed') = (status_before_trash is not null))
      );
      -- In the order of the lists. What is in the trash is rarely looked at and would only be in the way of the rest.
      create index form_of_workspace on form (instance_id, workspace_id, updated_at desc, id desc) where status <> 'trashed';
      create index form_of_instance on form (instance_id, updated_at desc, id desc) where status <> 'trashed';
      create index form_in_trash on form (instance_id, workspace_id, updated_at desc, id desc) where status = 'trashed';
      create index form_title on form using gin (title gin_trgm_ops);

      -- Apart from the form, which is read and changed far more often and is small.
      create table draft (
        form_id uuid primary key references form,
        -- JSON, kept as text: it is passed on as it is, and jsonb would refuse the NUL that a string in it may hold.
        fields text not null,
        -- Grows with every save.
        revision integer not null,
        updated_at timestamptz not null
      );

      create table version (
        form_id uuid not null references form,
        number integer not null check (number > 0),
        -- JSON, as in the draft that it was made from.
        fields text not null,
        published_by_kind text not null check (published_by_kind in ('user', 'service_account')),
        published_by_id uuid not null,
        published_at timestamptz not null,
        primary key (form_id, number)
      );

      -- Submissions are read under the version that they were made against, for as long as they are kept.
      create function refuse_to_change_a_version() returns trigger language plpgsql as $$
        begin
          raise exception 'a published version is immutable' using errcode = 'restrict_violation';
        end
      $$;
      create trigger version_is_immutable before update or delete or truncate on version
        for each statement execute function refuse_to_change_a_version();

      create table form_grant (
        form_id uuid not null references form,
        user_id uuid not null,
        role text not null check (role in ('owner', 'editor', 'viewer')),
        created_at timestamptz not null,
        primary key (form_id, user_id)
      );
      create index form_grant_of_user on form_grant (user_id);

      create table favorite (
        form_id uuid not null references form,
        -- A user or a service account.
        principal_id uuid not null,
        created_at timestamptz not null,
        primary key (form_id, principal_id)
      );
    `),
};
