import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0001_initial',
  up: (db) =>
    db.raw(`
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

      -- A person, once for the whole deployment; what they may do hangs on their memberships.
      create table person (
        id uuid primary key,
        -- In lower case.
        email text not null constraint person_email_key unique,
        name text not null,
        avatar_url text not null,
        -- Absent until an invitation is accepted.
        password_hash text,
        created_at timestamptz not null
      );

      create table member (
        workspace_id uuid not null,
        instance_id uuid not null,
        person_id uuid not null references person,
        role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
        -- The workspace that the person's API keys act in.
        is_default boolean not null,
        created_at timestamptz not null,
        constraint member_pkey primary key (workspace_id, person_id),
        foreign key (workspace_id, instance_id) references workspace (id, instance_id)
      );
      create index member_of_person on member (person_id, instance_id);
      create unique index member_default on member (person_id, instance_id) where is_default;

      create table invitation (
        token_hash bytea primary key,
        instance_id uuid not null references instance,
        person_id uuid not null references person,
        expires_at timestamptz not null,
        created_at timestamptz not null
      );

      create table session (
        id uuid primary key,
        instance_id uuid not null references instance,
        person_id uuid not null references person,
        active_workspace_id uuid references workspace,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        ended_at timestamptz
      );

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
        person_id uuid references person,
        service_account_id uuid references service_account,
        name text not null,
        -- The first characters of the key, to tell several apart; the key itself is nowhere.
        prefix text not null,
        hash bytea not null unique,
        created_at timestamptz not null,
        last_used_at timestamptz,
        expires_at timestamptz,
        revoked_at timestamptz,
        check (num_nonnulls(person_id, service_account_id) = 1)
      );
      create index api_key_of_person on api_key (person_id, instance_id) where revoked_at is null;
      create index api_key_of_service_account on api_key (service_account_id) where revoked_at is null;
    `),
};
