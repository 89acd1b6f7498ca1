import type { Migration } from '@sheaf/postgres';

export const people: Migration = {
  name: '0003_people',
  up: (db) =>
    db.raw(`
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
        expires_at timestamptz not null
      );
      create index sign_in_place_expired on sign_in_place (expires_at);

      create index session_of_person on session (person_id) where ended_at is null;
      create index invitation_of_person on invitation (person_id);
    `),
};
