import type { Migration } from '@sheaf/postgres';

export const signInLinks: Migration = {
  name: '0013_sign_in_links',
  up: (db) =>
    db.raw(`
      -- The operator's links, which sign a person in once. They go with their person, also where an earlier version erases them.
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

      -- Null until they sign in for the first time.
      alter table person add column first_signed_in_at timestamptz;
      update person p set first_signed_in_at = (
        select min(s.created_at) from session s where s.instance_id = p.instance_id and s.person_id = p.id);
    `),
};
