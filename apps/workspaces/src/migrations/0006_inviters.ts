import type { Migration } from '@sheaf/postgres';

export const inviters: Migration = {
  name: '0006_inviters',
  up: (db) =>
    db.raw(`
      -- Null for an invitation of the version before, whose inviter nobody noted.
      alter table invitation add column inviter_kind text check (inviter_kind in ('user', 'operator')), add column inviter_id uuid;

      -- Forms that a person without a password was made an owner of. They belong to \`forms\`; kept here is as much as decides who may invite
      -- this person. The rows go when the person has a password.
      create table promised_form (
        instance_id uuid not null,
        person_id uuid not null,
        form_id uuid not null,
        workspace_id uuid not null,
        primary key (instance_id, person_id, form_id),
        foreign key (instance_id, person_id) references person (instance_id, id)
      );
    `),
};
