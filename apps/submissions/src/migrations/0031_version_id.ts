import type { Migration } from '@sheaf/postgres';

export const versionId: Migration = {
  name: '0031_version_id',
  up: (db) =>
    db.raw(`
      -- The version that the submission was made against. Its number may be used again after a restore of the forms, the id never is. Null if an
      -- earlier version of the service stored it, or the forms did not tell: then the time of publication shows whether a version can be meant.
      alter table submission add column version_id uuid;

      -- As insight_version, which stays for submissions without the id of their version.
      create table insight_version_by_id (
        version_id uuid primary key,
        form_id uuid not null,
        version integer not null,
        -- Null until its fields are known.
        options text[],
        whole_numbers text[],
        numbers text[],
        -- When the forms were found to have it no more.
        missing_since timestamptz
      );
      create index insight_version_unknown on insight_version_by_id (form_id) where options is null and missing_since is null;
    `),
};
