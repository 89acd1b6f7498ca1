import type { Migration } from '@sheaf/postgres';

export const grantsToTell: Migration = {
  name: '0015_grants_to_tell',
  up: (db) =>
    db.raw(`
      -- When \`workspaces\` must be told again of all grants but those of owners, and how far this has come. Until now, it noted only owners, so
      -- an invitation stayed that gave roles on forms which its inviter could not grant. During the deployment, a process of the version before
      -- may get the events, so they are told three times.
      create table grants_to_tell (
        number integer primary key,
        due_at timestamptz not null,
        after_form_id uuid not null default '00000000-0000-0000-0000-000000000000',
        after_user_id uuid not null default '00000000-0000-0000-0000-000000000000'
      );
      insert into grants_to_tell (number, due_at)
      select number, due_at
        from unnest(array[now(), now() + interval '1 hour', now() + interval '1 day']) with ordinality as told (due_at, number)
       where exists (select from form_grant where role <> 'owner');
    `),
};
