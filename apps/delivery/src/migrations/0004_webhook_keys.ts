import type { Migration } from '@sheaf/postgres';

export const webhookKeys: Migration = {
  name: '0004_webhook_keys',
  up: (db) =>
    db.raw(`
      -- When the webhook keys of an instance were rotated: generation n + 1 began and n began to run out. Generation 1 has no row.
      create table webhook_key (
        instance_id uuid not null,
        generation integer not null check (generation > 1),
        begun_at timestamptz not null,
        primary key (instance_id, generation)
      );
    `),
};
