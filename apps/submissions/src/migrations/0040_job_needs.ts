import type { Migration } from '@sheaf/postgres';

/**
 * The needs of a job in the background, as a number: a process that knows less leaves it to one that knows more. An earlier release, which beside this
 * one may make jobs, needs the least.
 */
export const jobNeeds: Migration = {
  name: '0040_job_needs',
  up: (db) =>
    db.raw(`
      alter table form_export add column needs integer not null default 1;
      alter table bulk_change add column needs integer not null default 1;
    `),
};
