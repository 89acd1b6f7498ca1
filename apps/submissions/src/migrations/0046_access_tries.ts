import type { Migration } from '@sheaf/postgres';

/** Wrong access codes, by the SHA-256 of the form and the network that they came from. */
export const accessTries: Migration = {
  name: '0046_access_tries',
  up: (db) =>
    db.raw(`
      create table access_try (
        key bytea primary key,
        failures integer not null,
        blocked_until timestamptz,
        expires_at timestamptz not null
      );
      create index access_try_expiry on access_try (expires_at);
    `),
};
