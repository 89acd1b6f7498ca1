import type { Migration } from '@sheaf/postgres';

export const erasing: Migration = {
  name: '0013_erasing',
  up: (db) =>
    db.raw(`
      -- Submissions and forms that are gone for good. Their answers are in the bodies of events, here and in the stream of the broker.
      create table erased (
        -- The submission, or the form.
        target_id uuid primary key,
        erasure_id uuid not null,
        instance_id uuid not null,
        form_id uuid not null,
        whole_form boolean not null,
        -- When the event with the answers was recorded; null if there was none, and for a form.
        announced_at timestamptz,
        noted_at timestamptz not null,
        -- log: the log is to be cleaned; first_look, second_look: the stream. The second one finds what was on its way at the first one.
        step text not null check (step in ('log', 'first_look', 'second_look', 'done')),
        -- When the step is due, or a process that has taken it counts as dead.
        due_at timestamptz not null,
        -- Of a form: up to where its log is clean.
        clean_to timestamptz,
        -- Events whose bodies were erased.
        events integer not null default 0
      );
      create index erased_due on erased (step, due_at) where step <> 'done';
      create index erased_by_erasure on erased (erasure_id);
      create index erased_by_age on erased (noted_at) where step = 'done';
    `),
};
