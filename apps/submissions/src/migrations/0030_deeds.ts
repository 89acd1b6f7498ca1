import type { Migration } from '@sheaf/postgres';

export const deeds: Migration = {
  name: '0030_deeds',
  up: (db) =>
    db.raw(`
      -- What people did with a submission beside changing its status and its answers.
      create table submission_deed (
        -- An earlier version of the service erases submissions without knowing of their deeds.
        submission_id uuid not null references submission on delete cascade,
        position bigint generated always as identity,
        -- assigned, marked_as_spam or released
        kind text not null,
        -- Of assigned: the person who takes care of it from then on; null for nobody.
        assignee uuid,
        actor_kind text not null,
        actor_id uuid not null,
        done_at timestamptz not null,
        primary key (submission_id, position)
      );
    `),
};
