import type { Migration } from '@sheaf/postgres';

export const versionId: Migration = {
  name: '0016_version_id',
  up: (db) =>
    db.raw(`
      -- A number is used again if the database is restored to an earlier moment and the form is published anew. The id never is, so a submission
      -- is read by it. Without a default first, which would rewrite the table; an earlier version of the service gets the default, too.
      alter table version add column id uuid;
      alter table version alter column id set default uuidv7();

      -- The id of a version. One that was published before there were ids has the same one whenever this step runs, also once more after a restore.
      -- As simple as it is, the planner writes the body in place of each call, and nothing reads the fields of the row for it.
      create function id_of_version(given version) returns uuid stable parallel safe language sql
        return coalesce(given.id, cast(md5(cast(given.form_id as text) || ' ' || cast(given.number as text) || ' '
                                            || cast(extract(epoch from given.published_at) as text)) as uuid));
    `),
};
