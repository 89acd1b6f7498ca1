import type { Migration } from '@sheaf/postgres';

export const preferences: Migration = {
  name: '0016_preferences',
  up: (db) =>
    db.raw(`
      -- How a person wants the application to look. It goes with its person, also where an earlier version erases them.
      create table preference (
        instance_id uuid not null,
        person_id uuid not null,
        key text not null,
        -- JSON, as text: jsonb takes no NUL.
        value text not null,
        primary key (instance_id, person_id, key),
        foreign key (instance_id, person_id) references person (instance_id, id) on delete cascade
      );
    `),
};
