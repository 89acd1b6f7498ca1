import type { Migration } from '@sheaf/postgres';

export const retentionGrace: Migration = {
  name: '0029_retention_grace',
  up: (db) =>
    db.raw(`
      -- The decisions that led to the days of the row, each with its moment, the latest last (erasing/grace.ts). An earlier version of the service
      -- changes the days alone; then the last decision differs from them, and they are noted as decided when this version meets them.
      alter table form_keeping add column decided jsonb not null default '[]';
      alter table instance_keeping add column decided jsonb not null default '[]';
      -- The number of the change that told the days, so that an earlier one that arrives once more is passed over; 0 from an earlier version of forms.
      alter table form_keeping add column revision integer not null default 0;

      -- What was decided before is in force already.
      update form_keeping set decided = jsonb_build_array(jsonb_build_object(
          'since', '1970-01-01T00:00:00.000Z', 'trash_days', trash_days, 'submissions_days', submissions_days, 'files_days', files_days))
        where coalesce(trash_days, submissions_days, files_days) is not null;
      update instance_keeping set decided = jsonb_build_array(jsonb_build_object(
          'since', '1970-01-01T00:00:00.000Z', 'trash_days', trash_days, 'submissions_days', submissions_days, 'files_days', files_days))
        where coalesce(trash_days, submissions_days, files_days) is not null;
    `),
};
