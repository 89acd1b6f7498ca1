import type { Migration } from '@sheaf/postgres';

/** How far respondents got in forms with several pages. */
export const stepCounts: Migration = {
  name: '0050_step_counts',
  up: (db) =>
    db.raw(`
      -- Of a quarter of an hour, counted from 1970 on. Versions with the same questions on the same pages share an outline. Nothing tells respondents apart.
      create table step_count (
        form_id uuid not null,
        outline text not null,
        quarter integer not null,
        -- For each step, the check of the answers last.
        reached bigint[] not null,
        went_on bigint[] not null,
        primary key (form_id, outline, quarter)
      ) with (fillfactor = 70);
    `),
};
