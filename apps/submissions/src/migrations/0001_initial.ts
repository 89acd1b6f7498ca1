import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0001_initial',
  up: (db) =>
    db.raw(`
      create table submission (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- json and not jsonb: kept and given back as the text that was accepted.
        data json not null,
        schema_version integer not null,
        status text not null,
        created_at timestamptz not null,
        deleted_at timestamptz
      );
      create index submission_listed on submission (form_id, created_at desc, id desc) where deleted_at is null;
      create index submission_listed_by_status on submission (form_id, status, created_at desc, id desc) where deleted_at is null;

      create table status_change (
        submission_id uuid not null references submission,
        position bigint generated always as identity,
        from_status text not null,
        to_status text not null,
        actor_kind text not null,
        actor_id uuid not null,
        changed_at timestamptz not null,
        primary key (submission_id, position)
      );

      -- How many submissions a form ever accepted; the limit of a form is kept here, under the lock of this row.
      create table intake (
        form_id uuid primary key,
        accepted integer not null
      );

      -- How many submissions the list of a form has, by status: counted when they change, as counting at each request would get
      -- slower with every submission.
      create table listed_count (
        form_id uuid not null,
        status text not null,
        listed bigint not null,
        primary key (form_id, status)
      );

      create table idempotency_key (
        form_id uuid not null,
        key text not null,
        -- SHA-256 of the answers: the same key with others is a mistake of the client.
        fingerprint bytea not null,
        submission_id uuid not null,
        created_at timestamptz not null,
        primary key (form_id, key)
      );
    `),
};
