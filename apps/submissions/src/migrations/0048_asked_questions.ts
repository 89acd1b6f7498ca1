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
      -- When forms was found not to have it, so that nobody asks for it again.
      alter table insight_version add column missing_since timestamptz;
      -- When somebody who looked last let all submissions of the form be counted again.
      alter table insight_form add column counted_again_at timestamptz;
      -- Those to be asked for when somebody looks at the insights of the form, and those with the same number.
      create index insight_version_of_form on insight_version_by_id (form_id, version);
    `),
};
