import { buildIndex, type Migration } from '@sheaf/postgres';

/** Finds the few versions that `forms` was found not to have. */
export const missingVersions: Migration = {
  name: '0033_missing_versions',
  transaction: 'none',
  up: (db) => buildIndex(db, 'insight_version_missing', 'on insight_version_by_id (version_id) where missing_since is not null'),
};
