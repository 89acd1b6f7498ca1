import type { Migration } from '@sheaf/postgres';

/** The matrices among the fields of a version. Those that an earlier release stored are unknown until somebody looks at the insights of the form. */
export const matrices: Migration = {
  name: '0049_matrices',
  up: (db) =>
    db.raw(`
      alter table insight_version add column matrices text[];
      alter table insight_version_by_id add column matrices text[];
    `),
};
