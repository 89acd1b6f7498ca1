import type { Migration } from '@sheaf/postgres';

/**
 * The questions of a version, and what decides which of them a respondent was shown. An earlier release publishes none; they are added once its version
 * is met again.
 */
export const askedQuestions: Migration = {
  name: '0048_asked_questions',
  up: (db) =>
    db.raw(`
      -- The keys of all its fields. Null if an earlier release stored the version.
      alter table insight_version add column keys text[];
      alter table insight_version_by_id add column keys text[];
      -- A JSON array of its fields and elements with their conditions. Null if it has no conditions, so that everybody is asked everything.
      alter table insight_version add column conditional text;
      alter table insight_version_by_id add column conditional text;
      -- Those to be asked for when somebody looks at the insights of the form.
      create index insight_version_without_keys on insight_version_by_id (form_id) where keys is null and missing_since is null;
    `),
};
