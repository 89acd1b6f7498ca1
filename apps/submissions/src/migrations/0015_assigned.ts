import { buildIndex, type Migration } from '@sheaf/postgres';

/** A submission enters this index when somebody is assigned, so storing one costs nothing more. */
export const assignedSubmissions: Migration = {
  name: '0015_assigned',
  transaction: 'none',
  up: (db) =>
    buildIndex(
      db,
      'submission_of_assignee',
      'on submission (form_id, assignee, created_at, id) where assignee is not null and deleted_at is null and spam_at is null',
    ),
};
