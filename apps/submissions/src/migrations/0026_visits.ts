import type { Migration } from '@sheaf/postgres';

export const visits: Migration = {
  name: '0026_visits',
  up: (db) =>
    db.raw(`
      -- How often a form was opened, begun and completed in a quarter of an hour, counted from 1970 on. Nothing tells respondents apart.
      create table visit_count (
        form_id uuid not null,
        quarter integer not null,
        views bigint not null,
        starts bigint not null,
        completions bigint not null,
        primary key (form_id, quarter)
      ) with (fillfactor = 70);
    `),
};
